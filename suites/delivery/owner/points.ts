/** Isolation of owners: no other key reads or changes the pickup points of a store. */
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { summary } from '../../../harness/check/expect.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { Delivery, Json } from '../../../harness/target/interfaces/delivery.ts';
import { isRefused, isServed } from '../../../harness/target/response/judge-response.ts';
import { portion } from '../batch/calls.ts';
import { changedFields, POINT_FIELDS } from '../steps/fields.ts';
import { laterPageOfMore } from '../steps/later-page.ts';
import { methodWith } from '../steps/methods/filled-methods.ts';
import { unlessFull } from '../steps/methods/unless-full.ts';
import { TWO_OWNERS } from '../steps/options.ts';
import { type Intruder, intrudersOf, OF_OTHER, plainPoint } from '../steps/owners/index.ts';
import { listPoints, type Method } from '../steps/reading.ts';
import { exampleOfPoint, pointAt, tryChangesOfPoint } from '../steps/values.ts';

const REFUSED = 'envelope.delivery.refusal-changes-nothing';

/** The points of a method by their ids. */
const pointsOf = async (context: Context, method: Method): Promise<Map<string, Json>> =>
  new Map((await listPoints(context, method)).map((point) => [String(point.id), point]));

const UPDATE_APPLIES = 'delivery.point.update-applies';

/** The differences of two states of a list: added and missing ids, changed points. */
function differences(context: Context, before: Map<string, Json>, after: Map<string, Json>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((id) => {
    const [was, is] = [before.get(id), after.get(id)];
    return was === undefined || is === undefined || changedFields(context, POINT_FIELDS, was, is).length > 0;
  });
}

/** A check that a call on the points of a store's method has no effect with the key of another owner. */
function leftAlone(
  id: string,
  title: `MUST ${string}`,
  controlClause: string,
  callOf: (by: Delivery, handle: string, context: Context) => ServiceRequest,
  more: readonly ((by: Delivery, handle: string, context: Context) => ServiceRequest)[] = [],
): Check {
  return check(id, title, { ...TWO_OWNERS, clauses: [id] }, async (context) => {
    const { delivery, expect, given, send } = context;
    const intruders = await intrudersOf(context);
    const own = await methodWith(context, [pointAt(context, 'one'), pointAt(context, 'two')]);
    if (controlClause === UPDATE_APPLIES) await tryChangesOfPoint(context, own, 'one');
    const before = await pointsOf(context, own);
    for (const [at, { who, delivery: intruder }] of intruders.entries()) {
      for (const other of more) await send(other(intruder, own.handle, context), 'probe');
      const response = await send(callOf(intruder, own.handle, context), 'probe');
      if (!context.explains && at < intruders.length - 1) continue;
      const touched = differences(context, before, await pointsOf(context, own));
      expect.that(touched.length === 0, `the points of a store's method must stay as they are when ${who} calls`, {
        expected: [...before.keys()],
        actual: `different: ${touched}`,
        pointer: '/pickup_points',
        response,
      });
    }
    await given.accepted(send(callOf(delivery, own.handle, context), 'control'), controlClause);
    given.holds(
      differences(context, before, await pointsOf(context, own)).length > 0,
      controlClause,
      'the same call by the owner has no effect either',
    );
  });
}

/** An upload of another owner, with the id of a point that an upload of the store replaces. It may have to wait; returns whether it did not. */
async function uploadOf({ send }: Context, helper: Method): Promise<boolean> {
  const isBegun = isServed(await send(portion(helper, [plainPoint('one')], 'first'), 'probe'));
  return isBegun && isServed(await send(portion(helper, [plainPoint('theirs')], 'last'), 'probe'));
}

/** States that an upload can be finished after one of another owner, if it can be without. */
async function givenUploadsGoOn(context: Context, own: Method, helper: Method): Promise<void> {
  const finishes = async (meanwhile: () => Promise<unknown>): Promise<boolean> => {
    const begun = await context.send(portion(own, [pointAt(context, 'first')], 'first'), 'given');
    await meanwhile();
    return (
      isServed(begun) && isServed(await context.send(portion(own, [pointAt(context, 'final')], 'last'), 'control'))
    );
  };
  for (let tried = 0; tried < 2; tried += 1) {
    if (!(await finishes(async () => undefined))) return;
    if (await finishes(() => uploadOf(context, helper))) return;
  }
  const message = 'an upload of another owner ends that of the store, whose next portion is refused';
  context.given.holds(false, 'delivery.batch.finalization-publishes', message);
}

/** Whether a response reveals anything about the point. */
const showsPoint = (response: ServiceResponse): boolean => /Street of (?:one|two)/.test(response.text);

