/** Deleting a method. */
import { resourceOf } from '../../../contracts/envelopes/index.ts';
import { isJsonObject } from '../../../contracts/json/object.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { summary } from '../../../harness/check/expect.ts';
import type { MethodUnderTest } from '../../../harness/check/given/index.ts';
import { eachAtOnce } from '../../../harness/process/at-once.ts';
import { idleHandles } from '../../../harness/resources/methods/idle-methods.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { withLeadingUnderscore } from '../../../harness/target/near-miss.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
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
import { referenceBeside } from './unknown-handles.ts';

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

/**
 * Whether a response shows a method that was deleted. A service may give the handle to a new method of another check at once: that one
 * carries another mark.
 */
type IsDeleted = (method: unknown, handle: string) => boolean;

const REFUSAL = 'a refusal';

/** Asserts that a method that was just deleted is neither read nor listed. */
async function expectDeleted(context: Context, handle: string, isDeleted: IsDeleted): Promise<void> {
  const { delivery, expect } = context;
  await expectUnreadable(context, handle, isDeleted, 'a deleted method must no longer be readable');
  const still = (await listMethods(context, delivery)).filter(
    (method) => method.handle === handle && isDeleted(method, handle),
  );
  expect.that(still.length === 0, 'a deleted method must no longer be listed', {
    expected: [],
    actual: still,
    pointer: '/delivery_methods',
  });
}

async function expectUnreadable(context: Context, handle: string, isDeleted: IsDeleted, rule: string): Promise<void> {
  const response = await context.send(context.delivery.readMethod(handle), 'read');
  context.expect.that(!(showsMethod(response, handle) && isDeleted(response.json, handle)), rule, {
    expected: REFUSAL,
    actual: summary(response),
    response,
  });
}

/** Asserts that a deleted method lists no point, and that its point `left` is not read. */
async function expectNoPoints(context: Context, handle: string): Promise<void> {
  const { delivery, expect, send } = context;
  const points = await send(delivery.listPoints(handle), 'read');
  const listed = isServed(points) && isJsonObject(points.json) ? points.json.pickup_points : undefined;
  const isListed = Array.isArray(listed) && listed.some((point) => isJsonObject(point) && point.id === 'left');
  expect.that(!isListed, 'a deleted method must no longer list points', {
    expected: REFUSAL,
    actual: summary(points),
    response: points,
  });
  const point = await send(delivery.readPoint(handle, 'left'), 'read');
  expect.that(!showsPoint(point, 'left'), 'a point of a deleted method must no longer be readable', {
    expected: REFUSAL,
    actual: summary(point),
    response: point,
  });
}

/** A new method with the texts of a deleted one, which a service may not accept again: by these it must not get that one's points. */
async function methodLike(context: Context, { fields: { title, reference } }: MethodUnderTest): Promise<Method> {
  const { delivery, given, resources } = context;
  const isMarked = resources.markIn(reference) !== undefined;
  const same = isMarked ? await tryMethod(context, delivery, { title, reference }) : undefined;
  return same?.method ?? given.newMethod(delivery);
}

/** Three methods, or two where the owner can have no more: the second is to be deleted, and the last shares its texts. */
async function methodsWithSameTexts(
  context: Context,
): Promise<{ gone: MethodUnderTest; left: readonly MethodUnderTest[] }> {
  const { delivery, given } = context;
  const values = Array.from({ length: 3 }, () => methodValues(context, 'first'));
  const tried = await inTurn(values, async (fields, at) => {
    const make = () => given.newMethod(delivery, fields);
    return at < 2 ? make() : unlessFull(context, make);
  });
  const [first, gone, last] = tried as [MethodUnderTest, MethodUnderTest, MethodUnderTest | undefined];
  const left = last === undefined ? [first] : [first, last];
  await giveSameTexts(context, left.at(-1)!, values[1]!);
  return { gone, left };
}

/** Gives each method points that all of them get by one call, which a service may refuse, and a point with the same id. */
async function giveSamePoints(context: Context, methods: readonly Method[]): Promise<void> {
  const { delivery, send } = context;
  const all = methods.map(({ handle }) => handle);
  await send(delivery.batchReplace(all, { pickup_points: [pointAt(context, 'in-one-list')] }), 'batch');
  await send(delivery.addPoint(all, pointAt(context, 'in-one-add')), 'add');
  for (const [at, method] of methods.entries())
    await addPoints(context, method, [pointAt(context, 'p1', `Street of ${['one', 'two', 'three'][at]}`)]);
}

/** What another method had before a delete. */
interface Kept {
  readonly method: Method;
  readonly fields: Json;
  readonly ids: readonly string[];
  /** The point `p1`. */
  readonly point: Json;
}

async function keptOf(context: Context, left: readonly Method[], fields: readonly Json[]): Promise<readonly Kept[]> {
  const lists = await eachAtOnce(left, (method) => listPoints(context, method));
  const points = context.explains
    ? await eachAtOnce(left, (method) => readPoint(context, method, 'p1'))
    : lists.map((list) => list.find(({ id }) => id === 'p1') ?? {});
  return left.map((method, at) => ({
    method,
    fields: fields[at]!,
    ids: idsOf(lists[at]!).sort(),
    point: points[at]!,
  }));
}

