/** At most 100 points per call (spec: Limits): 100 are accepted, 101 are refused and change nothing. */
import { MAX_PORTION_ITEMS } from '../../../contracts/lists/portions.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { summary } from '../../../harness/check/expect.ts';
import { GivenFailure, Inconclusive } from '../../../harness/check/failures.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isRefusalOfPromise, isRefused, isServed } from '../../../harness/target/response/judge-response.ts';
import { changedFields, POINT_FIELDS } from '../steps/fields.ts';
import { methodWithPoints } from '../steps/methods/filled-methods.ts';
import { unlessFull } from '../steps/methods/unless-full.ts';
import { OWN_METHODS } from '../steps/options.ts';
import { OF_OTHER, plainPoint } from '../steps/owners/index.ts';
import { idsOf, listPoints, type Method } from '../steps/reading.ts';
import { otherCountry, showsOwnText } from '../steps/values.ts';
import {
  idsFrom,
  type MethodsOfBatch,
  mixedPointsAt,
  type Place,
  pointsAt,
  portion,
  replacePoints,
  wholeList,
} from './calls.ts';
import { usedBatchMethod } from './new-method.ts';
import { handlingOf } from './observed.ts';
import { expectListed, expectUnchanged, givenListed, givenUnlisted, isListedEarly } from './points/content.ts';

export const TOO_MANY = MAX_PORTION_ITEMS + 1;

/** The call with one point more. */
export const withOneMore =
  (point: Json) =>
  (call: ServiceRequest): ServiceRequest => {
    const body = (call.body as { json: { pickup_points: Json[] } }).json;
    return { ...call, body: { json: { ...body, pickup_points: [...body.pickup_points, point] } } };
  };

const takes100 = check(
  'delivery.batch.accepts-100-points',
  'MUST accept and store 100 points in one batch call',
  { clauses: ['delivery.batch.accepts-100-points'], ...OWN_METHODS },
  async (context) => {
    const method = await usedBatchMethod(context);
    await replacePoints(context, method, pointsAt(context, ['a', 'b']));
    const ids = idsFrom('p', MAX_PORTION_ITEMS);
    const points = mixedPointsAt(context, ids);
    let response = await context.send(wholeList(method, points));
    const refusal = isServed(response) ? undefined : await refusalOfOnePoint(context, method, points);
    if (refusal !== undefined) await context.given.accepted(refusal, 'delivery.batch.replaces-all');
    // How long a body may be is not stated.
    const isTooLong = !isServed(response);
    if (isTooLong) response = await context.send(wholeList(method, pointsAt(context, ids)));
    context.expect.served(response, 'a batch call with 100 points');
    const listed = await expectListed(context, method, { all: ids }, 'all 100 points must be stored');
    const lost = firstLoss(context, ids, listed.items);
    context.expect.that(
      lost === undefined,
      lost?.message ?? 'all points must be stored as they were sent',
      lost?.evidence,
    );
    await givenRoomForOneMore(context, method, ids);
    await unlessFull(context, () => takes100InLaterPortions(context, isTooLong));
  },
);

/**
 * How a target refuses one of the points of a list by itself: for its values, which are its own choice. `undefined` where it takes both
 * halves of a list that it refuses.
 */
async function refusalOfOnePoint(
  context: Context,
  method: Parameters<typeof wholeList>[0],
  points: readonly Json[],
): Promise<ServiceResponse | undefined> {
  const middle = Math.ceil(points.length / 2);
  for (const half of [points.slice(0, middle), points.slice(middle)]) {
    const response = await context.send(wholeList(method, half));
    if (!isServed(response)) return half.length === 1 ? response : refusalOfOnePoint(context, method, half);
  }
  return undefined;
}

/**
 * States that a long list keeps all others when a point is added, and when that one is deleted. A service may limit how many points there
 * are.
 */
async function givenRoomForOneMore(context: Context, method: Method, ids: readonly string[]): Promise<void> {
  const { delivery, handle } = method;
  const [more = {}] = pointsAt(context, ['one-more']);
  if (!isServed(await context.send(delivery.addPoint(handle, more), 'add'))) return;
  await givenListed(context, method, { all: [...ids, 'one-more'] }, 'delivery.point.create-stores');
  const deleted = context.send(delivery.deletePoint(handle, 'one-more'), 'delete');
  await context.given.promised(deleted, 'delivery.point.delete-removes');
  await givenListed(context, method, { all: ids }, 'delivery.point.delete-leaves-other-points');
}

