/** Ids of points that are equal when compared without letter case, or as numbers. */
import type { Context } from '../../../../harness/check/context.ts';
import { once } from '../../../../harness/resources/once.ts';
import { inTurn } from '../create-method.ts';
import { methodWith } from '../filled-methods.ts';
import { idsOf, listPoints, showsPoint } from '../reading.ts';
import { pointAt } from '../values.ts';

/** Two spellings. */
export type Pair = readonly [string, string];

/**
 * Those of the pairs that are two points to this service, tried in a method of their own. To a database that compares texts
 * without case the two are one id: it may refuse the second or put it in place of the first, and neither is judged.
 */
export async function pairsApart<const P extends Pair>(context: Context, pairs: readonly P[]): Promise<P[]> {
  const { delivery, given, send } = context;
  const method = await methodWith(context, []);
  for (const id of pairs.flat()) await send(delivery.addPoint(method.handle, pointAt(context, id)), 'add');
  const listed = idsOf(await listPoints(context, method));
  const isListed = (pair: P): boolean => pair.every((id) => listed.includes(id));
  for (const pair of pairs.filter((one) => !isListed(one))) {
    const read = await inTurn(pair, async (id) =>
      showsPoint(await send(delivery.readPoint(method.handle, id), 'read'), id),
    );
    const message = `${pair.join(' and ')} are read as two points, and the list does not hold both`;
    given.holds(!read.every(Boolean), 'delivery.point.list-contains', message);
  }
  return pairs.filter(isListed);
}

const CASES: Pair = ['a1', 'A1'];
const NUMBERS: Pair = ['007', '7'];

/** Whether ids are compared so is the same in every method: it is tried once. */
const pairsHere = (context: Context): Promise<Pair[]> =>
  once(context, 'ids that are nearly the same', () => pairsApart(context, [CASES, NUMBERS]));

/** Ids to put beside `a1`, `7` last: as many as are points of their own here. */
export async function idsBesideA1(context: Context): Promise<string[]> {
  return (await pairsHere(context)).flat().filter((id) => id !== 'a1');
}

/** Two ids that differ by the case of their letters alone, where these are two points here. */
export const pairOfCases = async (context: Context): Promise<Pair | undefined> =>
  (await pairsHere(context)).find((pair) => pair === CASES);
