/**
 * Readings that the rules of lists share, so that each is requested once. If they have no anomaly, a rule passes;
 * otherwise it is tested on its own list, which shows which rule is broken.
 */
import type { Context } from '../../../../harness/check/context.ts';
import { eachAtOnce } from '../../../../harness/process/at-once.ts';
import { canDoWithout } from '../../../../harness/resources/methods/dispensable.ts';
import { madeRoom } from '../../../../harness/resources/methods/idle-methods.ts';
import { once, unlessUndecided } from '../../../../harness/resources/once.ts';
import type { Resources } from '../../../../harness/resources/resources.ts';
import type { Json } from '../../../../harness/target/interfaces/delivery.ts';
import { textsOf } from '../../steps/fields.ts';
import { inTurn } from '../../steps/methods/create-method.ts';
import { unlessFull } from '../../steps/methods/unless-full.ts';
import type { Method } from '../../steps/reading.ts';
import { methodValues } from '../../steps/values.ts';
import { MIN_DISTINGUISHABLE_METHODS, methodOfList } from '../method-list.ts';
import { FEW_POINTS, fillWithPoints } from '../point-list.ts';
import { noteForEnd } from './early.ts';
import {
  type FullReading,
  type ListSource,
  METHOD_LISTS,
  methodsOf,
  POINT_LISTS,
  pointsOf,
  readCompleteList,
  type Spec,
} from './index.ts';
import { anomaliesOf } from './judge.ts';
import { maxPagesFor, readIfServed } from './page-sizes.ts';

export interface SharedList {
  readonly name: string;
  readonly source: ListSource;
  /** Its exact content, each id once. */
  readonly ids: readonly string[];
  /** The whole list in its usual order, which defines where a reading with desc has to begin. */
  readonly inOrder?: FullReading;
  /** Methods that the run created for it. */
  readonly own?: readonly Method[];
}

/** Points of a method that no check changes. */
export const sharedPointList = (context: Context, count: number): Promise<SharedList | undefined> =>
  unlessUndecided(() => once(context, `${POINT_LISTS}: ${count} points`, () => makePointList(context, count)));

async function makePointList(context: Context, count: number): Promise<SharedList> {
  const method = await methodOfPoints(context);
  try {
    const ids = await fillWithPoints(context, method, count);
    // A longer one would cost a request for each of its pages, twice.
    if (count === FEW_POINTS) await noteForEnd(context, method);
    return { name: `${POINT_LISTS}: ${count} points`, source: pointsOf(method.delivery, method.handle), ids };
  } finally {
    // Also where the service refuses so many points: the method would take the place of others.
    canDoWithout(context.resources, method, POINT_LISTS);
  }
}

/** With values in all fields, if the service accepts ours, except destinations: points may have to be in one of them. */
async function methodOfPoints(context: Context): Promise<Method> {
  const { delivery, givenForAll } = context;
  const { available_countries_to: _, title, ...fields } = methodValues(context, 'first');
  const words = Object.values(textsOf(context, title)).join();
  const values = { ...fields, title: givenForAll.text(words) };
  return (await unlessUndecided(() => givenForAll.newMethod(delivery, values))) ?? givenForAll.newMethod(delivery);
}

async function newMethod(context: Context, at: number, fields: Json = {}): Promise<Method> {
  const method = await methodOfList(context, at, context.givenForAll, fields);
  canDoWithout(context.resources, method, METHOD_LISTS);
  return method;
}

/** Methods of a shared list that a check has changed or deleted since its shared readings. */
const changed = new WeakSet<Method>();

/** Says that shared readings no longer show these methods as they are. Call it before the change is sent: its response may be lost. */
export function leaveUnshared(...methods: readonly Method[]): void {
  for (const method of methods) changed.add(method);
}

/** The methods of the run that the list still shows as its shared readings do, in any order of the checks. */
export const unchangedOf = ({ resources }: Context, list: SharedList): Method[] =>
  (list.own ?? []).filter((method) => !changed.has(method) && !madeRoom(resources, method));

/** For this process, by variation of a run: how many methods were created for the longest list that was shown. */
const longestLists = new WeakMap<Resources, Map<string | undefined, number>>();