interface Loss {
  readonly message: string;
  readonly evidence: { readonly expected: Json; readonly actual: Json; readonly pointer: string };
}

/** The first point of `mixedPointsAt` that was not stored like those of its kind. */
function firstLoss(context: Context, ids: readonly string[], points: readonly Json[]): Loss | undefined {
  for (const kind of [0, 1]) {
    const ofKind = new Set(ids.filter((_, at) => at % 2 === kind));
    const loss = firstUnlike(
      context,
      points.filter(({ id }) => ofKind.has(String(id))),
    );
    if (loss !== undefined) return loss;
  }
  return undefined;
}

/** These points were sent with the same fields but for id, title and address: what the first shows of them, each other one shows. */
function firstUnlike(context: Context, points: readonly Json[]): Loss | undefined {
  const [first = {}] = points;
  const own = ['title', 'address'] as const;
  const same = POINT_FIELDS.filter((field) => !own.some((one) => one === field));
  for (const [at, point] of points.entries()) {
    const names = changedFields(context, same, first, point);
    names.push(...own.filter((field) => showsOwnText(first, field) && !showsOwnText(point, field)));
    if (names.length === 0) continue;
    return {
      message: `point ${point.id} of a long list must be stored like ${first.id}: ${names.join(', ')}`,
      evidence: { expected: first, actual: point, pointer: `/pickup_points/${at}/${names[0]}` },
    };
  }
  return undefined;
}

/** Uploads with a portion of 100 points that is not the first one, and the same points in smaller portions. */
const LARGE_PORTIONS = [
  ['final', [1, 100], [1, 50, 50]],
  ['middle', [1, 100, 1], [1, 50, 50, 1]],
] as const;

/**
 * Later portions may also have 100 points. A method may be limited to fewer points in total, so a refusal counts only
 * if the same points are accepted in smaller portions, or if the method takes as many points without portions. `isShort`: with
 * short texts alone.
 */
async function takes100InLaterPortions(context: Context, isShort: boolean): Promise<void> {
  const { send } = context;
  const method = await usedBatchMethod(context);
  const ids = idsFrom('p', MAX_PORTION_ITEMS + 2);
  // In the first call each second point had the other values.
  const points = isShort ? pointsAt(context, ids) : mixedPointsAt(context, ids, 'first');
  const sendAll = async (sizes: readonly number[]): Promise<ServiceResponse | undefined> => {
    let at = 0;
    for (const [nth, size] of sizes.entries()) {
      const place = nth === 0 ? 'first' : nth === sizes.length - 1 ? 'last' : 'middle';
      const response = await send(portion(method, points.slice(at, at + size), place));
      if (!isServed(response)) return response;
      at += size;
    }
    return undefined;
  };
  // Portions of two points: what they lose is not lost because of their size.
  if (context.explains && (await sendAll([2, 2, 2])) === undefined)
    await givenListed(context, method, { exactly: ids.slice(0, 6) }, 'delivery.batch.finalization-publishes');
  for (const [place, large, small] of LARGE_PORTIONS) {
    const refusal = await sendAll(large);
    if (refusal === undefined) {
      const uploaded = ids.slice(0, large.length - 1 + MAX_PORTION_ITEMS);
      const rule = `an upload with a ${place} portion of 100 points must be published`;
      const listed = await expectListed(context, method, { exactly: uploaded }, rule);
      const lost = firstLoss(context, uploaded, listed.items);
      // The rule of portions that lose values has checks of its own.
      context.given.holds(lost === undefined, 'delivery.batch.fields-kept', lost?.message ?? '', lost?.evidence);
      continue;
    }
    if (!isRefusalOfPromise(refusal)) return;
    const seen = { expected: 'a success', actual: summary(refusal), response: refusal };
    const isTakenInHalves = (await sendAll(small)) === undefined;
    const halves = `must accept a ${place} portion of 100 points, because it accepts two portions of 50`;
    context.expect.that(!isTakenInHalves, halves, seen);
    // A service may want every portion but the last one to be full.
    if ((await sendAll([MAX_PORTION_ITEMS, 1])) === undefined) return;
    const alone = `must accept ${MAX_PORTION_ITEMS + 1} points in portions, because it accepts 100 in one call and one more by itself`;
    context.expect.that(!(await takesOneMore(context, method, points)), alone, seen);
  }
}

/** Whether a method takes 100 points in one call and then another one: then it may have more points than one call. */
async function takesOneMore({ send }: Context, method: MethodsOfBatch, points: readonly Json[]): Promise<boolean> {
  if (!isServed(await send(wholeList(method, points.slice(0, MAX_PORTION_ITEMS)), 'control'))) return false;
  return isServed(await send(method.delivery.addPoint(method.handle, points[MAX_PORTION_ITEMS]!), 'control'));
}

