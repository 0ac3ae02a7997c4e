/**
 * Finds anomalies in readings of one unchanging list, each under exactly one clause: a truncated list is a
 * missing link and not a gap; a circular walk is not a repeated item. So one violation fails one rule.
 */
import { isReverse, isSameOrder } from '../../../../contracts/lists/pagination.ts';
import type { ServiceResponse } from '../../../../harness/target/client/types.ts';
import type { Reading } from './index.ts';

/** The clauses of lists in order. A broken clause leaves the later ones undecided, except the clause about page sizes. */
export const LIST_CLAUSES = [
  'delivery.lists.page-size-respected',
  'delivery.lists.next-link',
  'delivery.lists.walk-ends',
  'delivery.lists.every-item-once',
  'delivery.lists.stable-order',
  'delivery.lists.desc-reverses-whole-list',
  'delivery.lists.desc-kept-on-later-pages',
] as const;
export type ListClause = (typeof LIST_CLAUSES)[number];

export interface Anomaly {
  readonly clause: ListClause;
  /** The anomaly, as the second half of a sentence that begins with the request. */
  readonly message: string;
  readonly expected?: unknown;
  readonly actual?: unknown;
  readonly response?: ServiceResponse | undefined;
  /** A walk that ended too early, without a sign of it. */
  readonly cut?: boolean;
}

/**
 * The anomalies of several readings of one list that contains exactly `ids`, each once.
 *
 * The order is the service's choice: the first reading with every item once defines it. For `desc=1` the order of the same
 * page size is reversed, so that an order that depends on the page size is not blamed on `desc`.
 *
 * @example anomaliesOf([readingOf({ pageSize: 2 }, [['a', 'b'], ['b', 'c']])], ['a', 'b', 'c'])
 * // [{ clause: 'delivery.lists.every-item-once', message: 'with page_size=2 page 2 shows "b" again', … }]
 */
export function anomaliesOf(readings: readonly Reading[], ids: readonly string[]): Anomaly[] {
  const ascending = readings.filter(({ spec }) => !spec.desc);
  const descending = readings.filter(({ spec }) => spec.desc);
  const whole = ascending.filter((reading) => isWhole(reading, ids));
  const found = readings.flatMap(oversized);
  const clean = new Map<number | undefined, boolean>();
  for (const reading of ascending) {
    const anomalies = ascendingAnomalies(reading, ids, whole[0]?.ids, ascending);
    found.push(...anomalies);
    const size = reading.spec.pageSize;
    clean.set(size, (clean.get(size) ?? true) && anomalies.length === 0);
  }
  for (const reading of descending) {
    const size = reading.spec.pageSize;
    const order = (whole.find(({ spec }) => spec.pageSize === size) ?? whole[0])?.ids;
    // An anomaly that shows at this size without desc is not caused by desc.
    if (order === undefined || clean.get(size) === false) continue;
    found.push(...descendingAnomalies(reading, ids, order, clean.get(size) === true));
  }
  return withoutLooseEnds(found).sort((a, b) => LIST_CLAUSES.indexOf(a.clause) - LIST_CLAUSES.indexOf(b.clause));
}

/** If items are lost between pages, a walk may also end early: that is the same violation. */
function withoutLooseEnds(found: readonly Anomaly[]): Anomaly[] {
  const loses = found.some(({ clause }) => clause === 'delivery.lists.every-item-once');
  return found.filter(({ clause, cut }) => !(loses && cut && clause === 'delivery.lists.next-link'));
}

function oversized(reading: Reading): Anomaly[] {
  const { pageSize } = reading.spec;
  if (pageSize === undefined) return [];
  const at = reading.pages.findIndex((page) => page.ids.length > pageSize);
  const page = reading.pages[at];
  if (page === undefined) return [];
  const message = `${asked(reading)}, page ${at + 1} holds ${page.ids.length} items`;
  return [
    anomaly('delivery.lists.page-size-respected', message, `at most ${pageSize}`, page.ids.length, page.response),
  ];
}

