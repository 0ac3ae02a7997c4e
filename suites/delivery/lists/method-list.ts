/** The list of the store's methods, which other checks and people change at any time. */

import type { Context } from '../../../harness/check/context.ts';
import { Inconclusive } from '../../../harness/check/failures.ts';
import type { Given } from '../../../harness/check/given/index.ts';
import { canDoWithout } from '../../../harness/resources/methods/dispensable.ts';
import { unlessUndecided } from '../../../harness/resources/once.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { unlessFull } from '../steps/methods/unless-full.ts';
import type { Method } from '../steps/reading.ts';
import type { ListUnderTest } from './point-list.ts';
import {
  type FullReading,
  type ListSource,
  METHOD_LISTS,
  methodsOf,
  type Reading,
  readCompleteList,
  type Spec,
} from './reading/index.ts';
import { type Anomaly, anomaliesOf, asked, type ListClause } from './reading/judge.ts';
import {
  changesByItself,
  isAboutSizes,
  longEnough,
  maxPagesFor,
  missingItems,
  type Read,
  readIfServed,
  readingsOf,
  refusedSizes,
} from './reading/page-sizes.ts';

/** Attempts to read the methods while nothing else changes them. */
const MAX_ATTEMPTS = 12;
/** A concurrent change between two readings may look like a violation once, but hardly three times. */
const CONFIRMATIONS = 3;
/** Fewer methods do not fill a second page. */
const MIN_METHODS = 2;
/** With two methods, a lost item and a missing link look the same; if methods can be created, other checks distinguish them. */
export const MIN_DISTINGUISHABLE_METHODS = 3;
const ALIKE: readonly ListClause[] = ['delivery.lists.next-link', 'delivery.lists.every-item-once'];

/**
 * A method for a list whose pages are read. The second and the third one have the same title: a page that begins after a title leaves
 * out what shares it. The fourth one has none. A service may want a title, and one that no other method has.
 */
export async function methodOfList(context: Context, at: number, given: Given, fields: Json = {}): Promise<Method> {
  const { delivery } = context;
  const alike: Json = { title: given.text('Proofmark courier') };
  const changed = [undefined, alike, alike, { title: undefined }][at];
  const special = changed && (await unlessUndecided(() => given.newMethod(delivery, { ...fields, ...changed })));
  return special ?? (await given.newMethod(delivery, fields));
}

/**
 * The methods of the store, which other checks and people may add and delete at any time, see `livingAnomalies`.
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
  return { source, anomalies: (specs, asked) => livingAnomalies(context, source, made, specs, asked) };
}

/** States that a list has several pages of methods. */
async function isLongEnough(context: Context, source: ListSource): Promise<void> {
  const { ids } = await readCompleteList(context, source);
  const message = `the store takes no more methods, and has too few for several pages (${ids.length})`;
  context.given.granted(ids.length >= MIN_DISTINGUISHABLE_METHODS, 'delivery.method.create-stores', message);
}

/**
 * The anomalies of a list that others may change at any time: only items that were listed before and afterwards are judged, and an
 * anomaly counts only if it shows repeatedly.
 *
 * @param own handles of methods that the check has made, which the list must contain
 */
export async function livingAnomalies(
  context: Context,
  source: ListSource,
  own: readonly string[],
  specs: readonly Spec[],
  asked: ListClause,
): Promise<Anomaly[]> {
  const { given } = context;
  let confirmations = 0;
  let strays: readonly Stray[] | undefined;
  let isLengthened = false;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const before = await readCompleteList(context, source);
    const most = maxPagesFor(new Set(before.ids).size + SLACK_METHODS);
    const read = (spec: Spec) => readIfServed(context, source, spec, most);
    const readings = await readingsOf(specs, read);
    if (readings.length === 0) return refusedSizes(context, specs, asked);
    if (own.length > 0 && !isLengthened) {
      isLengthened = true;
      if (await lengthen(context, missingItems(specs, readings, isShared(context) ? own.length : 0))) continue;
    }
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
    enough(context, source, lasting.size);
    const judged = all.map((reading) => only(reading, lasting));
    const canDistinguish = lasting.size >= MIN_DISTINGUISHABLE_METHODS || !context.profile.allow.has('write');
    const found = anomaliesOf(judged, [...lasting]).filter(({ clause }) => canDistinguish || !ALIKE.includes(clause));
    strays = straysIn(readings, [before, after]).filter(({ id }) => strays?.some((stray) => stray.id === id) ?? true);
    if (found.length === 0 && strays.length === 0) return [];
    const disturbed = all.some(({ ids }) => ids.some((id) => !lasting.has(id)));
    if (!disturbed) confirmations += 1;
    if (confirmations === CONFIRMATIONS)
      return isAboutSizes(found) ? found : ((await changesByItself(lastingOnly(read, lasting), specs)) ?? found);
  }
  const [stray] = strays ?? [];
  if (stray !== undefined) return [stray.anomaly];
  const sentence = `the list of ${source.item}s was changed by other clients during each attempt to judge its pages`;
  throw new Inconclusive(`${sentence}: run again when no other client uses this store`, 'network');
}

/** As many as fill a second page of the largest of the usual sizes that a service may begin with. */
const MAX_MORE_METHODS = 20;

/** Whether later checks read the same list, without the methods of this check. */
const isShared = ({ delivery }: Context): boolean => delivery.owner === 'private';

/** Creates methods for a second page where small pages are refused. Returns whether it created any. */
async function lengthen(context: Context, count: number): Promise<boolean> {
  if (count === 0 || count > MAX_MORE_METHODS) return false;
  const given = isShared(context) ? context.givenForAll : context.given;
  for (let n = 0; n < count; n += 1) {
    const one = await unlessFull(context, () => given.newMethod(context.delivery));
    if (one === undefined) return n > 0;
    if (isShared(context)) canDoWithout(context.resources, one, METHOD_LISTS);
  }
  return true;
}

/** An item of a page that the whole list does not have. */
interface Stray {
  readonly id: string;
  readonly anomaly: Anomaly;
}

/**
 * The items of pages that the whole list had neither before nor afterwards. Each may be a method that another client added and deleted
 * meanwhile, but not if it is there again in every attempt.
 */
function straysIn(readings: readonly FullReading[], whole: readonly FullReading[]): Stray[] {
  const known = new Set(whole.flatMap(({ ids }) => ids));
  return readings.flatMap((reading) =>
    reading.pages.flatMap(({ ids, response }, at) =>
      ids
        .filter((id) => !known.has(id))
        .map((id) => {
          const message = `${asked(reading)}, page ${at + 1} shows "${id}", which the complete list does not`;
          const expected = [...known];
          return { id, anomaly: { clause: EVERY_ITEM_ONCE, message, expected, actual: ids, response } };
        }),
    ),
  );
}

const EVERY_ITEM_ONCE: ListClause = 'delivery.lists.every-item-once';

/** Methods that others may add while the list is read. */
const SLACK_METHODS = 50;

/** Where the run may write, checks on methods and points of their own prove what a short list can't. */
function enough({ profile }: Context, { item }: ListSource, count: number): void {
  if (count >= MIN_METHODS || profile.allow.has('write')) return;
  const sentence = `the store has ${count} ${item}s, and pages can't be judged with fewer than ${MIN_METHODS}`;
  throw new Inconclusive(`${sentence}: add some, or let the run do it ("write" in "allow")`, 'configuration');
}

/** The reading without items that were added or deleted in the meantime. */
function only(reading: FullReading, lasting: ReadonlySet<string>): Reading {
  const pages = reading.pages.map(({ ids, response }) => ({
    response,
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
