/** The lists for the rules of pages: the pickup points of a method of the run, and the methods of the store. */

import { MAX_PORTION_ITEMS } from '../../../contracts/lists/portions.ts';
import type { Context } from '../../../harness/check/context.ts';
import { Inconclusive } from '../../../harness/check/failures.ts';
import type { Given } from '../../../harness/check/given.ts';
import { unlessUndecided } from '../../../harness/resources/once.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { pointsAt, replacePoints } from '../batch/calls.ts';
import { tellsApart } from '../steps/awkward-values/similar-ids.ts';
import { type Method, showsPoint } from '../steps/reading.ts';
import { unlessFull } from '../steps/unless-full.ts';
import { type Anomaly, anomaliesOf, type ListClause } from './judge.ts';
import {
  type FullReading,
  isSizeRefusal,
  LARGE_PAGE_ITEMS,
  type ListSource,
  methodsOf,
  pointsOf,
  type Reading,
  readCompleteList,
  readList,
  type Spec,
} from './reading.ts';

export interface ListUnderTest {
  readonly source: ListSource;
  /**
   * Reads the list in the requested ways and judges the readings. Sizes that the service refuses are skipped. What
   * is not caused by the list is a failed precondition; `asked` is the clause in question.
   */
  anomalies(specs: readonly Spec[], asked: ListClause): Promise<Anomaly[]>;
}

/** Enough items for three pages of seven, few enough to read one by one. */
export const FEW_POINTS = 15;

/** A walk over `count` items with more pages than this is endless: pages with one item, with empty ones in between. */
export const mostPagesFor = (count: number): number => 3 * count + 5;

/** Ids that are not sorted in the order in which they are sent, in either direction. */
export function shuffledIds(count: number): string[] {
  // 10,007 is a prime, so that ids are unique for any smaller count.
  return Array.from({ length: count }, (_, at) => `p${String(((at + 1) * 7919) % 10_007).padStart(5, '0')}`);
}

/** The points of a new method, which nothing else changes. */
export async function pointList(context: Context, count = FEW_POINTS): Promise<ListUnderTest> {
  const { method, ids } = await methodOfPoints(context, context.given, count);
  return listOfPoints(context, method, ids);
}

/** A new method with so many points. */
export async function methodOfPoints(
  context: Context,
  given: Given,
  count: number,
): Promise<{ readonly method: Method; readonly ids: readonly string[] }> {
  const { delivery, send } = context;
  const method = await given.newMethod(delivery);
  const plain = shuffledIds(count);
  if (count <= MAX_PORTION_ITEMS) {
    const signed = equalAsNumbers(plain.map(withSign).map(inBothCases));
    const similar = withZero(await withSimilar(context, signed));
    for (const ids of [
      ...LONG_BEGINNINGS.map((beginning) => withBeginning(similar, beginning)),
      similar,
      signed,
      plain,
    ]) {
      const alike = { pickup_points: halfAlike(pointsAt(context, ids)) };
      if (isServed(await send(delivery.batchReplace(method.handle, alike), 'given'))) return { method, ids };
    }
  }
  await replacePoints(context, method, pointsAt(context, plain));
  return { method, ids: plain };
}

/**
 * A link to the next page may name the last item of its page: each of these has to be encoded there, and decoded once. The list reads
 * the same from both ends, so that pages of one size end with the same signs in both orders. In base64, three tildes have a plus sign
 * wherever they begin.
 */
const SIGNS = ['', '%25', '+', '#', ' ~~~', 'ē', '&page_size=1', '='];

const withSign = (id: string, at: number, all: readonly string[]): string =>
  `${id}${SIGNS[Math.min(at, all.length - 1 - at) % SIGNS.length]}`;

/** A database may sort without regard to case, while the next page is looked for with regard to it. */
const inBothCases = (id: string, at: number): string => (at % 3 === 1 ? id.replace(/^p/, 'P') : id);

/**
 * The first and the last one are the same number to some languages: a page that begins with one of them must not be looked for by
 * such a comparison. In both orders one of them is met first, and the other one begins the last page.
 */
const equalAsNumbers = (ids: readonly string[]): string[] =>
  ids.map((id, at) => (ids.length < 2 ? id : at === 0 ? '0012' : at === ids.length - 1 ? '12' : id));