const refuses101 = check(
  'delivery.batch.refuses-101-points',
  'MUST refuse a batch call with 101 points',
  {
    clauses: ['delivery.batch.refuses-101-points'],
    observations: ['envelope.errors.code-for-oversized-batch'],
    ...OWN_METHODS,
  },
  async (context) => {
    const method = await usedBatchMethod(context);
    const points = pointsAt(context, idsFrom('p', TOO_MANY));
    const valid = wholeList(method, points.slice(0, MAX_PORTION_ITEMS));
    const { probe } = await context.expect.refuses(valid, withOneMore(points[MAX_PORTION_ITEMS]!), {
      clause: 'delivery.batch.accepts-100-points',
      change: 'a 101st point',
    });
    context.observe('envelope.errors.code-for-oversized-batch', handlingOf(probe));

    // The limit applies to each call, also with a country or several methods.
    const country = String(points[0]!.country);
    const few = wholeList(method, pointsAt(context, ['few']), { country });
    await context.given.accepted(context.send(few, 'given'), 'delivery.batch.country-replaces');
    if (context.explains) await givenListed(context, method, { all: ['few'] }, 'delivery.batch.country-replaces');
    await expectRepeatedCounted(context, method, points.slice(0, MAX_PORTION_ITEMS));
    const other = await unlessFull(context, () => usedBatchMethod(context));
    const full = points.slice(0, MAX_PORTION_ITEMS);
    const calls: [string, ServiceRequest][] = [['a call for one country', wholeList(method, full, { country })]];
    if (other !== undefined) {
      const both = { delivery: method.delivery, handle: [method.handle, other.handle] };
      calls.push(['a call under two handles', wholeList(both, full)]);
    }
    for (const [what, call] of calls) {
      await context.expect.refuses(call, withOneMore(points[MAX_PORTION_ITEMS]!), {
        clause: 'delivery.batch.accepts-100-points',
        change: `a 101st point in ${what}`,
        isPromised: true,
      });
      const rule = 'delivery.batch.accepts-100-points';
      await givenListed(context, method, { all: points.slice(0, MAX_PORTION_ITEMS).map(({ id }) => String(id)) }, rule);
    }
    // As most clients send a list: without flags, and with points of several countries.
    const elsewhere = { country: otherCountry(context, 'LV') };
    const mixed = points.map((point, at) => (at % 2 === 0 ? point : { ...point, ...elsewhere }));
    const plain = method.delivery.batchReplace(method.handle, {
      pickup_points: mixed.slice(0, MAX_PORTION_ITEMS),
    });
    await context.expect.refuses(plain, withOneMore(mixed[MAX_PORTION_ITEMS]!), {
      clause: 'delivery.batch.initialization-default-true',
      change: 'a 101st point in a call without flags for two countries',
    });
    await expectRefusedToOther(context);
  },
);

/** A service may give an owner another limit; that of the interface applies to all. */
async function expectRefusedToOther(context: Context): Promise<void> {
  const { expect, profile, send } = context;
  if (profile.delivery?.private?.otherApiKey === undefined) return;
  const method = await methodWithPoints(context, OF_OTHER);
  // Languages and countries of other owners are not known.
  const points = idsFrom('p', TOO_MANY).map(plainPoint);
  const response = await send(wholeList(method, points), 'probe');
  expect.that(!isServed(response), 'must refuse a call with 101 points with the key of another store', {
    expected: 'a refusal: 4XX or 5XX with the error envelope',
    actual: summary(response),
    response,
  });
}

/** The limit is about what a call holds, also if an id is repeated: a service may ignore such a list, but not store it. */
async function expectRepeatedCounted(context: Context, method: Method, points: readonly Json[]): Promise<void> {
  const response = await context.send(withOneMore(points.at(-1)!)(wholeList(method, points)), 'probe');
  if (!isServed(response)) return;
  const ids = idsOf(await listPoints(context, method));
  const isStored = points.some(({ id }) => ids.includes(String(id)));
  context.expect.that(!isStored, 'must refuse a call with a 101st point that repeats the one before it', {
    expected: 'a refusal: 4XX or 5XX with the error envelope',
    actual: summary(response),
    response,
  });
}