/** Changes the points of a method, which a service may refuse, and asserts that those of the others stay. */
async function changePointsBeside(context: Context, gone: Method, others: readonly Kept[]): Promise<void> {
  const { expect, send } = context;
  const rule = 'a call for the points of a method must leave those of another with its title and reference';
  for (const [call, clause] of changesOfPoints(context, gone)) {
    if (!isServed(await send(call, 'change')) || !context.explains) continue;
    for (const { method, ids, point } of others) {
      const list = await listPoints(context, method);
      expect.equal(idsOf(list).sort(), ids, rule, { pointer: '/pickup_points', clauses: [clause] });
      const moved = changedFields(context, POINT_FIELDS, point, await readPoint(context, method, 'p1'));
      expect.equal(moved, [], rule, { clauses: [clause] });
    }
  }
}

/** Deletes unknown handles: one begins with one of ours, one matches it as a pattern of SQL's LIKE, and one is a reference. */
async function deleteUnknown(context: Context, { handle, fields }: MethodUnderTest): Promise<void> {
  for (const unknown of [
    `${handle}-${context.resources.newMark()}`,
    withLeadingUnderscore(handle),
    referenceBeside(context, handle, fields.reference),
  ])
    if (unknown !== undefined) await context.send(context.delivery.deleteMethod(unknown), 'delete');
}

async function expectKept(context: Context, { method, fields, ids, point }: Kept): Promise<void> {
  const { delivery, expect, send } = context;
  const response = await send(delivery.readMethod(method.handle), 'read');
  expect.that(showsMethod(response, method.handle), 'another method must still be readable after the delete', {
    expected: method.handle,
    actual: summary(response),
    response,
  });
  const after = resourceOf(response.json, 'delivery_method') as Json;
  const changed = changedFields(context, METHOD_FIELDS, fields, after);
  expect.that(changed.length === 0, `the delete of one method must not change ${changed} of another`, {
    expected: fields,
    actual: after,
    response,
  });
  const idsAfter = idsOf(await listPoints(context, method)).sort();
  expect.equal(idsAfter, ids, 'the points of another method must stay after the delete', {
    pointer: '/pickup_points',
  });
  const pointAfter = await readPoint(context, method, 'p1');
  const moved = changedFields(context, POINT_FIELDS, point, pointAfter);
  expect.that(moved.length === 0, `the delete of a method must not change ${moved} of another's point`, {
    expected: point,
    actual: pointAfter,
  });
}

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
      const isDeleted: IsDeleted = (method, handle) => {
        const mark = resources.markIn(method);
        return mark === undefined || mark === marks.get(handle);
      };
      for (const { handle } of made) {
        marks.set(handle, resources.markIn(await readMethod(context, { delivery, handle })));
        expect.served(await deleteWithPoints(context, handle), 'must delete a method of the caller');
        await expectDeleted(context, handle, isDeleted);
      }
      // A second delete may be refused or do nothing.
      await send(delivery.deleteMethod(first.handle), 'delete');
      const again = 'a second delete must not restore a deleted method';
      await expectUnreadable(context, first.handle, isDeleted, again);
      const next = await methodLike(context, last);
      const restored = idsOf(await listPoints(context, next));
      expect.equal(restored, [], 'a new method must not have the points of a deleted one', {
        pointer: '/pickup_points',
      });
      // Some services write all methods of an owner with one of them, as they once were.
      await send(delivery.changeMethod(next.handle, changeOfMethod(context)), 'change');
      const rule = 'a new method or its update must not restore a deleted method';
      // A service may give a handle to another method later.
      for (const { handle } of made)
        if (handle !== next.handle) await expectUnreadable(context, handle, isDeleted, rule);
      await expectNoPoints(context, last.handle);
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
      const { delivery, expect, given } = context;
      const { gone, left } = await methodsWithSameTexts(context);
      // The same ids in each method, so that a delete of points by id alone shows.
      await giveSamePoints(context, [gone, ...left]);
      // With methods of other checks that none of them uses now: a delete that reaches few methods shows among many.
      const others = idleHandles(context.resources, delivery.owner);
      const { own, beside } = await readEachBeside(context, delivery, left, others);
      const before = await keptOf(context, left, own);
      const handles = left.map(({ handle }) => handle);
      if (context.explains)
        given.holds(
          (await listedByHandle(context, delivery, handles)).size === handles.length,
          'delivery.method.list-contains-own',
          'a new method is not in the list',
        );
      await changePointsBeside(context, gone, before);
      await deleteUnknown(context, left[0]!);
      await given.promised(deleteWithPoints(context, gone.handle), 'delivery.method.delete-removes');

      for (const one of before) await expectKept(context, one);
      const kept = [...handles, ...beside.keys()];
      const listed = await listedByHandle(context, delivery, kept);
      expect.equal([...listed.keys()].sort(), kept.sort(), 'the other methods must still be listed', {
        pointer: '/delivery_methods',
      });
      for (const [handle, was] of beside) {
        const changed = changedFields(context, METHOD_FIELDS, was, listed.get(handle)!);
        const rule = `the delete of one method must not change ${handle} (only fields that differ are shown)`;
        expect.equal(changed, [], rule);
      }
    },
  ),
];
