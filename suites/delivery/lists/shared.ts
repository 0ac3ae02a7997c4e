/**
 * Readings that the rules of lists share: what several rules look at is read once. Where nothing is wrong in them a rule is kept;
 * else it is tried on a list of its own, which tells apart what is wrong.
 */
import type { Context } from '../../../harness/check/context.ts';
import { once } from '../../../harness/resources/once.ts';
import { unlessUndecided } from '../steps/cases.ts';
import { inTurn } from '../steps/create-method.ts';
import { anomaliesOf } from './judge.ts';
import { type FullReading, type ListSource, methodsOf, pointsOf, readWhole, type Spec } from './reading.ts';
import { methodOfPoints, mostPagesFor, readIfServed, TOLD_APART_METHODS } from './under-test.ts';

/** Names what the checks on lists of points share, and those on the list of methods. */
export const POINT_LISTS = 'lists of points';
export const METHOD_LISTS = 'the list of methods';

export interface SharedList {
  readonly name: string;
  readonly source: ListSource;
  /** What it holds, each once and nothing else. */
  readonly ids: readonly string[];
  /** The whole list in its usual order: without it nothing says which end a reading from the back has to begin at. */
  readonly inOrder?: FullReading;
}

/** Points of a method that no check changes. */
export const sharedPointList = (context: Context, count: number): Promise<SharedList | undefined> =>
  unlessUndecided(() =>
    once(context, `${POINT_LISTS}: ${count} points`, async () => {
      const { method, ids } = await methodOfPoints(context, context.givenForAll, count);
      return { name: `${POINT_LISTS}: ${count} points`, source: pointsOf(method.delivery, method.handle), ids };
    }),
  );

/** The methods of the store, of which `own` are made for it: what the list shows at first. Undefined where these are too few to judge. */
export const sharedMethodList = (context: Context, own: number): Promise<SharedList | undefined> =>
  unlessUndecided(() =>
    once(context, `${METHOD_LISTS}: ${own} own`, async () => {
      const made = await inTurn(Array(own).fill(context.delivery), (delivery) =>
        context.givenForAll.newMethod(delivery),
      );
      const source = methodsOf(context.delivery);
      const inOrder = await readWhole(context, source);
      const { ids } = inOrder;
      const isEnough = ids.length >= TOLD_APART_METHODS && made.every(({ handle }) => ids.includes(handle));
      return isEnough ? { name: `${METHOD_LISTS}: ${own} own`, source, ids, inOrder } : undefined;
    }),
  );

/**
 * Whether nothing at all is wrong with the list when it is read in these ways. Where a size is refused, the ways that are left
 * may show a single page, of which most rules hold whatever the service does: such a list decides nothing here.
 */
export async function isRight(
  context: Context,
  list: SharedList | undefined,
  specs: readonly Spec[],
): Promise<boolean> {
  if (list === undefined) return false;
  const readings = await unlessUndecided(() => inTurn(specs, (spec, at) => readingOf(context, list, specs, spec, at)));
  const served = readings?.filter((reading) => reading !== undefined) ?? [];
  if (served.length < specs.length) return false;
  const known = list.inOrder === undefined ? [] : [list.inOrder];
  return anomaliesOf([...known, ...served], list.ids).length === 0;
}

/** A way of reading that is asked for twice is read twice. */
function readingOf(
  context: Context,
  list: SharedList,
  specs: readonly Spec[],
  spec: Spec,
  at: number,
): Promise<FullReading | undefined> {
  const way = JSON.stringify(spec);
  const before = specs.slice(0, at).filter((one) => JSON.stringify(one) === way).length;
  return once(context, `${list.name}: ${way} ${before}`, () =>
    readIfServed(context, list.source, spec, mostPagesFor(list.ids.length)),
  );
}
