/** Deleting a method, and calls for methods that do not exist. */
import { resourceOf } from '../../../contracts/envelopes/index.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { summary } from '../../../harness/check/expect.ts';
import { eachAtOnce } from '../../../harness/process/at-once.ts';
import { idleHandles } from '../../../harness/resources/methods/idle-methods.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { withLeadingUnderscore, withUnderscore } from '../../../harness/target/near-miss.ts';
import { isObject, isServed } from '../../../harness/target/response/judge-response.ts';
import { wholeList } from '../batch/calls.ts';
import { changedFields, METHOD_FIELDS, POINT_FIELDS } from '../steps/fields.ts';
import { inTurn, tryMethod } from '../steps/methods/create-method.ts';
import { deleteWithPoints } from '../steps/methods/delete-with-points.ts';
import { unlessFull } from '../steps/methods/unless-full.ts';
import { OWN_METHODS } from '../steps/options.ts';
import {
  addPoints,
  idsOf,
  listedByHandle,
  listMethods,
  listPoints,
  type Method,
  readEachBeside,
  readMethod,
  readPoint,
  showsMethod,
  showsPoint,
} from '../steps/reading.ts';
import { changeOfMethod, changeOfPoint, methodValues, pointAt } from '../steps/values.ts';
import { giveSameTexts } from './same-texts.ts';

const OTHER_POINTS = 'delivery.batch.other-methods-untouched';
const SEPARATE = 'delivery.point.same-id-in-two-methods';

/**
 * Calls for the points of a method which shares its title, its reference and the ids of its points with another one: a service that
 * looks points up by any of these changes the other one too. Each with the clause that it would break.
 */
const changesOfPoints = (
  context: Context,
  { delivery, handle }: Method,
): readonly (readonly [ServiceRequest, string])[] => [
  [delivery.changePoint(handle, 'p1', changeOfPoint(context, 'Elsewhere')), SEPARATE],
  [delivery.deletePoint(handle, 'in-one-add'), SEPARATE],
  [wholeList({ delivery, handle }, [pointAt(context, 'p1', 'Elsewhere 1'), pointAt(context, 'p2')]), OTHER_POINTS],
];

/** The reference of a method of the run, which some services look for as well; undefined if handles are made from references. */
const referenceBeside = ({ resources }: Context, handle: string, reference: unknown): string | undefined =>
  resources.markIn(reference) !== undefined && reference !== handle ? String(reference) : undefined;