function ascendingAnomalies(
  reading: Reading,
  ids: readonly string[],
  order: readonly string[] | undefined,
  others: readonly Reading[],
): Anomaly[] {
  const bad = badEnd(reading, ids);
  if (bad !== undefined) return [bad];
  if (reading.end === 'stopped') return stoppedAnomalies(reading, ids, order);
  if (isWhole(reading, ids)) {
    if (order === undefined || isSameOrder(order, reading.ids)) return [];
    const message = `${asked(reading)}, the items are in a different order than before`;
    return [anomaly('delivery.lists.stable-order', message, order, reading.ids, lastResponse(reading))];
  }
  if (isCutShort(reading, order, others)) return [cutShort(reading, ids)];
  return [notOnce(reading, ids)];
}

/** A walk that was stopped on purpose shows the beginning of the list. */
function stoppedAnomalies(reading: Reading, ids: readonly string[], order: readonly string[] | undefined): Anomaly[] {
  const again = repeated(reading);
  if (again !== undefined) {
    const seen = reading.ids.slice(0, again);
    if (!ids.every((id) => seen.includes(id))) return [notOnce(reading, reading.ids)];
    // All items were shown once: a walk that then restarts is endless.
    const response = lastResponse(reading);
    const message = `${asked(reading)}, the walk continues after all items were shown`;
    return [anomaly('delivery.lists.walk-ends', message, 'a page without a further link', linkOf(response), response)];
  }
  if (order === undefined || isPrefix(reading.ids, order)) return [];
  const places = reading.ids.map((id) => order.indexOf(id));
  const forward = places.every((place, at) => at === 0 || place > (places[at - 1] ?? 0));
  // An item is lost between two pages; a different first item would be another order.
  if (!forward || !isPrefix(reading.pages[0]?.ids ?? [], order)) {
    const message = `${asked(reading)}, the items are in a different order than before`;
    return [
      anomaly(
        'delivery.lists.stable-order',
        message,
        order.slice(0, places.length),
        reading.ids,
        lastResponse(reading),
      ),
    ];
  }
  return [notOnce(reading, order.slice(0, Math.max(...places) + 1))];
}

/** `isCleanWithoutDesc`: a walk with the same size and without desc had no anomaly, so an anomaly here is caused by desc. */
function descendingAnomalies(
  reading: Reading,
  ids: readonly string[],
  order: readonly string[],
  isCleanWithoutDesc: boolean,
): Anomaly[] {
  const bad = badEnd(reading, ids);
  const wanted = order.toReversed();
  const first = reading.pages[0]?.ids ?? [];
  const isEmpty = first.length === 0 && wanted.length > 0 && !reading.disturbed;
  if (!isPrefix(first, wanted) || isEmpty) {
    const message = `${asked(reading)}, the first page does not begin with the last items of the list`;
    const expected = wanted.slice(0, Math.max(first.length, 1));
    return [anomaly('delivery.lists.desc-reverses-whole-list', message, expected, first, reading.pages[0]?.response)];
  }
  const onTheWay = isPrefix(reading.ids, wanted);
  if (bad !== undefined && onTheWay) return [bad];
  if (reading.end === 'stopped' ? onTheWay : isReverse(order, reading.ids)) return [];
  if (onTheWay) {
    const cut = cutShort(reading, ids);
    return [
      isCleanWithoutDesc
        ? { ...cut, clause: 'delivery.lists.desc-kept-on-later-pages', expected: wanted, actual: reading.ids }
        : cut,
    ];
  }
  const at = reading.ids.findIndex((id, place) => id !== wanted[place]);
  const page = pageAt(reading, at);
  const message = `${asked(reading)}, page ${page + 1}, reached by a link, does not continue in reverse order`;
  const { ids: shown, response } = reading.pages[page] ?? { ids: [] };
  const start = reading.pages.slice(0, page).flatMap((one) => one.ids).length;
  const expected = wanted.slice(start, start + shown.length);
  return [anomaly('delivery.lists.desc-kept-on-later-pages', message, expected, shown, response)];
}

/** A walk without a last page: if it ended too early, the link is wrong; if too late, the walk is endless. */
function badEnd(reading: Reading, ids: readonly string[]): Anomaly | undefined {
  if (reading.end === 'last-page' || reading.end === 'stopped') return undefined;
  const seen = new Set(reading.ids);
  const missing = ids.filter((id) => !seen.has(id));
  const response = lastResponse(reading);
  const message = `${asked(reading)}, ${reading.endReason}`;
  if (missing.length === 0) {
    return anomaly('delivery.lists.walk-ends', message, 'a page without a further link', linkOf(response), response);
  }
  const expected = `a link to the ${missing.length} of ${ids.length} items that were not shown yet`;
  return anomaly('delivery.lists.next-link', message, expected, linkOf(response), response);
}

