/** Batch calls under several handles. */
import { type Check, check } from '../../../harness/check.ts';
import type { Context } from '../../../harness/context.ts';
import type { MethodUnderTest } from '../../../harness/given.ts';
import { OWN_METHODS } from '../kit/options.ts';
import { pointsAt, portion, replacePoints, type Shelf, wholeList } from './calls.ts';
import { expectAccepted, expectListed } from './content.ts';
import { newShelf, publishesPortions, reachesEveryHandle, replacesAll } from './suspects.ts';

const everyHandle = check(
  'delivery.batch.every-handle',
  'MUST replace the points of every method that a batch call names',
  { clauses: ['delivery.batch.several-handles'], ...OWN_METHODS },
  async (context) => {
    const { methods, all } = await threeShelves(context);
    const call = wholeList(all, pointsAt(context, ['a', 'b']));
    await expectAccepted(context, call, 'a batch call under three handles', [replacesAll]);
    for (const [at, method] of methods.entries()) {
      const rule = `the method named at place ${at + 1} of 3 holds the points of the call`;
      await expectListed(context, method, { exactly: ['a', 'b'] }, rule, [replacesAll]);
    }
  },
);

const everyHandleInPortions = check(
  'delivery.batch.every-handle-in-portions',
  'MUST publish an upload in portions for every method that it names',
  { clauses: ['delivery.batch.several-handles-in-portions'], ...OWN_METHODS },
  async (context) => {
    const { methods, all } = await threeShelves(context);
    const suspects = [replacesAll, publishesPortions, reachesEveryHandle];
    for (const [id, place] of [
      ['a', 'first'],
      ['b', 'middle'],
      ['c', 'last'],
    ] as const) {
      const call = portion(all, pointsAt(context, [id]), place);
      await expectAccepted(context, call, `the ${place} portion under three handles`, suspects);
    }
    for (const [at, method] of methods.entries()) {
      const rule = `the method named at place ${at + 1} of 3 lists all portions`;
      await expectListed(context, method, { exactly: ['a', 'b', 'c'] }, rule, suspects);
    }
  },
);

/** Three methods, so that neither "the first" nor "the first and the last" passes for every one. */
async function threeShelves(context: Context): Promise<{ methods: MethodUnderTest[]; all: Shelf }> {
  const methods: MethodUnderTest[] = [];
  for (const id of ['old-1', 'old-2', 'old-3']) {
    const method = await newShelf(context);
    await replacePoints(context, method, pointsAt(context, [id]));
    methods.push(method);
  }
  return { methods, all: { delivery: context.delivery, handle: methods.map(({ handle }) => handle) } };
}

export const checks: readonly Check[] = [everyHandle, everyHandleInPortions];