export const checks: readonly Check[] = [
  check(
    'delivery.method.delete-removes',
    'MUST NOT list or return a deleted method',
    { ...OWN_METHODS, clauses: ['delivery.method.delete-removes'] },
    async (context) => {
      const { delivery, expect, given, resources, send } = context;
      const first = await given.newMethod(delivery);
      const second = await unlessFull(context, () => given.newMethod(delivery));
      const [last, made] = second === undefined ? [first, [first]] : [second, [first, second]];
      await addPoints(context, last, [pointAt(context, 'left')]);
      const before = idsOf(await listPoints(context, last));
      given.holds(before.includes('left'), 'delivery.point.list-contains', 'a new point is not in the list');
      await readPoint(context, last, 'left');
      const marks = new Map<string, string | undefined>();
      /** A service may give the handle to a new method of another check at once: that one carries another mark. */
      const isDeleted = (method: unknown, handle: string): boolean => {
        const mark = resources.markIn(method);
        return mark === undefined || mark === marks.get(handle);
      };
      for (const { handle } of made) {
        marks.set(handle, resources.markIn(await readMethod(context, { delivery, handle })));
        const deleted = await deleteWithPoints(context, handle);
        expect.served(deleted, 'must delete a method of the caller');
        const response = await send(delivery.readMethod(handle), 'read');
        const isReadable = showsMethod(response, handle) && isDeleted(response.json, handle);
        expect.that(!isReadable, 'a deleted method must no longer be readable', {
          expected: 'a refusal',
          actual: summary(response),
          response: response,
        });
        const still = (await listMethods(context, delivery)).filter(
          (method) => method.handle === handle && isDeleted(method, handle),
        );
        expect.that(still.length === 0, 'a deleted method must no longer be listed', {
          expected: [],
          actual: still,
          pointer: '/delivery_methods',
        });
      }
      const staysGone = async (handle: string, what: string): Promise<void> => {
        const again = await send(delivery.readMethod(handle), 'read');
        const isBack = showsMethod(again, handle) && isDeleted(again.json, handle);
        expect.that(!isBack, `${what} must not restore a deleted method`, {
          expected: 'a refusal',
          actual: summary(again),
          response: again,
        });
      };
      // A second delete may be refused or do nothing.
      await send(delivery.deleteMethod(first.handle), 'delete');
      await staysGone(first.handle, 'a second delete');
      // Some services write all methods of an owner with one of them, as they once were.
      // Equal to the deleted one, which a service may not accept again: by these fields it must not get the points of that one.
      const { title, reference } = last.fields;
      const same =
        resources.markIn(reference) === undefined
          ? undefined
          : await tryMethod(context, delivery, { title, reference });
      const next = same?.method ?? (await given.newMethod(delivery));
      const restored = idsOf(await listPoints(context, next));
      expect.equal(restored, [], 'a new method must not have the points of a deleted one', {
        pointer: '/pickup_points',
      });
      await send(delivery.changeMethod(next.handle, changeOfMethod(context)), 'change');
      // A service may give a handle to another method later.
      for (const { handle } of made) if (handle !== next.handle) await staysGone(handle, 'a new method or its update');
      const points = await send(delivery.listPoints(last.handle), 'read');
      const left = isServed(points) && isObject(points.json) ? points.json.pickup_points : undefined;
      const isListed = Array.isArray(left) && left.some((point) => isObject(point) && point.id === 'left');
      expect.that(!isListed, 'a deleted method must no longer list points', {
        expected: 'a refusal',
        actual: summary(points),
        response: points,
      });
      const point = await send(delivery.readPoint(last.handle, 'left'), 'read');
      expect.that(!showsPoint(point, 'left'), 'a point of a deleted method must no longer be readable', {
        expected: 'a refusal',
        actual: summary(point),
        response: point,
      });
    },
  ),

  check(
    'delivery.method.delete-leaves-other-methods',
    'MUST keep all other methods and their pickup points when one is deleted',
    {
      ...OWN_METHODS,
      clauses: ['delivery.method.delete-leaves-other-methods', OTHER_POINTS, 'delivery.point.same-id-in-two-methods'],
    },
    async (context) => {
      const { delivery, expect, given, send } = context;
      const values = Array.from({ length: 3 }, () => methodValues(context, 'first'));
      const tried = await inTurn(values, async (fields, at) => {
        const make = () => given.newMethod(delivery, fields);
        return at < 2 ? make() : unlessFull(context, make);
      });
      const made = tried.filter((one) => one !== undefined);
      const gone = made[1]!;
      const left = made.filter((one) => one !== gone);
      await giveSameTexts(context, left.at(-1)!, values[1]!);
      // Points that all of them get by one call belong to each of them. A service may refuse these calls.
      const all = [gone, ...left].map(({ handle }) => handle);
      await send(delivery.batchReplace(all, { pickup_points: [pointAt(context, 'in-one-list')] }), 'batch');
      await send(delivery.addPoint(all, pointAt(context, 'in-one-add')), 'add');
      // The same id in each method, so that a delete of points by id alone shows.
      for (const [at, method] of made.entries())
        await addPoints(context, method, [pointAt(context, 'p1', `Street of ${['one', 'two', 'three'][at]}`)]);
      // With methods of other checks that none of them uses now: a delete that reaches few methods shows among many.
      const others = idleHandles(context.resources, delivery.owner);
      const { own: before, beside } = await readEachBeside(context, delivery, left, others);
      const lists = await eachAtOnce(left, (method) => listPoints(context, method));
      const ids = lists.map((list) => idsOf(list).sort());
      const points = context.explains
        ? await eachAtOnce(left, (method) => readPoint(context, method, 'p1'))
        : lists.map((list) => list.find(({ id }) => id === 'p1') ?? {});
      const handles = left.map(({ handle }) => handle);
      if (context.explains)
        given.holds(
          (await listedByHandle(context, delivery, handles)).size === handles.length,
          'delivery.method.list-contains-own',
          'a new method is not in the list',
        );
      for (const [call, clause] of changesOfPoints(context, gone)) {
        // A service may refuse it.
        if (!isServed(await send(call, 'change')) || !context.explains) continue;
        for (const [at, method] of left.entries()) {
          const list = await listPoints(context, method);
          const rule = 'a call for the points of a method must leave those of another with its title and reference';
          expect.equal(idsOf(list).sort(), ids[at], rule, { pointer: '/pickup_points', clauses: [clause] });
          const moved = changedFields(context, POINT_FIELDS, points[at]!, await readPoint(context, method, 'p1'));
          expect.equal(moved, [], rule, { clauses: [clause] });
        }
      }
      // Unknown handles: one begins with one of ours, one matches it as a pattern of SQL's LIKE, and one is a reference.
      const { handle, fields } = left[0]!;
      for (const unknown of [
        `${handle}-${context.resources.newMark()}`,
        withLeadingUnderscore(handle),
        referenceBeside(context, handle, fields.reference),
      ])
        if (unknown !== undefined) await send(delivery.deleteMethod(unknown), 'delete');
      await given.promised(deleteWithPoints(context, gone.handle), 'delivery.method.delete-removes');

      for (const [at, method] of left.entries()) {
        const response = await send(delivery.readMethod(method.handle), 'read');
        expect.that(showsMethod(response, method.handle), 'another method must still be readable after the delete', {
          expected: method.handle,
          actual: summary(response),
          response: response,
        });
        const after = resourceOf(response.json, 'delivery_method') as Record<string, unknown>;
        const changed = changedFields(context, METHOD_FIELDS, before[at]!, after);
        expect.that(changed.length === 0, `the delete of one method must not change ${changed} of another`, {
          expected: before[at],
          actual: after,
          response: response,
        });
        const idsAfter = idsOf(await listPoints(context, method)).sort();
        expect.equal(idsAfter, ids[at], 'the points of another method must stay after the delete', {
          pointer: '/pickup_points',
        });
        const point = await readPoint(context, method, 'p1');
        const moved = changedFields(context, POINT_FIELDS, points[at]!, point);
        expect.that(moved.length === 0, `the delete of a method must not change ${moved} of another's point`, {
          expected: points[at],
          actual: point,
        });
      }
      const kept = [...handles, ...beside.keys()];
      const listed = await listedByHandle(context, delivery, kept);
      expect.equal([...listed.keys()].sort(), kept.sort(), 'the other methods must still be listed', {
        pointer: '/delivery_methods',
      });
      for (const [handle, was] of beside) {
        const changed = changedFields(context, METHOD_FIELDS, was, listed.get(handle)!);
        expect.equal(
          changed,
          [],
          `the delete of one method must not change ${handle} (only fields that differ are shown)`,
        );
      }
    },
  ),

  check(
    'delivery.method.unknown-read-refused',
    'MUST refuse to read an unknown handle',
    { ...OWN_METHODS, clauses: ['delivery.method.unknown-read-refused'] },
    async (context) => {
      const { delivery, expect, given, resources } = context;
      const { handle, fields } = await given.newMethod(delivery);
      const wrong = {
        'a handle that was never assigned': `${resources.newMark()}`,
        'an underscore instead of one character of the handle': withUnderscore(handle),
        'an additional character at the end of the handle': `${handle}0`,
        'the last character of the handle missing': handle.slice(0, -1),
        'the reference in place of the handle': referenceBeside(context, handle, fields.reference) ?? '',
      };
      const refuseEach = async () => {
        const taken = new Set((await listMethods(context, delivery)).map((method) => method.handle));
        const probes = Object.entries(wrong)
          .filter(([, other]) => other !== '' && !taken.has(other))
          .map(([change, other]) => ({
            change,
            mutate: (call: ServiceRequest): ServiceRequest => ({ ...call, path: delivery.readMethod(other).path }),
          }));
        await expect.refusesEach(delivery.readMethod(handle), probes, {
          clause: 'delivery.method.read-by-handle',
          accepted: (response) => showsMethod(response, handle),
        });
      };
      try {
        await refuseEach();
      } catch (error) {
        // Handles may be consecutive numbers: then one of these may name a method that others have just created.
        const listed = (await listMethods(context, delivery)).map((method) => method.handle);
        if (!Object.values(wrong).some((other) => listed.includes(other))) throw error;
        await refuseEach();
      }
    },
  ),

  check(
    'delivery.method.unknown-not-updated',
    'MUST refuse to update an unknown handle, or create the method',
    { ...OWN_METHODS, clauses: ['delivery.method.unknown-not-updated'] },
    async (context) => {
      const { delivery, expect, given, resources, send } = context;
      const method = await given.newMethod(delivery);
      const change = (fields: Json) => send(delivery.changeMethod(method.handle, fields), 'control');
      // The refusal of a field that can't be changed says nothing about the handle.
      const control = changeOfMethod(context);
      const takesReference = 'reference' in control && isServed(await change(control));
      if (!takesReference)
        await given.accepted(change({ title: given.text(resources.newMark()) }), 'delivery.method.update-applies');
      // Never a handle that could belong to another owner: only texts with our mark, or one that only a pattern takes for ours.
      const pattern = withLeadingUnderscore(method.handle);
      const held = takesReference ? control.reference : method.fields.reference;
      const similar = [
        `${method.handle}-${resources.newMark()}`,
        pattern,
        referenceBeside(context, method.handle, held),
      ];
      for (const unknown of [resources.newMark(), ...similar]) {
        if (unknown === undefined) continue;
        const reference = resources.newMark();
        const tracked = given.track({ kind: 'delivery-method', owner: delivery.owner, reference });
        const fields = takesReference ? { reference } : { title: given.text(reference) };
        const response = await send(delivery.changeMethod(unknown, fields), 'change');
        const there = showsMethod(await send(delivery.readMethod(unknown), 'read'), unknown);
        if (there) tracked.created({ handle: unknown });
        const says = isServed(response) ? 'a success' : 'a refusal';
        expect.that(
          isServed(response) === there,
          `the response to an update of an unknown handle must be true: it was ${says}`,
          {
            expected: there ? 'a success, since the method exists now' : 'a refusal, since the method does not exist',
            actual: summary(response),
            response: response,
          },
        );
      }
    },
  ),
];
