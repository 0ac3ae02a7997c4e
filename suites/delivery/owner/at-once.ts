/**
 * Two owners who call at the same time: a program that keeps the caller, or the method of a call, in one place for all of its requests
 * mixes them up then, and only then (spec: Endpoints, A. Delivery endpoints).
 */
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { Inconclusive } from '../../../harness/check/failures.ts';
import { atOnce, eachAtOnce } from '../../../harness/process/at-once.ts';
import { unlessUndecided } from '../../../harness/resources/once.ts';
import { methodWith, OF_STORE } from '../steps/methods/filled-methods.ts';
import { TWO_OWNERS } from '../steps/options.ts';
import { intrudersOf, newMethodOf, newMethodOfOther, OF_OTHER, plainPoint } from '../steps/owners/index.ts';
import { idsOf, listedByHandle, listPoints, type Method } from '../steps/reading.ts';
import { pointAt } from '../steps/values.ts';

const NOT_LISTED = 'delivery.owner.methods-not-listed';
const POINTS = 'delivery.owner.points-not-readable';

/** Asserts that each of two new methods came to its own owner, and to no other. */
async function expectEachInItsList(context: Context, methods: readonly Method[]): Promise<void> {
  const { expect, given } = context;
  const handles = methods.map(({ handle }) => handle);
  // Of methods with one handle a list does not show whose they are; that a store's handles differ has a check of its own.
  if (new Set(handles).size < handles.length)
    throw new Inconclusive(
      "methods that two owners have created have one handle, which can't be told apart",
      'contract',
    );
  const lists = await eachAtOnce(methods, ({ delivery }) => listedByHandle(context, delivery, handles));
  for (const [at, { handle }] of methods.entries()) {
    const foreign = handles.filter((other) => other !== handle && lists[at]!.has(other));
    const message = 'a method must not come to the owner who creates another one at the same time';
    expect.equal(foreign, [], message, { clauses: [NOT_LISTED], pointer: '/delivery_methods' });
  }
  for (const [at, { handle }] of methods.entries()) {
    const message = 'a method that was created together with that of another owner is in no list';
    given.holds(lists[at]!.has(handle), 'delivery.method.create-stores', message);
  }
}

/** A method with a plain text as its title, which another owner could have as well, where the service takes one. */
const newMethodOfStore = async (context: Context): Promise<Method> =>
  (await unlessUndecided(() => newMethodOf(context, context.delivery))) ?? context.given.newMethod(context.delivery);

/** A method of each owner with a point; undefined where one refuses it. */
const twoWithPoints = (context: Context): Promise<readonly Method[] | undefined> =>
  unlessUndecided(async () => [
    await methodWith(context, [pointAt(context, 'of-store')], OF_STORE),
    { ...(await methodWith(context, [plainPoint('of-other')], OF_OTHER)), delivery: context.otherDelivery },
  ]);

export const checks: readonly Check[] = [
  check(
    'delivery.owner.calls-at-once',
    'MUST carry out the calls of two owners at the same time, each for its owner',
    { ...TWO_OWNERS, clauses: [NOT_LISTED, POINTS] },
    async (context) => {
      const { expect } = context;
      await intrudersOf(context);
      const [own, foreign] = await atOnce([() => newMethodOfStore(context), () => newMethodOfOther(context)]);
      await expectEachInItsList(context, [own, foreign]);

      const methods = await twoWithPoints(context);
      if (methods === undefined) return;
      const idsAlone: string[][] = [];
      for (const method of methods) idsAlone.push(idsOf(await listPoints(context, method)));
      const idsTogether = (await eachAtOnce(methods, (method) => listPoints(context, method))).map(idsOf);
      for (const [at, ids] of idsTogether.entries()) {
        const message = 'a list of points must be that of its own method while another owner reads one';
        expect.equal(ids, idsAlone[at], message, { clauses: [POINTS], pointer: '/pickup_points' });
      }
    },
  ),
];
