/** Ids of points that are equal when compared without letter case, without accents, in composed letters, or as numbers. */
import type { Context } from '../../../../harness/check/context.ts';
import { once } from '../../../../harness/resources/once.ts';
import { inTurn } from '../methods/create-method.ts';
import { methodWith } from '../methods/filled-methods.ts';
import { unlessFull } from '../methods/unless-full.ts';
import { idsOf, listPoints, showsPoint } from '../reading.ts';
import { pointAt } from '../values.ts';

const CREATE_STORES = 'delivery.point.create-stores';

/** Two similar ids. */
export type Pair = readonly [string, string];

/**
 * The pairs that are two different points for this service, tested in a separate method. For a database that compares texts
 * case-insensitively the two are the same id: it may refuse the second or replace the first, and neither is judged.
 */
export async function distinctPairs<const P extends Pair>(context: Context, pairs: readonly P[]): Promise<P[]> {
  const { delivery, given, send } = context;
  const method = await methodWith(context, []);
  // A refusal of this one is not for its id: the check runs again with other values.
  await given.accepted(send(delivery.addPoint(method.handle, pointAt(context, 'plain')), 'add'), CREATE_STORES);
  for (const id of new Set(pairs.flat())) await send(delivery.addPoint(method.handle, pointAt(context, id)), 'add');
  const listed = idsOf(await listPoints(context, method));
  const isListed = (pair: P): boolean => pair.every((id) => listed.includes(id));
  for (const pair of pairs.filter((one) => !isListed(one))) {
    const read = await inTurn(pair, async (id) =>
      showsPoint(await send(delivery.readPoint(method.handle, id), 'read'), id),
    );
    const message = `${pair.join(' and ')} are read as two points, but the list does not contain both`;
    given.holds(!read.every(Boolean), 'delivery.point.list-contains', message);
  }
  // In a row, without a write in between: a response may be kept for paths that are nearly the same.
  const distinct = [...new Set(pairs.filter(isListed).flat())];
  for (const id of distinct) {
    const response = await send(delivery.readPoint(method.handle, id), 'read');
    const other = distinct.find((one) => one !== id && showsPoint(response, one));
    const message = `reading ${id} shows ${other}, whose path is nearly the same`;
    given.holds(other === undefined, 'delivery.point.read-by-id', message, { expected: id, actual: other, response });
  }
  // The check may need the place of the only method that an owner can have.
  if (!context.mayShare) given.doneWith(method);
  return pairs.filter(isListed);
}

const CASES: Pair = ['a1', 'A1'];
const ACCENTS: Pair = ['a1', 'á1'];
/** The same letter as one character and as two. */
const FORMS: Pair = ['á1', 'a\u03011'];
const NUMBERS: Pair = ['007', '7'];
/** To a store of trees, whose keys are paths, the second one is a part of the first. */
const PARTS: readonly Pair[] = [
  ['a1', 'a1/2'],
  ['a1', 'a1.2'],
];

/**
 * Ids are compared the same way in every method, so this is tested once. None are used where the service takes no method for this
 * beside those of the check.
 */
const pairsHere = async (context: Context): Promise<Pair[]> => {
  const test = () => distinctPairs(context, [CASES, ACCENTS, FORMS, NUMBERS, ...PARTS]);
  return (await unlessFull(context, () => once(context, 'ids that are nearly the same', test))) ?? [];
};

/** Ids similar to `a1`, and `7` at the end: as many as are different points here. */
export async function idsBesideA1(context: Context): Promise<string[]> {
  return [...new Set((await pairsHere(context)).filter((pair) => !PARTS.includes(pair)).flat())].filter(
    (id) => id !== 'a1',
  );
}

/** Ids that begin with `a1` and a sign of paths: as many as are points of their own here. */
export const partsOfA1 = async (context: Context): Promise<string[]> =>
  (await pairsHere(context)).filter((pair) => PARTS.includes(pair)).map(([, part]) => part);

/** How two ids may differ that are nearly the same. */
export type Likeness = 'cases' | 'accents' | 'forms';

const PAIRS: Readonly<Record<Likeness, Pair>> = { cases: CASES, accents: ACCENTS, forms: FORMS };

/** Whether ids that differ only in this are different points here. */
export const distinguishes = async (context: Context, likeness: Likeness): Promise<boolean> =>
  (await pairsHere(context)).includes(PAIRS[likeness]);
