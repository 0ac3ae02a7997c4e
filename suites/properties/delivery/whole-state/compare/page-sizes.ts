/** In how many pages random sequences read a list. */

/** Sizes that divide no usual one; a service may refuse or clamp them. */
const PAGE_SIZES = [3, 7, 50] as const;
const MAX_PAGES = 4;
/** Of a list that is longer than a usual page: the far places of a page show as well. */
const LARGE_PAGE_ITEMS = 100;

/** Pages beyond one an item after which a walk counts as endless. */
export const SLACK_PAGES = 3;

/** A size with which a list comes in some pages, and not in many. */
export function sizeFor({ length }: readonly string[]): number {
  const size = PAGE_SIZES.find((one) => length <= one * MAX_PAGES) ?? PAGE_SIZES.at(-1)!;
  // In turns, as the length of the list changes.
  return length > size && length % 2 === 1 ? LARGE_PAGE_ITEMS : size;
}

/** Whether a reading ended because its first page was refused: a service may refuse a size. */
export const isRefusalOfSize = (thrown: unknown): boolean =>
  thrown instanceof Error && 'shows' in thrown && thrown.shows === 'refusal';
