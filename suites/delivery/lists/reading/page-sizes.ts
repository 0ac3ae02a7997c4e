/** Reads a list in several ways, with other page sizes in place of those that the service refuses. */

import type { Context } from '../../../../harness/check/context.ts';
import { type FullReading, isSizeRefusal, LARGE_PAGE_ITEMS, type ListSource, readList, type Spec } from './index.ts';
import type { Anomaly, ListClause } from './judge.ts';

/** A walk over `count` items with more pages than this is endless: pages with one item, with empty ones in between. */
export const maxPagesFor = (count: number): number => 3 * count + 5;

/**
 * Reads with a size that the service may refuse; undefined if it does. A size that is refused only together with `desc` is
 * accepted without it, so the refusal is about `desc`.
 */
export async function readIfServed(
  context: Context,
  source: ListSource,
  spec: Spec,
  most: number,
): Promise<FullReading | undefined> {
  try {
    return await readList(context, source, spec, most);
  } catch (error) {
    if (spec.pageSize === undefined || !isSizeRefusal(error)) throw error;
    if (spec.desc !== true) return undefined;
    const forwards = { pageSize: spec.pageSize, stopAfter: 1 };
    const isRefused = (await readIfServed(context, source, forwards, most)) === undefined;
    const message = `with page_size=${spec.pageSize} the list is served, but refused with desc=1`;
    context.given.holds(isRefused, 'delivery.lists.desc-reverses-whole-list', message, error.evidence);
    return undefined;
  }
}

export type Read = (spec: Spec) => Promise<FullReading | undefined>;

/** Page sizes to try when those of a rule were refused. */
const OTHER_SIZES = [1, 5, 10, 20, 50];

/** The list as it reads in each of the ways that are served; in ways with other small sizes where all of the small ones are refused. */
export async function readingsOf(specs: readonly Spec[], read: Read): Promise<FullReading[]> {
  const readings = await servedOf(specs, read);
  const small = specs.filter(isSmall);
  if (small.length === 0 || readings.some(({ spec }) => isSmall(spec))) return readings;
  for (const pageSize of OTHER_SIZES) {
    const ways = new Map(small.map(({ desc, stopAfter }) => [`${desc} ${stopAfter}`, { desc, stopAfter }]));
    const larger = [...ways.values()].map((way) => definedOf({ ...way, pageSize }));
    const served = await servedOf(larger, read);
    if (served.length > 0) return [...readings, ...served];
  }
  return readings;
}

const isSmall = ({ pageSize }: Spec): boolean => pageSize !== undefined && pageSize < LARGE_PAGE_ITEMS;

const definedOf = ({ desc, pageSize, stopAfter }: { readonly [Name in keyof Spec]: Spec[Name] | undefined }): Spec => ({
  ...(pageSize === undefined ? {} : { pageSize }),
  ...(desc === undefined ? {} : { desc }),
  ...(stopAfter === undefined ? {} : { stopAfter }),
});

async function servedOf(specs: readonly Spec[], read: Read): Promise<FullReading[]> {
  const readings: FullReading[] = [];
  for (const spec of specs) {
    const reading = await read(spec);
    if (reading !== undefined) readings.push(reading);
  }
  return readings;
}

/** For a target that refuses every page_size: it leaves only the rule about page sizes undecided. */
export function refusedSizes({ given }: Context, specs: readonly Spec[], asked: ListClause): Anomaly[] {
  const clause = 'delivery.lists.page-size-respected';
  const sizes = new Set([...specs.map(({ pageSize }) => pageSize), ...OTHER_SIZES]);
  const message = `every page_size was refused: ${[...sizes].join(', ')}`;
  given.granted(asked === clause, clause, message);
  return [{ clause, message }];
}

/** Rules that a single page cannot decide. */
const OF_SEVERAL_PAGES: readonly ListClause[] = [
  'delivery.lists.page-size-respected',
  'delivery.lists.next-link',
  'delivery.lists.desc-kept-on-later-pages',
];

/**
 * How many items a list lacks for a second page where only larger sizes are served than those that were asked for.
 *
 * @param passing items that will not stay
 */
export function missingItems(specs: readonly Spec[], readings: readonly FullReading[], passing = 0): number {
  const own = new Set(specs.map(({ pageSize }) => pageSize));
  const others = readings.filter(({ spec }) => spec.pageSize !== undefined && !own.has(spec.pageSize));
  if (others.length === 0) return 0;
  const items = Math.max(...readings.map(({ ids }) => ids.length)) - passing;
  const smallest = Math.min(...others.map(({ spec }) => spec.pageSize ?? 0));
  return Math.max(0, smallest + 1 - items);
}

/** Which sizes are accepted is open: if only large ones are, a short list has only one page. */
export function longEnough(
  { given }: Context,
  specs: readonly Spec[],
  readings: readonly FullReading[],
  asked: ListClause,
): void {
  if (!OF_SEVERAL_PAGES.includes(asked)) return;
  const message = 'small pages are refused, and the list has too few items for two larger ones';
  given.granted(missingItems(specs, readings) === 0, 'delivery.lists.page-size-respected', message);
}

/** How often one page is read, so that a random order is very likely to differ. */
const PAGE_READINGS = 4;

/** A list whose order changes between two reads explains all other anomalies: gaps, repeats, a wrong `desc`. */
export async function changesByItself(read: Read, specs: readonly Spec[]): Promise<Anomaly[] | undefined> {
  const spec: Spec = { ...specs.find(({ pageSize }) => (pageSize ?? 0) > 2), stopAfter: 1 };
  const pages = await readingsOf(Array(PAGE_READINGS).fill(spec), read);
  const [first] = pages;
  // A page that others changed may have fewer of the stable items, but in the same order.
  const common = pages.some(({ disturbed }) => disturbed) ? Math.min(...pages.map(({ ids }) => ids.length)) : undefined;
  const beginning = ({ ids }: FullReading): string => ids.slice(0, common).join('\n');
  const other = pages.find((page) => first !== undefined && beginning(page) !== beginning(first));
  if (other === undefined) return undefined;
  const message = 'two identical requests return the list in two orders';
  const response = other.pages[0]?.response;
  return [{ clause: 'delivery.lists.stable-order', message, expected: first?.ids, actual: other.ids, response }];
}

/** Whether anomalies are due to the sizes of pages alone. */
export const isAboutSizes = (found: readonly Anomaly[]): boolean =>
  found.every(({ clause }) => clause === 'delivery.lists.page-size-respected');