/**
 * Asserts that another owner does not see the points behind a handle that it names after one of its own. The contract has lists of handles
 * for changes only: a service may refuse such a read, or show the points of the own method.
 */
async function expectNotShownBesideOwn(context: Context, handle: string): Promise<void> {
  const { expect, otherDelivery, send } = context;
  const helper = await methodWith(context, [plainPoint('theirs')], OF_OTHER);
  const both = `${helper.handle},${handle}`;
  for (const call of [otherDelivery.listPoints(both), otherDelivery.readPoint(both, 'one')]) {
    const response = await send({ ...call, path: call.path.replace('%2C', ',') }, 'probe');
    expect.that(!showsPoint(response), "another owner must not see a store's points beside those of its own method", {
      expected: 'a refusal, or points of the own method',
      actual: summary(response),
      response,
    });
  }
}

/** The field that an intruder changes: the address, or another field if that is read-only. */
const intrusion = (context: Context, words: string): Json => ({
  [context.sendsMinimum ? exampleOfPoint(context) : 'address']: words,
});

export const checks: readonly Check[] = [
  check(
    'delivery.owner.points-not-readable',
    "MUST NOT return the pickup points of a store's method to another owner",
    { ...TWO_OWNERS, clauses: ['delivery.owner.points-not-readable'] },
    async (context) => {
      const { delivery, expect, given, send } = context;
      const intruders = await intrudersOf(context);
      const points = [pointAt(context, 'one'), pointAt(context, 'two')];
      const own = await methodWith(context, points);
      const later = await laterPageOfMore(context, delivery, own.handle, points);
      for (const { who, delivery: intruder } of intruders) {
        if (later === undefined) break;
        const response = await send(later(intruder), 'probe');
        expect.that(!showsPoint(response), `${who} must not see a later page of the points of a store's method`, {
          expected: 'a refusal',
          actual: summary(response),
          response,
        });
      }
      await expectNotShownBesideOwn(context, own.handle);
      const calls = [(by: Delivery) => by.listPoints(own.handle), (by: Delivery) => by.readPoint(own.handle, 'one')];
      // A list in pages, or in the other order, may come from another query.
      for (const options of [{ desc: true }, { pageSize: 1 }]) {
        const [{ who, delivery: intruder }] = intruders as [Intruder];
        const response = await send(intruder.listPoints(own.handle, options), 'probe');
        const words = `${who} must not see the points of a store's method with ${Object.keys(options)}`;
        expect.that(!showsPoint(response), words, {
          expected: 'a refusal',
          actual: summary(response),
          response,
        });
      }
      for (const call of calls) {
        // First by the owner: a cache may not distinguish whom a response was for.
        const control = await send(call(delivery), 'control');
        given.holds(showsPoint(control), 'delivery.point.list-contains', 'the owner cannot see the point either');
        for (const { who, delivery: intruder } of intruders) {
          const response = await send(call(intruder), 'probe');
          expect.that(!showsPoint(response), `${who} must not see the points of a store's method`, {
            expected: 'a refusal',
            actual: summary(response),
            response,
          });
        }
      }
    },
  ),

  leftAlone(
    'delivery.owner.points-not-addable',
    "MUST NOT add a point to a store's method for another owner",
    'delivery.point.create-stores',
    (by, handle, context) => by.addPoint(handle, pointAt(context, 'intruder')),
  ),
  leftAlone(
    'delivery.owner.points-not-changeable',
    "MUST NOT update a point of a store's method for another owner",
    UPDATE_APPLIES,
    (by, handle, context) => by.changePoint(handle, 'one', intrusion(context, 'Street of an intruder')),
  ),
  leftAlone(
    'delivery.owner.points-not-deletable',
    "MUST NOT delete a point of a store's method for another owner",
    'delivery.point.delete-removes',
    (by, handle) => by.deletePoint(handle, 'one'),
  ),
  leftAlone(
    'delivery.owner.points-not-replaceable',
    "MUST NOT replace the points of a store's method for another owner",
    'delivery.batch.replaces-all',
    (by, handle, context) => by.batchReplace(handle, { pickup_points: [pointAt(context, 'intruder')] }),
    [
      // Each of these may be served by code of its own.
      (by, handle, context) => {
        const { country } = pointAt(context, 'one');
        return by.batchReplace(handle, { pickup_points: [], country });
      },
      (by, handle) => by.batchReplace(handle, { pickup_points: [] }),
    ],
  ),
  check(
    'delivery.owner.uploads-not-continued',
    "MUST NOT continue an upload of a store's points for another owner",
    { ...TWO_OWNERS, clauses: ['delivery.owner.points-not-replaceable'] },
    async (context) => {
      const { expect, given, otherDelivery, send } = context;
      const intruders = await intrudersOf(context);
      const own = await methodWith(context, [pointAt(context, 'one')]);
      const helper = { delivery: otherDelivery, handle: (await methodWith(context, [], OF_OTHER)).handle };
      const first = portion(own, [pointAt(context, 'first')], 'first');
      await given.accepted(send(first, 'given'), 'delivery.batch.finalization-publishes');
      for (const { delivery: intruder } of intruders) {
        const points = [pointAt(context, 'intruder')];
        for (const place of ['middle', 'last'] as const)
          await send(portion({ delivery: intruder, handle: own.handle }, points, place), 'probe');
      }
      const isPublished = await uploadOf(context, helper);
      const last = await send(portion(own, [pointAt(context, 'final')], 'last'), 'control');
      const listed = [...(await pointsOf(context, own)).keys()];
      expect.that(!listed.includes('intruder'), "no other owner must add to an upload of a store's points", {
        expected: ['first', 'final'],
        actual: listed,
        pointer: '/pickup_points',
        response: last,
      });
      if (isPublished && isRefused(last) === 'refused') await givenUploadsGoOn(context, own, helper);
      await given.accepted(last, 'delivery.batch.finalization-publishes');
      const whole = listed.toSorted().join() === 'final,first';
      given.holds(whole, 'delivery.batch.finalization-publishes', `the upload was published as ${listed}`);
      if (!isPublished) return;
      const ofHelper = [...(await pointsOf(context, helper)).keys()].sort();
      expect.equal(
        ofHelper,
        ['one', 'theirs'],
        'an upload must leave the points of another owner, whose upload has ended',
        {
          pointer: '/pickup_points',
        },
      );
    },
  ),

  check(
    'delivery.owner.foreign-handle-beside-own',
    "MUST NOT change another owner's method that is named beside the caller's own",
    { ...TWO_OWNERS, clauses: ['delivery.owner.foreign-handle-beside-own', REFUSED] },
    async (context) => {
      const { expect, given, otherDelivery, send } = context;
      await intrudersOf(context);
      const ids = ['same', 'gone-0', 'gone-1', 'gone-2'];
      const points = ids.map(plainPoint);
      const victim = await methodWith(
        context,
        ids.map((id) => pointAt(context, id)),
      );
      const helper = await methodWith(context, points, OF_OTHER);
      await tryChangesOfPoint(context, helper, 'same');
      const before = await pointsOf(context, victim);
      const ofHelper = await pointsOf(context, helper);
      let areAllRefused = true;
      const calls: readonly [(handles: string[], nth: number) => ServiceRequest, string][] = [
        [(handles, nth) => otherDelivery.addPoint(handles, plainPoint(`added-${nth}`)), 'delivery.point.create-stores'],
        [
          (handles, nth) => otherDelivery.changePoint(handles, 'same', intrusion(context, `Intruder street ${nth}`)),
          UPDATE_APPLIES,
        ],
        [(handles, nth) => otherDelivery.deletePoint(handles, `gone-${nth}`), 'delivery.point.delete-removes'],
        [
          (handles, nth) => otherDelivery.batchReplace(handles, { pickup_points: [plainPoint(`swept-${nth}`)] }),
          'delivery.batch.replaces-all',
        ],
      ];
      for (const [callOf] of calls) {
        const orders = [
          [helper.handle, victim.handle],
          [victim.handle, helper.handle],
        ];
        for (const [nth, handles] of orders.entries()) {
          // Refusing the call and changing only the own method are both correct.
          const response = await send(callOf(handles, nth), 'probe');
          areAllRefused &&= isRefused(response) === 'refused';
          // No call undoes the effect of another one.
          if (!context.explains && !(callOf === calls.at(-1)?.[0] && nth === orders.length - 1)) continue;
          const touched = differences(context, before, await pointsOf(context, victim));
          expect.that(
            touched.length === 0,
            "another owner's method among the caller's own handles must stay unchanged",
            {
              clauses: ['delivery.owner.foreign-handle-beside-own'],
              expected: [...before.keys()],
              actual: `different: ${touched}`,
              pointer: '/pickup_points',
              response,
            },
          );
        }
      }
      // A call that was refused has not changed the own method either, before it came to the other one.
      const done = areAllRefused ? differences(context, ofHelper, await pointsOf(context, helper)) : [];
      expect.that(done.length === 0, "calls that were refused must leave the caller's own method as it was", {
        clauses: [REFUSED],
        expected: [...ofHelper.keys()],
        actual: `different: ${done}`,
        pointer: '/pickup_points',
      });
      // The same calls work on an own method; otherwise their lack of effect would prove nothing.
      const control = (await unlessFull(context, () => methodWith(context, points, OF_OTHER))) ?? helper;
      for (const [callOf, clause] of calls) await given.accepted(send(callOf([control.handle], 2), 'control'), clause);
    },
  ),
];