/**
 * Whether a walk that misses items is just the beginning of the list, so that its last page lacks a link. If the order is
 * not known, all walks without repeats are compared: short ones with a common beginning were truncated, others have gaps.
 */
function isCutShort(reading: Reading, order: readonly string[] | undefined, others: readonly Reading[]): boolean {
  if (repeated(reading) !== undefined) return false;
  if (order !== undefined) return isPrefix(reading.ids, order);
  const full = reading.pages.at(-1)?.ids.length === reading.pages[0]?.ids.length;
  return full && others.every((other) => isPrefix(reading.ids, other.ids) || isPrefix(other.ids, reading.ids));
}

function cutShort(reading: Reading, ids: readonly string[]): Anomaly {
  const shown = new Set(reading.ids).size;
  const message = `${asked(reading)}, the walk ends after ${shown} of ${ids.length} items: the last page has no link`;
  const clause = 'delivery.lists.next-link';
  return { ...anomaly(clause, message, 'a link to the next page', undefined, lastResponse(reading)), cut: true };
}

function notOnce(reading: Reading, ids: readonly string[]): Anomaly {
  const again = repeated(reading);
  if (again !== undefined) {
    const page = pageAt(reading, again);
    const id = reading.ids[again];
    const message = `${asked(reading)}, page ${page + 1} shows ${JSON.stringify(id)} again`;
    return anomaly(
      'delivery.lists.every-item-once',
      message,
      'each item once',
      reading.ids,
      reading.pages[page]?.response,
    );
  }
  const seen = new Set(reading.ids);
  const missing = ids.filter((id) => !seen.has(id));
  const strangers = reading.ids.filter((id) => !ids.includes(id));
  const what =
    missing.length > 0
      ? `${JSON.stringify(missing[0])} is missing from every page`
      : `${JSON.stringify(strangers[0])} does not belong to the list`;
  const more = missing.length > 1 ? ` (and ${missing.length - 1} more)` : '';
  return anomaly(
    'delivery.lists.every-item-once',
    `${asked(reading)}, ${what}${more}`,
    ids,
    reading.ids,
    lastResponse(reading),
  );
}

/** The index of the first repeated id, if any. */
function repeated(reading: Reading): number | undefined {
  const at = reading.ids.findIndex((id, place) => reading.ids.indexOf(id) < place);
  return at < 0 ? undefined : at;
}

/** The number of the page, from 0, with the item at an index of the walk. */
function pageAt(reading: Reading, place: number): number {
  let before = 0;
  const page = reading.pages.findIndex(({ ids }) => {
    before += ids.length;
    return place < before;
  });
  return page < 0 ? reading.pages.length - 1 : page;
}

/** Ended well, with each item once. */
export function isWhole(reading: Reading, ids: readonly string[]): boolean {
  return reading.end === 'last-page' && reading.ids.length === ids.length && holdsAll(reading, ids);
}

function holdsAll(reading: Reading, ids: readonly string[]): boolean {
  const seen = new Set(reading.ids);
  return seen.size === ids.length && ids.every((id) => seen.has(id));
}

const isPrefix = (start: readonly string[], whole: readonly string[]): boolean =>
  start.length <= whole.length && isSameOrder(start, whole.slice(0, start.length));

const lastResponse = (reading: Reading): ServiceResponse | undefined => reading.pages.at(-1)?.response;

const linkOf = (response: ServiceResponse | undefined): unknown =>
  (response?.json as { next_page_uri?: unknown } | undefined)?.next_page_uri ?? null;

/** The request in words: `with page_size=2 and desc=1`. */
export function asked({ spec }: Reading): string {
  const asked = [
    ...(spec.pageSize === undefined ? [] : [`page_size=${spec.pageSize}`]),
    ...(spec.desc ? ['desc=1'] : []),
  ];
  return asked.length === 0 ? 'with the default page size' : `with ${asked.join(' and ')}`;
}

function anomaly(
  clause: ListClause,
  message: string,
  expected: unknown,
  actual: unknown,
  response: ServiceResponse | undefined,
): Anomaly {
  return { clause, message, expected, actual, response };
}
