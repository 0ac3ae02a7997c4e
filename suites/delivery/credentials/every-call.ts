/** Each operation of Delivery requires the key, and a refused one does nothing (spec: Authentication, A). */
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { type Probe, type RefusalProof, summary } from '../../../harness/check/expect.ts';
import { handleIn, type MethodUnderTest } from '../../../harness/check/given/index.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import { deletePoints } from '../../../harness/target/delete-points.ts';
import { Delivery, type Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { changedFields, METHOD_FIELDS, POINT_FIELDS } from '../steps/fields.ts';
import { laterPageOfMore } from '../steps/later-page.ts';
import { methodWith } from '../steps/methods/filled-methods.ts';
import { unlessFull } from '../steps/methods/unless-full.ts';
import { OWN_METHODS } from '../steps/options.ts';
import { decisiveKeys, keysOfApps, nearMissKey, WITHOUT_KEY } from '../steps/owners/keys.ts';
import {
  addPoints,
  idsOf,
  listMethods,
  listPoints,
  readMethod,
  readPoint,
  showsMethod,
  showsPoint,
} from '../steps/reading.ts';
import { changeOfMethod, changeOfPoint, pointAt, tryChangesOfMethod, tryChangesOfPoint } from '../steps/values.ts';

/**
 * The keys with which each operation is tested. An operation that accepts an unknown key also accepts a near miss, and how an empty key
 * is compared does not depend on the operation: only the list of methods is tested with all of them.
 */
const probesFor = (context: Context, { key }: Delivery): Probe[] => [
  WITHOUT_KEY[0]!,
  ...keysOfApps(context, key),
  ...decisiveKeys(context, key),
];

/** A call for one method, or for several. */
type CallOf = (handles: string | readonly string[]) => ServiceRequest;

/** Asserts that an operation is refused with each of these keys. */
const refusesEach = (context: Context, owner: Delivery, call: ServiceRequest, proof: Omit<RefusalProof, 'change'>) =>
  context.expect.refusesEach(call, probesFor(context, owner), proof);

/**
 * Asserts that a later page of a list asks for the key as well, where the list has one that is served with it: its link may lead to
 * other code. What else may be wrong with pages has checks of its own.
 */
async function refusesLaterPage(
  context: Context,
  delivery: Delivery,
  handle: string,
  points: readonly Json[],
): Promise<void> {
  const { expect, send } = context;
  const later = await laterPageOfMore(context, delivery, handle, points);
  if (later === undefined) return;
  for (const { change, mutate } of [WITHOUT_KEY[0]!, nearMissKey(context, delivery.key)]) {
    const response = await send(mutate(later(delivery)), 'probe');
    expect.that(!isServed(response), `must refuse the second page of a list with ${change}`, {
      expected: 'a refusal',
      actual: summary(response),
      response,
    });
  }
}

/** Asserts the same of lists in reverse order, which may come another way than those in the service's own order. */
async function refusesReversedLists(context: Context, delivery: Delivery, handle: string): Promise<void> {
  const { expect, send } = context;
  for (const call of [delivery.listPoints(handle, { desc: true }), delivery.listMethods({ desc: true })])
    for (const { change, mutate } of [WITHOUT_KEY[0]!, nearMissKey(context, delivery.key)]) {
      const response = await send(mutate(call), 'probe');
      expect.that(!isServed(response), `must refuse a list in reverse order with ${change}`, {
        expected: 'a refusal',
        actual: summary(response),
        response,
      });
    }
}

/** Asserts that a write is refused with each key and has no effect, then sends it with the right key, and returns the response to that. */
async function refusesWrite(
  context: Context,
  call: ServiceRequest,
  clause: string,
  unchanged: () => Promise<[isUnchanged: boolean, seen: unknown]>,
): Promise<ServiceResponse> {
  const meanwhile = async () => {
    const [isUnchanged, seen] = await unchanged();
    context.expect.that(isUnchanged, `a refused ${call.method} must have changed nothing`, {
      expected: 'everything as it was',
      actual: seen,
      pointer: call.path,
    });
  };
  return (await refusesEach(context, context.delivery, call, { clause, meanwhile })).control;
}

async function refusesCreate(context: Context): Promise<void> {
  const { delivery, given, resources } = context;
  // A control needs room for one method.
  await given.ensureRoom();
  const reference = resources.newMark();
  const tracked = given.track({ kind: 'delivery-method', owner: delivery.owner, reference });
  const call = delivery.addMethod(given.methodFields(reference));
  const created = await refusesWrite(context, call, 'delivery.method.create-stores', async () => {
    const found = (await listMethods(context, delivery)).filter((one) => JSON.stringify(one).includes(reference));
    return [found.length === 0, found];
  });
  const handle = handleIn(created) ?? (await given.findMethod(delivery, reference));
  tracked.created({ handle });
  given.doneWith({ handle });
}

async function refusesMethodUpdate(context: Context, method: MethodUnderTest): Promise<void> {
  await tryChangesOfMethod(context, method);
  const was = await readMethod(context, method);
  const call = context.delivery.changeMethod(method.handle, changeOfMethod(context));
  await refusesWrite(context, call, 'delivery.method.update-applies', async () => {
    const is = await readMethod(context, method);
    return [changedFields(context, METHOD_FIELDS, was, is).length === 0, is];
  });
}

/** Asserts the refusals of the writes of points, of a method that has `p` and `q`. */
async function refusesPointWrites(context: Context, method: MethodUnderTest): Promise<void> {
  const { delivery, expect, given, send } = context;
  const { handle } = method;
  const listed = async () => idsOf(await listPoints(context, method)).sort();
  // A call for several methods may come another way, and finds nothing changed in the first of them below.
  const points = [pointAt(context, 'p'), pointAt(context, 'q')];
  const beside = await unlessFull(context, () => methodWith(context, points));
  const both = beside === undefined ? [] : [handle, beside.handle];
  const refusesForBoth = async (callOf: CallOf): Promise<void> => {
    if (beside === undefined) return;
    const response = await send(nearMissKey(context, delivery.key).mutate(callOf(both)), 'probe');
    expect.that(!isServed(response), 'must refuse a call for several methods with a wrong key', {
      expected: 'a refusal',
      actual: summary(response),
      response,
    });
  };
  const list = { pickup_points: [pointAt(context, 'p')] };
  const writes: readonly [CallOf, string, expected: readonly string[]][] = [
    [(handles) => delivery.addPoint(handles, pointAt(context, 'new')), 'delivery.point.create-stores', ['p', 'q']],
    [(handles) => delivery.deletePoint(handles, 'q'), 'delivery.point.delete-removes', ['new', 'p', 'q']],
    [(handles) => delivery.batchReplace(handles, list), 'delivery.batch.replaces-all', ['new', 'p']],
  ];
  for (const [callOf, clause, expected] of writes) {
    // At the first try the call before is taken to have done what it has to.
    const before = context.explains ? await listed() : expected;
    await refusesForBoth(callOf);
    await refusesWrite(context, callOf(handle), clause, async () => {
      const now = await listed();
      return [now.join() === before.join(), now];
    });
  }
  await tryChangesOfPoint(context, method, 'p');
  const was = await readPoint(context, method, 'p');
  const change: CallOf = (handles) => delivery.changePoint(handles, 'p', changeOfPoint(context, 'Elsewhere'));
  await refusesForBoth(change);
  await refusesWrite(context, change(handle), 'delivery.point.update-applies', async () => {
    const is = await readPoint(context, method, 'p');
    return [changedFields(context, POINT_FIELDS, was, is).length === 0, is];
  });
  // With its key such a call is served: the refusals above are not of several methods as such.
  if (beside !== undefined) await given.accepted(send(change(both), 'control'), 'delivery.handles.update-in-each');
}

export const checks: readonly Check[] = [
  check(
    'delivery.credentials.every-read',
    'MUST refuse every read operation without a valid key',
    { ...OWN_METHODS, clauses: ['delivery.credentials.every-read'] },
    async (context) => {
      const { delivery, profile } = context;
      const points = [pointAt(context, 'p'), pointAt(context, 'q')];
      const { handle } = await methodWith(context, points);
      const reads: readonly [ServiceRequest, string, (response: ServiceResponse) => boolean][] = [
        [delivery.readMethod(handle), 'delivery.method.read-by-handle', (response) => showsMethod(response, handle)],
        [delivery.readPoint(handle, 'p'), 'delivery.point.read-by-id', (response) => showsPoint(response, 'p')],
        [
          delivery.listPoints(handle),
          'delivery.point.list-contains',
          // A page may have one point, of either end of the list.
          (response) => isServed(response) && /Street of [pq]/.test(response.text),
        ],
      ];
      for (const [call, clause, accepted] of reads)
        await refusesEach(context, delivery, call, { clause, accepted, control: 'beside' });
      await refusesLaterPage(context, delivery, handle, points);
      await refusesReversedLists(context, delivery, handle);

      const { apiKey, orderUuid } = profile.delivery?.public ?? {};
      if (apiKey === undefined || orderUuid === undefined) return;
      const provider = new Delivery('public', apiKey);
      await refusesEach(context, provider, provider.readProviderSettings(orderUuid), {
        clause: 'delivery.settings.returns-fields',
      });
    },
  ),

  check(
    'delivery.credentials.every-write',
    'MUST refuse every write operation without a valid key and change nothing',
    { ...OWN_METHODS, clauses: ['delivery.credentials.every-write'] },
    async (context) => {
      const { delivery, given } = context;
      await refusesCreate(context);
      const method = await given.newMethod(delivery);
      await addPoints(context, method, [pointAt(context, 'p'), pointAt(context, 'q')]);
      await refusesMethodUpdate(context, method);
      await refusesPointWrites(context, method);
      // A service may refuse to delete a method that has points.
      await deletePoints((one) => context.send(one, 'given'), delivery, method.handle);
      await refusesWrite(context, delivery.deleteMethod(method.handle), 'delivery.method.delete-removes', async () => {
        const response = await context.send(delivery.readMethod(method.handle), 'read');
        return [showsMethod(response, method.handle), summary(response)];
      });
    },
  ),
];
