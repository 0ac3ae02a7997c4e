/**
 * Calls for the points of many methods (spec: A. Delivery endpoints): a service that takes only the first of them says so with a
 * refusal, or has lost the rest.
 */
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { eachAtOnce } from '../../../harness/process/at-once.ts';
import { unlessUndecided } from '../../../harness/resources/once.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { mixedPointsAt, pointsAt, wholeList } from '../batch/calls.ts';
import { usedBatchMethod } from '../batch/new-method.ts';
import { changedFields, METHOD_FIELDS, POINT_FIELDS, pick } from '../steps/fields.ts';
import { OWN_METHODS } from '../steps/options.ts';
import { listPoints, type Method, readMethod } from '../steps/reading.ts';
import { changeOfPoint, exampleOfPoint, pointAt, pointValues } from '../steps/values.ts';

/** One more than many programs would take, and one that no call names. */
const METHODS = 12;

const LIST = 'delivery.batch.several-handles';
const ADD = 'delivery.handles.add-to-each';
const UPDATE = 'delivery.handles.update-in-each';
const DELETE = 'delivery.handles.delete-from-each';
const UNTOUCHED = 'delivery.handles.others-untouched';

type Lists = readonly Map<string, Json>[];

/** As many methods as the target lets a run have, at least two: how many a store may hold is not stated. */
async function manyMethods(context: Context): Promise<Method[]> {
  const methods: Method[] = [await usedBatchMethod(context), await usedBatchMethod(context)];
  while (methods.length < METHODS) {
    const one = await unlessUndecided(() => usedBatchMethod(context));
    if (one === undefined) break;
    methods.push(one);
  }
  return methods;
}

/** What each of the methods lists. */
const listEach = (context: Context, methods: readonly Method[]): Promise<Lists> =>
  eachAtOnce(
    methods,
    async (method) => new Map((await listPoints(context, method)).map((point) => [String(point.id), point])),
  );

/** The fields of a method and its points by their ids. */
async function wholeOf(context: Context, method: Method): Promise<unknown> {
  const [points] = await listEach(context, [method]);
  const of = [...points!].map(([id, point]) => [id, pick(point, POINT_FIELDS)]);
  return { method: pick(await readMethod(context, method), METHOD_FIELDS), points: Object.fromEntries(of) };
}

/** Gives a method points with the ids that the calls for the others name; returns all of it. */
async function fillBeside(context: Context, method: Method): Promise<unknown> {
  const points = ['same', 'gone', 'own'].map((id) => pointAt(context, id));
  await context.given.points(method.delivery, method.handle, points);
  return wholeOf(context, method);
}

/** Asserts that a call changed every method that it named: as the first of them, which other checks judge alone. */
function expectAlike(
  { expect }: Context,
  lists: Lists,
  clause: string,
  rule: string,
  seen: (list: Map<string, Json>) => unknown,
) {
  const [first, ...others] = lists.map(seen);
  for (const [at, other] of others.entries())
    expect.equal(other, first, `method ${at + 2} of ${lists.length} in the path ${rule}`, {
      pointer: '/pickup_points',
      clauses: [clause],
    });
}

/** Sends a call with the first of some values, and with the next where they are refused. Returns whether one of them was served. */
async function isOneServed<T>(
  { send }: Context,
  values: readonly T[],
  call: (value: T) => ServiceRequest,
): Promise<boolean> {
  for (const value of values) if (isServed(await send(call(value), 'write'))) return true;
  return false;
}

/** Changes every field of a point under all handles, or only one where that is refused: which fields can be changed is not stated. */
async function changeAll(
  context: Context,
  handles: readonly string[],
): Promise<{ readonly change: Json; readonly isChanged: boolean }> {
  const one = changeOfPoint(context, 'Together');
  const all = { ...pointValues(context, 'second'), title: context.given.text('Smith & Sons'), ...one };
  const signed = { ...changeOfPoint(context, 'Together & <7>'), attributes: { terminal: '17', hint: 'Room & <7>' } };
  const changes = context.sendsMinimum ? [one] : [{ ...all, ...signed }, all, one];
  let change = one;
  const isChanged = await isOneServed(context, changes, (next) => {
    change = next;
    return context.delivery.changePoint(handles, 'same', next);
  });
  return { change, isChanged };
}