/**
 * A link that cuts the id of an item, or looks for it without regard to case or accents, finds another one: some ids share a long
 * beginning, and in two pairs the second one is the first one in the other case, or with an accent. These are in the places that are
 * the same from both ends, so that they have the same signs. A service may limit the length of an id.
 */
const LONG_BEGINNINGS: readonly string[] = [72, 24].map((length) => 'long-'.padEnd(length, 'x'));
const PLACES_OF_LONG: readonly number[] = [3, 6];
const PLACE_OF_CASES = 4;
const PLACE_OF_ACCENTS = 5;

const withBeginning = (ids: readonly string[], beginning: string): string[] =>
  ids.map((id, at) => (PLACES_OF_LONG.includes(Math.min(at, ids.length - 1 - at)) ? `${beginning}${id}` : id));

async function withSimilar(context: Context, ids: readonly string[]): Promise<string[]> {
  const similar = [...ids];
  const put = (place: number, change: (id: string) => string): void => {
    const [first, last] = [ids[place], ids.length - 1 - place];
    if (first !== undefined && last > place) similar[last] = change(first);
  };
  if (await tellsApart(context, 'cases')) put(PLACE_OF_CASES, inOtherCase);
  if (await tellsApart(context, 'accents'))
    put(PLACE_OF_ACCENTS, (id) => id.replace(/^p/i, (letter) => `${letter}\u0301`.normalize()));
  return similar;
}

const inOtherCase = (id: string): string => id.replace(/^p/i, (letter) => (letter === 'p' ? 'P' : 'p'));

/** A link may name the first item of the next page, and some languages treat this id as none. A service may refuse it. */
const withZero = (ids: readonly string[]): string[] => ids.map((id, at) => (at === 1 && ids.length > 2 ? '0' : id));

/** Half of them with one title: a page must not begin after all items that sort like the last one of the page before. */
const halfAlike = (points: readonly Json[]): Json[] =>
  points.map((point, at) => (at < points.length / 2 ? { ...point, title: points[0]?.title } : point));

/** The points of a new method, which has none. */
export async function emptyPointList(context: Context): Promise<ListUnderTest> {
  return listOfPoints(context, await context.given.newMethod(context.delivery), []);
}

/** More than the default page of most services, and more than the 100 points of a portion. */
export const MANY_POINTS = 140;

/** A list of several default pages, with more points than one call can send. */
export async function longPointList(context: Context): Promise<ListUnderTest> {
  return pointList(context, MANY_POINTS);
}

function listOfPoints(context: Context, method: Method, ids: readonly string[]): ListUnderTest {
  const source = pointsOf(method.delivery, method.handle);
  const read = (spec: Spec) => readIfServed(context, source, spec, mostPagesFor(ids.length));
  return {
    source,
    anomalies: async (specs, asked) => {
      const readings = await readingsOf(specs, read);
      if (readings.length === 0) return refusedSizes(context, specs, asked);
      longEnough(context, specs, readings, asked);
      const found = anomaliesOf(readings, ids);
      if (asked === 'delivery.lists.page-size-respected' || isAboutSizes(found)) return found;
      await contentIs(context, method, ids, readings);
      return (await changesByItself(read, specs)) ?? found;
    },
  };
}

const isAboutSizes = (found: readonly Anomaly[]): boolean =>
  found.every(({ clause }) => clause === 'delivery.lists.page-size-respected');

/** States that the method has the points: points that are not stored, or are stored twice, are not a violation of the list. */
async function contentIs(
  context: Context,
  { delivery, handle }: Method,
  ids: readonly string[],
  readings: readonly Reading[],
): Promise<void> {
  const { given, send } = context;
  // Whether ids with signs are kept has a check of its own.
  const clause = ids.every((id) => /^\w+$/.test(id))
    ? 'delivery.batch.replaces-all'
    : 'delivery.point.id-any-characters';
  const strangers = readings.flatMap((reading) => reading.ids).filter((id) => !ids.includes(id));
  given.holds(strangers.length === 0, clause, `the method lists ${strangers[0]}, which the run did not send`);
  // On a single page nothing is lost or repeated between pages.
  const onePage = readings.find(({ pages, end }) => pages.length === 1 && end === 'last-page');
  const again = onePage?.ids.find((id, at) => onePage.ids.indexOf(id) < at);
  given.holds(again === undefined, clause, `the method lists ${again} twice on its only page`);
  const never = ids.find((id) => readings.every((reading) => !reading.ids.includes(id)));
  if (never === undefined) return;
  const stored = showsPoint(await send(delivery.readPoint(handle, never), 'read'), never);
  given.holds(stored, clause, `the point ${never} was sent, but is not listed and can't be read`);
  await listsFew(context);
}

