/** In how many pages random sequences read a list. */

/** Sizes that divide no usual one; a service may refuse or clamp them. */
const PAGE_SIZES = [3, 7, 50] as const;
const MAX_PAGES = 4;

/** Pages beyond one an item after which a walk counts as endless. */
export const SLACK_PAGES = 3;

/** A size with which a list comes in some pages, and not in many. */
export const sizeFor = ({ length }: readonly string[]): number =>
  PAGE_SIZES.find((size) => length <= size * MAX_PAGES) ?? PAGE_SIZES.at(-1)!;

/** Whether a reading ended because its first page was refused: a service may refuse a size. */
export const isRefusalOfSize = (thrown: unknown): boolean =>
  thrown instanceof Error && 'shows' in thrown && thrown.shows === 'refusal';
