/**
 * Points that lack a field, have a long id or many attributes, or are in another country: a call does to them what it does to any, and
 * leaves them alone where it is for another one (spec: Endpoints, A. Delivery endpoints). A service may refuse each of them.
 */
import { resourceOf } from '../../../contracts/envelopes/index.ts';
import { POINT_FIELDS } from '../../../contracts/fields/catalogue/delivery.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { summary } from '../../../harness/check/expect.ts';
import { Skipped } from '../../../harness/check/failures.ts';
import { eachAtOnce } from '../../../harness/process/at-once.ts';
import { unlessUndecided } from '../../../harness/resources/once.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { replacePoints, upload, wholeList } from '../batch/calls.ts';
import { expectDeletedLikeOthers } from '../steps/deleted-like-others.ts';
import { changedFields, readBackFaults } from '../steps/fields.ts';
import { inTurn } from '../steps/methods/create-method.ts';
import { methodsWith, methodWith } from '../steps/methods/filled-methods.ts';
import { unlessFull } from '../steps/methods/unless-full.ts';
import { OWN_METHODS } from '../steps/options.ts';
import { idsOf, listPoints, type Method, showsPoint } from '../steps/reading.ts';
import { changeOfMethod, changeOfPoint, pointAt } from '../steps/values.ts';

const APPLIES = 'delivery.point.update-applies';
const KEEPS = 'delivery.point.update-keeps-omitted-fields';
const LEAVES = 'delivery.point.update-leaves-other-points';
const REMOVES = 'delivery.point.delete-removes';
const LEFT_BY_DELETE = 'delivery.point.delete-leaves-other-points';
const LEFT_BY_COUNTRY = 'delivery.batch.country-keeps-others';
const ADDS = 'delivery.handles.add-to-each';
const AGREES = 'delivery.point.list-agrees-with-read';
const READS = 'delivery.point.read-by-id';
const ANY_ID = 'delivery.point.id-any-characters';

const ATTRIBUTES = 24;
/** A country of none of these points. */
const ELSEWHERE = { country: 'LT' } as const;
const USUAL = 'usual';

const unusualPoints = (context: Context): Json[] => [
  ...POINT_FIELDS.map((field): Json => ({ ...pointAt(context, `no-${field}`), [field]: undefined })),
  pointAt(context, `${'locker-of-the-warehouse-'.repeat(5)}7`),
  pointAt(context, 'Ķīpsala & Co 7'),
  { ...pointAt(context, 'far'), address: `${'Street of the long name '.repeat(12)}7` },
  { ...pointAt(context, 'abroad'), country: 'NO', zip: '0150' },
  {
    ...pointAt(context, 'described'),
    attributes: Object.fromEntries(Array.from({ length: ATTRIBUTES }, (_, at) => [`key${at}`, `value ${at}`])),
  },
];

/** The unusual points that a service takes, and the clause by which they are listed then. */
interface Taken {
  readonly points: readonly Json[];
  readonly clause: string;
}

/** Puts a usual point and the unusual ones into a method, in portions if it takes them so. */
async function takenPoints(context: Context, method: Method): Promise<Taken> {
  const usual = pointAt(context, USUAL);
  const unusual = unusualPoints(context);
  const middle = Math.ceil(unusual.length / 2);
  const portions = [[usual, ...unusual.slice(0, middle)], unusual.slice(middle)];
  if (await unlessUndecided(() => upload(context, method, portions).then(() => true)))
    return { points: unusual, clause: 'delivery.batch.finalization-publishes' };
  await replacePoints(context, method, [usual]);
  const taken: Json[] = [];
  for (const point of unusual)
    if (isServed(await context.send(method.delivery.addPoint(method.handle, point), 'given'))) taken.push(point);
  return { points: taken, clause: 'delivery.point.create-stores' };
}

/** The points of a method by their ids. States that all of these are listed. */
async function pointsBy(context: Context, method: Method, ids: readonly string[], clause: string) {
  const listed = new Map((await listPoints(context, method)).map((point) => [String(point.id), point]));
  const lost = ids.filter((id) => !listed.has(id));
  context.given.holds(lost.length === 0, clause, `${lost.join(', ')} of the points that were sent are not listed`);
  return listed;
}

/** Asserts that calls which are for other points leave the unusual ones. */
async function staysBesideOthers(context: Context, method: Method, ids: readonly string[]): Promise<void> {
  const { delivery, handle } = method;
  const calls: readonly (readonly [ServiceRequest, string])[] = [
    [delivery.changePoint(handle, USUAL, changeOfPoint(context, 'Beside')), LEAVES],
    [delivery.changeMethod(handle, changeOfMethod(context)), LEAVES],
    [delivery.addPoint(handle, pointAt(context, 'beside')), LEAVES],
    [delivery.deletePoint(handle, 'beside'), LEFT_BY_DELETE],
    [wholeList(method, [{ ...pointAt(context, 'of-country'), ...ELSEWHERE }], ELSEWHERE), LEFT_BY_COUNTRY],
  ];
  for (const [at, [call, clause]] of calls.entries()) {
    await context.send(call, 'beside');
    // What is lost stays lost: at the first try it is enough to look once.
    if (!context.explains && at < calls.length - 1) continue;
    const listed = idsOf(await listPoints(context, method));
    const lost = ids.filter((id) => !listed.includes(id));
    context.expect.equal(
      lost,
      [],
      `${call.method} ${call.path} must leave all other points (only lost ones are shown)`,
      {
        clauses: [clause],
        pointer: '/pickup_points',
      },
    );
  }
}