export const checks: readonly Check[] = [
  check(
    'delivery.handles.many-methods',
    'MUST change every method that a path names, or refuse the call',
    { ...OWN_METHODS, clauses: [LIST, ADD, UPDATE, DELETE, UNTOUCHED] },
    async (context) => {
      const { delivery, expect, given, send } = context;
      const all = await manyMethods(context);
      // With two methods both are named: others-untouched judges fewer handles.
      const beside = all.length > 2 ? all.at(-1) : undefined;
      const methods = beside === undefined ? all : all.slice(0, -1);
      const besideBefore = beside && (await fillBeside(context, beside));
      const handles = methods.map(({ handle }) => handle);
      // How many handles a call may name is not stated.
      expect.asserted += 1;
      const lists = [mixedPointsAt, pointsAt].map((make) => make(context, ['same', 'stays', 'gone']));
      const isWritten = await isOneServed(context, lists, (points) => wholeList({ delivery, handle: handles }, points));
      if (!isWritten) return;
      const ids = (list: Map<string, Json>): string[] => [...list.keys()].sort();
      const only = (id: string) => (list: Map<string, Json>) => ids(list).filter((one) => one === id);
      const holdThePoints = (lists: Lists, expected: string): void => {
        const isWhole = expected.split(' ').every((id) => lists[0]!.has(id));
        given.holds(isWhole, 'delivery.batch.replaces-all', 'the first method does not list the points of the call');
        expectAlike(context, lists, LIST, 'must hold the points of the call', ids);
      };
      // At the first try the lists at the end show them as well.
      if (context.explains) holdThePoints(await listEach(context, methods), 'same stays gone');

      const added = [...mixedPointsAt(context, ['same', 'added']).slice(1), pointAt(context, 'added')];
      const isAdded = await isOneServed(context, added, (point) => delivery.addPoint(handles, point));
      const { change, isChanged } = await changeAll(context, handles);
      const isDeleted = isServed(await send(delivery.deletePoint(handles, 'gone'), 'delete'));
      const after = await listEach(context, methods);
      const [first] = after;
      const differing = (id: string) => (list: Map<string, Json>) =>
        changedFields(context, POINT_FIELDS, first!.get(id) ?? {}, list.get(id) ?? {});
      if (isAdded) {
        given.holds(first!.has('added'), 'delivery.point.create-stores', 'the add is lost in the first method');
        expectAlike(context, after, ADD, 'must list the point that was added', only('added'));
        expectAlike(context, after, ADD, 'must hold the added point as the first', differing('added'));
      }
      if (isChanged) {
        const old = (list: Map<string, Json>): readonly string[] =>
          changedFields(context, Object.keys(change), change, list.get('same') ?? {});
        // The other fields may be read-only to the service; the methods agree on them all the same.
        given.holds(
          !old(first!).includes(exampleOfPoint(context)),
          'delivery.point.update-applies',
          'the update is lost in the first method',
        );
        expectAlike(context, after, UPDATE, 'must hold the update of the point (fields without it are shown)', old);
      }
      if (isDeleted) {
        given.holds(!first!.has('gone'), 'delivery.point.delete-removes', 'the delete is lost in the first method');
        expectAlike(context, after, DELETE, 'must not list the deleted point', only('gone'));
      }
      holdThePoints(after, 'same stays');
      expectAlike(context, after, LIST, 'must hold the same point as the first', differing('same'));
      expectAlike(context, after, LIST, 'must hold the same point as the first', differing('stays'));
      if (beside !== undefined)
        expect.equal(await wholeOf(context, beside), besideBefore, 'a method that no call names must stay as it was', {
          pointer: '/pickup_points',
          clauses: [UNTOUCHED],
        });
    },
  ),
];