/** States that a list too short for a second page is complete: missing points have no link as a reason. */
async function listsFew(context: Context): Promise<void> {
  const { delivery, handle } = await context.given.newMethod(context.delivery);
  const ids = shuffledIds(2);
  await replacePoints(context, { delivery, handle }, pointsAt(context, ids));
  const { ids: listed } = await readCompleteList(context, pointsOf(delivery, handle));
  const shown = ids.every((id) => listed.includes(id));
  context.given.holds(
    shown,
    'delivery.point.list-contains',
    'the list does not contain both of the two points that were sent',
  );
}

/** Attempts to read the methods while nothing else changes them. */
const MAX_ATTEMPTS = 12;
/** A concurrent change between two readings may look like a violation once, but hardly three times. */
const CONFIRMATIONS = 3;
/** With fewer methods there is no second page. */
const FEWEST_METHODS = 2;
/** With two methods, a lost item and a missing link look the same; if methods can be created, other checks distinguish them. */
export const MIN_DISTINGUISHABLE_METHODS = 3;
const ALIKE: readonly ListClause[] = ['delivery.lists.next-link', 'delivery.lists.every-item-once'];

/**
 * A method for a list whose pages are read. The second and the third one have the same title: a page that begins after a title leaves
 * out what shares it. A service may want a title that no other method has.
 */
export async function methodOfList(context: Context, at: number, given: Given, fields: Json = {}): Promise<Method> {
  const { delivery } = context;
  const alike =
    at === 1 || at === 2
      ? await unlessUndecided(() => given.newMethod(delivery, { ...fields, title: given.text('Proofmark courier') }))
      : undefined;
  return alike ?? (await given.newMethod(delivery, fields));
}

/**
 * The methods of the store, which other checks and people may add and delete at any time: only methods that were
 * listed before and afterwards are judged, and an anomaly counts only if it shows repeatedly.
 *
 * @param own how many methods the check makes itself, so that there are pages to judge
 */
export async function methodList(context: Context, own = 0): Promise<ListUnderTest> {
  const made: string[] = [];
  for (let n = 0; n < own; n += 1) {
    const one = await unlessFull(context, () => methodOfList(context, n, context.given));
    if (one === undefined) break;
    made.push(one.handle);
  }
  const source = methodsOf(context.delivery);
  // With the methods that were there before there may be enough.
  if (made.length < own) await isLongEnough(context, source);
  return { source, anomalies: (specs, asked) => methodAnomalies(context, source, made, specs, asked) };
}

/** States that a list has several pages of methods. */
async function isLongEnough(context: Context, source: ListSource): Promise<void> {
  const { ids } = await readCompleteList(context, source);
  const message = `the store takes no more methods, and has too few for several pages (${ids.length})`;
  context.given.granted(ids.length >= MIN_DISTINGUISHABLE_METHODS, 'delivery.method.create-stores', message);
}

async function methodAnomalies(
  context: Context,
  source: ListSource,
  own: readonly string[],
  specs: readonly Spec[],
  asked: ListClause,
): Promise<Anomaly[]> {
  const { given } = context;
  let confirmations = 0;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const before = await readCompleteList(context, source);
    const most = mostPagesFor(new Set(before.ids).size + SLACK_METHODS);
    const read = (spec: Spec) => readIfServed(context, source, spec, most);
    const readings = await readingsOf(specs, read);
    if (readings.length === 0) return refusedSizes(context, specs, asked);
    longEnough(context, specs, readings, asked);
    const after = await readCompleteList(context, source, {}, most);
    const all = [before, ...readings, after];
    for (const handle of own) {
      const listed = all.some(({ ids }) => ids.includes(handle));
      given.holds(
        listed,
        'delivery.method.list-contains-own',
        `the new method ${handle} is not in the list of methods`,
      );
    }
    const lasting = new Set([...before.ids.filter((id) => after.ids.includes(id)), ...own]);
    enough(context, lasting.size);
    const judged = all.map((reading) => only(reading, lasting));
    const canDistinguish = lasting.size >= MIN_DISTINGUISHABLE_METHODS || !context.profile.allow.has('write');
    const found = anomaliesOf(judged, [...lasting]).filter(({ clause }) => canDistinguish || !ALIKE.includes(clause));
    if (found.length === 0) return [];
    const disturbed = all.some(({ ids }) => ids.some((id) => !lasting.has(id)));
    if (!disturbed) confirmations += 1;
    if (confirmations === CONFIRMATIONS)
      return isAboutSizes(found) ? found : ((await changesByItself(lastingOnly(read, lasting), specs)) ?? found);
  }
  const sentence = 'the list of methods was changed by other clients during each attempt to judge its pages';
  throw new Inconclusive(`${sentence}: run again when no other client uses this store`, 'network');
}

