/**
 * The simpler rules that combined ones rest on, each tried alone on methods of its own: when one of them is broken, the
 * combined rule is undecided. They are tried only after something went wrong, so that they cost nothing otherwise.
 */
import { MAX_PORTION_ITEMS } from '../../../contracts/lists/portions.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { MethodUnderTest } from '../../../harness/check/given.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { usedMethod } from '../steps/filled-methods.ts';
import { idsFrom, pointsAt, portion, replacePoints, upload, wholeList } from './calls.ts';
import { givenListed } from './points/content.ts';

/** A method of our own for points of several countries. */
export async function newMethod(context: Context, given = context.given): Promise<MethodUnderTest> {
  return given.newMethod(context.delivery, { available_countries_to: ['EE', 'LV'] });
}

/** Such a method that others may have used, for checks that begin with a whole list. */
export const usedBatchMethod = (context: Context): Promise<MethodUnderTest> =>
  usedMethod(context, { kind: 'store, two countries', make: newMethod });

/** A second whole list takes the place of the first. */
export async function replacesAll(context: Context): Promise<void> {
  const method = await newMethod(context);
  const clause = 'delivery.batch.replaces-all';
  for (const ids of [idsFrom('a', 4), idsFrom('b', 4)]) {
    await context.given.accepted(context.send(wholeList(method, pointsAt(context, ids)), 'given'), clause);
    await givenListed(context, method, { exactly: ids }, clause);
  }
}

/** An accepted empty list leaves no point. */
export async function emptiesAll(context: Context): Promise<void> {
  const method = await newMethod(context);
  await replacePoints(context, method, pointsAt(context, ['a', 'b']));
  if (!isServed(await context.send(wholeList(method, []), 'given'))) return;
  await givenListed(context, method, { exactly: [] }, 'delivery.batch.empty-list');
}

/** A call of the largest size is accepted. */
export async function takesLargest(context: Context): Promise<void> {
  const method = await newMethod(context);
  const call = wholeList(method, pointsAt(context, idsFrom('p', MAX_PORTION_ITEMS)));
  await context.given.accepted(context.send(call, 'given'), 'delivery.batch.takes-100');
}

/** A call of the largest size is stored whole. */
export async function storesLargest(context: Context): Promise<void> {
  const method = await newMethod(context);
  const ids = idsFrom('p', MAX_PORTION_ITEMS);
  await replacePoints(context, method, pointsAt(context, ids));
  await givenListed(context, method, { exactly: ids }, 'delivery.batch.takes-100');
}

/** Two portions are published together, in the place of the list before. */
export async function publishesPortions(context: Context): Promise<void> {
  const method = await newMethod(context);
  await replacePoints(context, method, pointsAt(context, ['old']));
  await upload(context, method, [pointsAt(context, ['a']), pointsAt(context, ['b'])]);
  await givenListed(context, method, { exactly: ['a', 'b'] }, 'delivery.batch.finalization-publishes');
}

/** A list for one country replaces the points of that country, and of no other. */
export async function replacesByCountry(context: Context): Promise<void> {
  const method = await newMethod(context);
  const [lv, ee] = [{ country: 'LV' }, { country: 'EE' }];
  await replacePoints(context, method, [...pointsAt(context, ['a'], lv), ...pointsAt(context, ['b'], ee)]);
  const call = wholeList(method, pointsAt(context, ['c'], lv), lv);
  await context.given.accepted(context.send(call, 'given'), 'delivery.batch.country-replaces');
  await givenListed(context, method, { all: ['c'], none: ['a'] }, 'delivery.batch.country-replaces');
  await givenListed(context, method, { all: ['b'] }, 'delivery.batch.country-keeps-others');
}

/** A whole list under three handles reaches each of them. */
export async function reachesEveryHandle(context: Context): Promise<void> {
  const methods = [await newMethod(context), await newMethod(context), await newMethod(context)];
  const all = { delivery: context.delivery, handle: methods.map(({ handle }) => handle) };
  const clause = 'delivery.batch.several-handles';
  await context.given.accepted(context.send(wholeList(all, pointsAt(context, ['a'])), 'given'), clause);
  for (const method of methods) await givenListed(context, method, { exactly: ['a'] }, clause);
}

/** A new first portion discards what an unfinished upload had brought. */
export async function discardsUnfinished(context: Context): Promise<void> {
  const method = await newMethod(context);
  const clause = 'delivery.batch.initialization-discards-unfinished';
  await context.given.accepted(context.send(portion(method, pointsAt(context, ['x']), 'first'), 'given'), clause);
  await context.given.accepted(context.send(wholeList(method, pointsAt(context, ['a'])), 'given'), clause);
  await givenListed(context, method, { none: ['x'] }, clause);
}
