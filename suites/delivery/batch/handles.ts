/** Batch calls under several handles. */
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { MethodUnderTest } from '../../../harness/check/given/index.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { changedFields, POINT_FIELDS } from '../steps/fields.ts';
import { OWN_METHODS } from '../steps/options.ts';
import { type MethodsOfBatch, pointsAt, portion, replacePoints, wholeList } from './calls.ts';
import { usedBatchMethod } from './new-method.ts';
import {
  byId,
  expectAccepted,
  expectAcceptedInParts,
  expectAcceptedLike,
  expectListed,
  givenListed,
  givenUnlisted,
} from './points/content.ts';

const everyHandle = check(
  'delivery.batch.several-handles',
  'MUST replace the points of every method that a batch call names',
  { clauses: ['delivery.batch.several-handles'], ...OWN_METHODS },
  async (context) => {
    const { methods, all } = await severalMethods(context);
    const call = wholeList(all, pointsAt(context, ['a', 'b']));
    await expectAccepted(context, call, 'a batch call under several handles');
    const listed: Map<string, Json>[] = [];
    for (const [at, method] of methods.entries()) {
      const rule = `method ${at + 1} of ${methods.length} in the path must hold the points of the call`;
      listed.push(byId(await expectListed(context, method, { exactly: ['a', 'b'] }, rule)));
    }
    const [first, ...others] = listed;
    for (const [at, other] of others.entries()) {
      for (const id of ['a', 'b']) {
        const differing = changedFields(context, POINT_FIELDS, first!.get(id)!, other.get(id)!);
        context.expect.equal(
          differing,
          [],
          `method ${at + 2} of ${methods.length} in the path must hold ${id} as the first does`,
        );
      }
    }
    // An empty list may be refused; one that is taken empties every method, and not the first alone.
    if (!isServed(await context.send(wholeList(all, [])))) return;
    await givenListed(context, methods[0]!, { exactly: [] }, 'delivery.batch.empty-list');
    const rule = 'an empty list under several handles must leave no point in any of them';
    await expectListed(context, methods[1]!, { exactly: [] }, rule);
  },
);

const listsApart = check(
  'delivery.batch.several-handles-kept-separate',
  'MUST keep a list that was uploaded to several methods separate in each',
  { clauses: ['delivery.batch.other-methods-untouched'], ...OWN_METHODS },
  async (context) => {
    const { methods, all } = await severalMethods(context);
    await replacePoints(context, all, pointsAt(context, ['a', 'b']));
    for (const method of context.explains ? methods : []) {
      await givenListed(context, method, { exactly: ['a', 'b'] }, 'delivery.batch.several-handles');
    }
    const [first, ...others] = methods;
    await replacePoints(context, first!, pointsAt(context, ['c']));
    for (const method of others) {
      const rule = 'a list that was sent to several methods must stay in those that the next call does not name';
      await expectListed(context, method, { exactly: ['a', 'b'] }, rule);
    }
  },
);

const everyHandleInPortions = check(
  'delivery.batch.several-handles-in-portions',
  'MUST publish an upload in portions in every method that it names',
  { clauses: ['delivery.batch.several-handles-in-portions'], ...OWN_METHODS },
  async (context) => {
    const { methods, all } = await severalMethods(context);
    for (const [id, place] of [
      ['a', 'first'],
      ['b', 'middle'],
      ['c', 'last'],
    ] as const) {
      const points = pointsAt(context, [id]);
      // Once the first one is taken for all of them, each of them waits for the next. A list that is read may end an upload: then the
      // one whose list was read takes no last portion alone either.
      const [words, one] = place === 'last' ? ['second', methods[1]!] : ['first', methods[0]!];
      const alone = [`under the ${words} handle alone`, portion(one, points, place)] as const;
      const rule = `the ${place} portion under several handles`;
      const call = portion(all, points, place);
      // One that has room for one upload at a time has a reason against portions and several handles at once.
      if (place === 'first')
        await expectAcceptedInParts(context, call, [portion(one, points, place), wholeList(all, points)], rule);
      else await expectAcceptedLike(context, call, [alone], rule);
      if (place === 'middle') await givenUnlisted(context, methods[1]!, 'a');
    }
    for (const [at, method] of methods.entries()) {
      const rule = `method ${at + 1} of ${methods.length} in the path must list all portions`;
      await expectListed(context, method, { exactly: ['a', 'b', 'c'] }, rule);
    }
  },
);

/**
 * Three methods, so that neither "the first" nor "the first and the last" looks like all of them. How many a call may name is not
 * stated: two methods after a refusal.
 */
async function severalMethods(context: Context): Promise<{ methods: MethodUnderTest[]; all: MethodsOfBatch }> {
  const methods: MethodUnderTest[] = [];
  for (const id of context.sendsMinimum ? ['old-1', 'old-2'] : ['old-1', 'old-2', 'old-3']) {
    const method = await usedBatchMethod(context);
    await replacePoints(context, method, pointsAt(context, [id]));
    methods.push(method);
  }
  return { methods, all: { delivery: context.delivery, handle: methods.map(({ handle }) => handle) } };
}

export const checks: readonly Check[] = [everyHandle, everyHandleInPortions, listsApart];