const refuses101InPortions = check(
  'delivery.batch.refuses-101-points-in-a-portion',
  'MUST refuse a first, middle or last portion with 101 points',
  { clauses: ['delivery.batch.refuses-101-points-in-a-portion'], ...OWN_METHODS },
  async (context) => {
    const method = await usedBatchMethod(context);
    for (const place of ['first', 'middle', 'last'] as const) await refusesPortionOf101(context, method, place);
  },
);

async function refusesPortionOf101(
  context: Context,
  method: Parameters<typeof portion>[0],
  place: Place,
): Promise<void> {
  const points = pointsAt(context, idsFrom(place, TOO_MANY));
  const valid = portion(method, points.slice(0, MAX_PORTION_ITEMS), place);
  const proof = { clause: 'delivery.batch.accepts-100-points', change: `a 101st point in the ${place} portion` };
  try {
    await context.expect.refuses(valid, withOneMore(points[MAX_PORTION_ITEMS]!), proof);
  } catch (error) {
    if (!(error instanceof GivenFailure)) throw error;
    if (place === 'first') {
      // The same points in one call: if they are accepted, their number in a portion is what was refused.
      const whole = await context.send(wholeList(method, points.slice(0, MAX_PORTION_ITEMS)), 'control');
      const message = 'a first portion with 100 points is refused, and the same points in one call are accepted';
      context.given.holds(!isServed(whole), proof.clause, message, error.evidence);
      throw error;
    }
    // The refused portion may have ended the upload: the control request gets another upload in the same state.
    const open = portion(method, pointsAt(context, ['again']), 'first');
    await context.given.accepted(context.send(open, 'given'), 'delivery.batch.finalization-publishes');
    await context.given.accepted(context.send(valid, 'control'), proof.clause);
  }
}

const refusalKeepsList = check(
  'delivery.batch.refused-list-changes-nothing',
  'MUST NOT change the list when a batch call is refused for its length',
  { clauses: ['delivery.batch.refused-list-changes-nothing'], ...OWN_METHODS },
  async (context) => {
    const method = await usedBatchMethod(context);
    const lv = { country: 'LV' };
    const ids = ['lv-old', 'ee-old'];
    await replacePoints(context, method, [
      ...pointsAt(context, ['lv-old'], lv),
      ...pointsAt(context, ['ee-old'], { country: otherCountry(context, 'EE') }),
    ]);
    const before = await givenListed(context, method, { exactly: ids }, 'delivery.batch.replaces-all');
    for (const rest of [{}, lv]) {
      const response = await context.send(wholeList(method, pointsAt(context, idsFrom('new', TOO_MANY), lv), rest));
      const refusal = isRefused(response);
      if (refusal === 'unavailable')
        throw new Inconclusive(`the target did not respond to a batch call (${response.status}): run again`, 'network');
      const message = 'a batch call with 101 points was accepted';
      context.given.holds(refusal === 'refused', 'delivery.batch.refuses-101-points', message, { response });
      const after = await expectListed(context, method, { exactly: ids }, 'a refused list must change nothing');
      expectUnchanged(context, before, after, ids);
    }
    // A refused portion must not publish the earlier ones either.
    const open = portion(method, pointsAt(context, ['staged']), 'first');
    await context.given.accepted(context.send(open, 'given'), 'delivery.batch.finalization-publishes');
    await givenUnlisted(context, method, 'staged');
    const tooLong = await context.send(portion(method, pointsAt(context, idsFrom('more', TOO_MANY)), 'middle'));
    // Nor may what was read of a portion before its mistake be published with the rest.
    const mistaken = [...pointsAt(context, ['before-mistake']), { id: {} }];
    const halfGood = await context.send(portion(method, mistaken, 'middle'));
    const early = await isListedEarly(context, method, 'staged');
    const end = await context.send(portion(method, pointsAt(context, ['end']), 'last'), 'end');
    // Ends the upload in any case, because a service may allow only one at a time.
    if (!isServed(end)) await context.send(wholeList(method, pointsAt(context, ['staged'])), 'end');
    context.expect.that(!early, 'a refused portion must not publish the earlier portions', {
      pointer: '/pickup_points',
    });
    const ofPortions = 'delivery.batch.refuses-101-points-in-a-portion';
    await context.given.refused(tooLong, ofPortions, 'a portion with 101 points was accepted');
    // Whether the upload goes on after the refusal is open: what was refused is not published either way.
    const none = [...idsFrom('more', TOO_MANY), ...(isRefused(halfGood) === 'refused' ? ['before-mistake'] : [])];
    await expectListed(context, method, { none }, 'no point of a refused portion must be published');
  },
);

export const checks: readonly Check[] = [takes100, refuses101, refuses101InPortions, refusalKeepsList];
