/** Omitted flags of a batch call are true. Each is omitted alone, then both. */
import { type Check, check } from '../../../../harness/check/check.ts';
import type { Context } from '../../../../harness/check/context.ts';
import type { Json } from '../../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../../harness/target/response/judge-response.ts';
import type { FullReading } from '../../lists/reading/index.ts';
import { OWN_METHODS } from '../../steps/options.ts';
import type { Method } from '../../steps/reading.ts';
import { pointsAt, portion, replacePoints } from '../calls.ts';
import { usedBatchMethod } from '../new-method.ts';
import { expectListed, expectServed } from './content.ts';

const INITIAL = 'delivery.batch.initialization-default-true';
const FINAL = 'delivery.batch.finalization-default-true';

const initialization = check(
  'delivery.batch.without-initialization-flag',
  'MUST start a new list when is_initialization is omitted',
  { clauses: [INITIAL], ...OWN_METHODS },
  async (context) => {
    const method = await usedBatchMethod(context);
    const rule = 'without is_initialization a new list must be started';
    // Only an open upload distinguishes "starts a new list" from "continues one": first with the first of several portions.
    await openUpload(context, method, ['forgotten']);
    await sendWhileOpen(context, method, ['c'], { is_finalization: false }, rule);
    await send(context, method, ['d'], { is_initialization: false, is_finalization: true }, rule);
    await expectListed(context, method, { all: ['c', 'd'], none: ['forgotten'] }, rule);
    // Next to a call with false, which must not be the default of the next one.
    await send(context, method, ['a'], { is_finalization: true }, rule);
    await expectListed(context, method, { all: ['a'], none: ['c', 'd'] }, rule);
    await openUpload(context, method, ['unfinished']);
    await sendWhileOpen(context, method, ['b'], { is_finalization: true }, rule);
    await expectListed(context, method, { all: ['b'], none: ['unfinished'] }, rule);
  },
);

const finalization = check(
  'delivery.batch.without-finalization-flag',
  'MUST publish the list when is_finalization is omitted',
  { clauses: [FINAL], ...OWN_METHODS },
  async (context) => {
    const method = await usedBatchMethod(context);
    const rule = 'without is_finalization the list must be published';
    // First with both flags: a service that refuses these points in any case breaks no rule.
    await openUpload(context, method, ['b']);
    await send(context, method, ['c'], { is_initialization: false }, rule);
    await expectListed(context, method, { exactly: ['b', 'c'] }, rule);
    await send(context, method, ['a'], { is_initialization: true }, rule);
    await expectListed(context, method, { exactly: ['a'] }, rule);
  },
);

const neither = check(
  'delivery.batch.without-flags',
  'MUST treat a batch call without flags as the whole list',
  { clauses: [INITIAL, FINAL], ...OWN_METHODS },
  async (context) => {
    const method = await usedBatchMethod(context);
    await replacePoints(context, method, pointsAt(context, ['old']));
    const rule = 'without flags the call must be the whole list';
    await send(context, method, ['a'], {}, rule);
    // A list that continued an older one has its points as well; one that was not published has none of its own.
    const broken = ({ ids }: FullReading) => [ids.includes('a') ? INITIAL : FINAL];
    await expectListed(context, method, { exactly: ['a'] }, rule, broken);
    // A service may refuse an empty list.
    if (!isServed(await context.send(method.delivery.batchReplace(method.handle, { pickup_points: [] })))) return;
    // Nothing distinguishes a list that was not begun from one that was not published.
    const emptied = 'an empty list without flags must leave no point';
    await expectListed(context, method, { exactly: [] }, emptied, () => [INITIAL, FINAL]);
  },
);

/** Sends the start of a list while another one is open. The contract does not say that this is possible: with the flag it has to be, too. */
async function sendWhileOpen(
  context: Context,
  { delivery, handle }: Method,
  ids: readonly string[],
  flags: Json,
  rule: string,
): Promise<void> {
  const body = { pickup_points: pointsAt(context, ids), ...flags };
  const response = await context.send(delivery.batchReplace(handle, body));
  if (!isServed(response)) {
    const named = delivery.batchReplace(handle, { ...body, is_initialization: true });
    await context.given.accepted(context.send(named, 'given'), 'delivery.batch.replaces-all');
  }
  context.expect.served(response, rule);
}

async function send(
  context: Context,
  { delivery, handle }: Method,
  ids: readonly string[],
  flags: Json,
  rule: string,
): Promise<void> {
  const call = delivery.batchReplace(handle, { pickup_points: pointsAt(context, ids), ...flags });
  await expectServed(context, call, rule);
}

async function openUpload(context: Context, method: Method, ids: readonly string[]): Promise<void> {
  const call = portion(method, pointsAt(context, ids), 'first');
  await context.given.accepted(context.send(call, 'given'), 'delivery.batch.finalization-publishes');
}

export const checks: readonly Check[] = [initialization, finalization, neither];