/** Asserts that each point reads alone as it is listed. */
async function areReadAlone(context: Context, method: Method, listed: ReadonlyMap<string, Json>): Promise<void> {
  const { expect, send } = context;
  const points = [...listed];
  const read = await eachAtOnce(points, ([id]) => send(method.delivery.readPoint(method.handle, id), 'read'));
  for (const [at, [id, point]] of points.entries()) {
    const response = read[at]!;
    expect.that(showsPoint(response, id), `the point ${id}, which is listed, must be readable by its id`, {
      clauses: [/^[\w-]{1,64}$/.test(id) ? READS : ANY_ID],
      expected: id,
      actual: summary(response),
      response,
    });
    const differing = changedFields(context, POINT_FIELDS, point, resourceOf(response.json, 'pickup_point') as Json);
    expect.equal(differing, [], `the point ${id} must read alone as it is listed (fields that differ)`, {
      clauses: [AGREES],
      response,
    });
  }
}

/** Asserts that an update of each point applies and keeps its other fields. */
async function areUpdated(context: Context, method: Method, before: ReadonlyMap<string, Json>): Promise<void> {
  const { expect, send } = context;
  const changed = new Map<string, Json>();
  for (const [id, point] of before) {
    const change: Json = point.city ? { city: 'Daugavpils' } : { address: 'Street of the update' };
    if (isServed(await send(method.delivery.changePoint(method.handle, id, change), 'change'))) changed.set(id, change);
  }
  const after = await pointsBy(context, method, [...changed.keys()], LEAVES);
  for (const [id, change] of changed) {
    const read = after.get(id) as Json;
    const [field] = Object.keys(change) as ['city' | 'address'];
    expect.noFaults(
      readBackFaults(context, field, change[field], read[field]),
      `an update of the point ${id} must apply`,
      {
        clauses: [APPLIES],
      },
    );
    const others = POINT_FIELDS.filter((name) => name !== field);
    expect.equal(
      changedFields(context, others, before.get(id) as Json, read),
      [],
      `an update of the point ${id} must keep its other fields`,
      {
        clauses: [KEEPS],
      },
    );
  }
}

/** Asserts that a point which is added under two handles is in both methods. */
async function areAddedToEach(context: Context, points: readonly Json[]): Promise<void> {
  const methods = await unlessFull(context, () => methodsWith(context, 2, []));
  if (methods === undefined) return;
  const handles = methods.map(({ handle }) => handle);
  const added: string[] = [];
  for (const point of points)
    if (isServed(await context.send(context.delivery.addPoint(handles, point), 'add'))) added.push(String(point.id));
  for (const method of methods) {
    const listed = idsOf(await listPoints(context, method));
    const lost = added.filter((id) => !listed.includes(id));
    context.expect.equal(
      lost,
      [],
      'points that are added under two handles must be in both methods (only lost ones are shown)',
      {
        clauses: [ADDS],
        pointer: '/pickup_points',
      },
    );
  }
}

/** Asserts that each point can be deleted if some can, and is gone then. */
async function areDeleted(context: Context, method: Method, ids: readonly string[]): Promise<void> {
  const { expect, send } = context;
  const responses = await inTurn(ids, (id) => send(method.delivery.deletePoint(method.handle, id), 'delete'));
  const deleted = ids.filter((_, at) => isServed(responses[at]!));
  const listed = idsOf(await listPoints(context, method));
  expect.equal(
    deleted.filter((id) => listed.includes(id)),
    [],
    'deleted points must no longer be listed (only listed ones are shown)',
    { clauses: [REMOVES], pointer: '/pickup_points' },
  );
  expectDeletedLikeOthers(
    context,
    ids.map((id) => `the point ${id}`),
    responses,
    REMOVES,
  );
}

export const checks: readonly Check[] = [
  // The clauses are decided by checks of their own; `unusual.test.ts` proves each part.
  check(
    'delivery.point.unusual-points',
    'MUST treat points that lack a field, or differ from most in another way, like any other',
    {
      ...OWN_METHODS,
      clauses: [APPLIES, KEEPS, LEAVES, REMOVES, LEFT_BY_DELETE, LEFT_BY_COUNTRY, ADDS, AGREES, READS, ANY_ID],
      additional: true,
    },
    async (context) => {
      const method = await methodWith(context, []);
      const { points, clause } = await takenPoints(context, method);
      if (points.length === 0) throw new Skipped('the service takes none of the unusual points');
      const ids = points.map(({ id }) => String(id));
      await pointsBy(context, method, ids, clause);
      await staysBesideOthers(context, method, ids);
      const listed = await pointsBy(context, method, ids, LEAVES);
      const before = new Map([...listed].filter(([id]) => ids.includes(id)));
      await areReadAlone(context, method, before);
      await areUpdated(context, method, before);
      await areAddedToEach(context, points);
      await areDeleted(context, method, ids);
    },
  ),
];