/** Methods that others may add while the list is read. */
const SLACK_METHODS = 50;

/** Where the run may write, checks on methods and points of their own prove what a short list can't. */
function enough({ profile }: Context, count: number): void {
  if (count >= FEWEST_METHODS || profile.allow.has('write')) return;
  const sentence = `the store has ${count} delivery methods, and pages can't be judged with fewer than ${FEWEST_METHODS}`;
  throw new Inconclusive(`${sentence}: add some, or let the run do it ("write" in "allow")`, 'configuration');
}

/** The reading without items that were added or deleted in the meantime. */
function only(reading: FullReading, lasting: ReadonlySet<string>): Reading {
  const pages = reading.pages.map(({ ids, response }) => ({
    response: response,
    ids: ids.filter((id) => lasting.has(id)),
  }));
  const ids = pages.flatMap((page) => page.ids);
  return { ...reading, pages, ids, disturbed: ids.length < reading.ids.length };
}

/** Reads the stable items: methods that others add or delete between two readings do not count as another order. */
const lastingOnly =
  (read: Read, lasting: ReadonlySet<string>): Read =>
  async (spec) => {
    const reading = await read(spec);
    if (reading === undefined) return undefined;
    const ids = reading.ids.filter((id) => lasting.has(id));
    return { ...reading, ids, disturbed: ids.length < reading.ids.length };
  };

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

type Read = (spec: Spec) => Promise<FullReading | undefined>;

/** Page sizes to try when those of a rule were refused. */
const OTHER_SIZES = [1, 5, 10, 20, 50];

async function readingsOf(specs: readonly Spec[], read: Read): Promise<FullReading[]> {
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
function refusedSizes({ given }: Context, specs: readonly Spec[], asked: ListClause): Anomaly[] {
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

/** Which sizes are accepted is open: if only large ones are, a short list has only one page. */
function longEnough(
  { given }: Context,
  specs: readonly Spec[],
  readings: readonly FullReading[],
  asked: ListClause,
): void {
  const own = new Set(specs.map(({ pageSize }) => pageSize));
  const others = readings.filter(({ spec }) => spec.pageSize !== undefined && !own.has(spec.pageSize));
  if (others.length === 0 || !OF_SEVERAL_PAGES.includes(asked)) return;
  const items = Math.max(...readings.map(({ ids }) => ids.length));
  const isLong = others.some(({ spec }) => items > (spec.pageSize ?? 0));
  const message = 'small pages are refused, and the list has too few items for two larger ones';
  given.granted(isLong, 'delivery.lists.page-size-respected', message);
}

/** How often one page is read, so that a random order is very likely to differ. */
const LOOKS = 4;

/** A list whose order changes between two reads explains all other anomalies: gaps, repeats, a wrong `desc`. */
async function changesByItself(read: Read, specs: readonly Spec[]): Promise<Anomaly[] | undefined> {
  const spec: Spec = { ...specs.find(({ pageSize }) => (pageSize ?? 0) > 2), stopAfter: 1 };
  const looks = await readingsOf(Array(LOOKS).fill(spec), read);
  const [first] = looks;
  // A page that others changed may have fewer of the stable items, but in the same order.
  const common = looks.some(({ disturbed }) => disturbed) ? Math.min(...looks.map(({ ids }) => ids.length)) : undefined;
  const beginning = ({ ids }: FullReading): string => ids.slice(0, common).join('\n');
  const other = looks.find((look) => first !== undefined && beginning(look) !== beginning(first));
  if (other === undefined) return undefined;
  const message = 'two identical requests return the list in two orders';
  const response = other.pages[0]?.response;
  return [
    { clause: 'delivery.lists.stable-order', message, expected: first?.ids, actual: other.ids, response: response },
  ];
}