/**
 * The methods of the store, `own` of which the check creates, as the list first shows them. Undefined if they are too few to judge.
 * A list with more of them that another check has read shows the same rules, and serves this one as well.
 */
export const sharedMethodList = (context: Context, own: number): Promise<SharedList | undefined> => {
  const made = longestLists.get(context.resources) ?? new Map<string | undefined, number>();
  longestLists.set(context.resources, made);
  const most = Math.max(own, made.get(context.variation) ?? 0);
  return unlessUndecided(async () => {
    const list = await once(context, `${METHOD_LISTS}: ${most} own`, () => makeMethodList(context, most));
    if (list !== undefined) made.set(context.variation, most);
    return list;
  });
};

async function makeMethodList(context: Context, own: number): Promise<SharedList | undefined> {
  // One of them with values in all fields, if the service accepts ours.
  const tried = await inTurn(Array<undefined>(own).fill(undefined), (_, at) =>
    unlessFull(
      context,
      async () =>
        (at === 0 ? await unlessUndecided(() => newMethod(context, at, methodValues(context, 'first'))) : undefined) ??
        newMethod(context, at),
    ),
  );
  const made = tried.filter((one) => one !== undefined);
  const source = methodsOf(context.delivery);
  const inOrder = await readCompleteList(context, source);
  const { ids } = inOrder;
  const isEnough = ids.length >= MIN_DISTINGUISHABLE_METHODS && made.every(({ handle }) => ids.includes(handle));
  return isEnough ? { name: `${METHOD_LISTS}: ${own} own`, source, ids, inOrder, own: made } : undefined;
}

/**
 * Whether the list has no anomaly when it is read in these ways. If a size is refused, the remaining ways
 * may show a single page, on which most rules hold trivially: such a list decides nothing here. `others`: the ways
 * of all rules, of which a longer one begins with the pages of a shorter one.
 */
export async function isListCorrect(
  context: Context,
  list: SharedList | undefined,
  specs: readonly Spec[],
  others: readonly Spec[],
): Promise<boolean> {
  if (list === undefined) return false;
  const readings = await unlessUndecided(() =>
    eachAtOnce(specs, async (spec, at) => {
      const whole = await readingOf(context, list, specs.slice(0, at), longest(spec, others));
      return whole === undefined ? undefined : beginningOf(whole, spec);
    }),
  );
  const served = readings?.filter((reading) => reading !== undefined) ?? [];
  if (served.length < specs.length) return false;
  const known = list.inOrder === undefined ? [] : [list.inOrder];
  return anomaliesOf([...known, ...served], list.ids).length === 0;
}

const pagesOf = ({ stopAfter = Number.POSITIVE_INFINITY }: Spec): number => stopAfter;

/** The longest of the ways that request the same pages. */
function longest(spec: Spec, others: readonly Spec[]): Spec {
  const isSame = (other: Spec): boolean => other.pageSize === spec.pageSize && other.desc === spec.desc;
  return others.filter(isSame).reduce((most, other) => (pagesOf(other) > pagesOf(most) ? other : most), spec);
}

/** The beginning of the reading, as a shorter way would show it. */
function beginningOf(reading: FullReading, spec: Spec): FullReading {
  if (reading.pages.length <= pagesOf(spec)) return reading;
  const pages = reading.pages.slice(0, spec.stopAfter);
  const ids = pages.flatMap((page) => page.ids);
  return { ...reading, spec, pages, ids, items: reading.items.slice(0, ids.length), end: 'stopped' };
}

/** A reading that checks share; `asked`: the ways before it. A way that is listed twice is read twice. */
export function readingOf(
  context: Context,
  list: SharedList,
  asked: readonly Spec[],
  spec: Spec,
): Promise<FullReading | undefined> {
  const way = JSON.stringify(spec);
  const before = asked.filter((one) => JSON.stringify(one) === way).length;
  return once(context, `${list.name}: ${way} ${before}`, () =>
    readIfServed(context, list.source, spec, maxPagesFor(list.ids.length)),
  );
}
