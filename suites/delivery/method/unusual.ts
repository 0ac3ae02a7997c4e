/**
 * Methods that lack a field, or have a long reference, other letters or many countries: a call does to them and to their points what it
 * does to any, and leaves them alone where it is for another one (spec: Endpoints, A. Delivery endpoints). A service may refuse each.
 */
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { Skipped } from '../../../harness/check/failures.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { wholeList } from '../batch/calls.ts';
import { MANY_COUNTRIES } from '../steps/awkward-values/countries.ts';
import { expectDeletedLikeOthers } from '../steps/deleted-like-others.ts';
import { changedFields, inOneLanguage, METHOD_FIELDS, type MethodField, readBackFaults } from '../steps/fields.ts';
import { inTurn, mayOmitTitle, tryMethod } from '../steps/methods/create-method.ts';
import { OWN_METHODS } from '../steps/options.ts';
import { idsOf, listedByHandle, listPoints, type Method } from '../steps/reading.ts';
import { changeOfMethod, changeOfPoint, pointAt } from '../steps/values.ts';

const LISTED = 'delivery.method.list-contains-own';
const APPLIES = 'delivery.method.update-applies';
const KEEPS = 'delivery.method.update-keeps-omitted-fields';
const LEAVES = 'delivery.method.update-leaves-other-methods';
const REMOVES = 'delivery.method.delete-removes';
const LEFT_BY_DELETE = 'delivery.method.delete-leaves-other-methods';
const POINTS = {
  replaced: 'delivery.batch.replaces-all',
  added: 'delivery.point.create-stores',
  changed: 'delivery.point.update-applies',
  deleted: 'delivery.point.delete-removes',
  ofCountry: 'delivery.batch.country-replaces',
} as const;

const COUNTRIES = 20;
/** A country of none of the other points. */
const ELSEWHERE = { country: 'LT' } as const;

function unusualMethods(context: Context): Json[] {
  const { resources } = context;
  const titled = (words: string): unknown => inOneLanguage(context, `${words} ${resources.newMark()}`);
  return [
    ...(mayOmitTitle(context) ? [{ title: undefined }] : []),
    { reference: undefined, title: titled('No reference') },
    { available_countries_from: undefined, available_countries_to: undefined, title: titled('No country') },
    { available_countries_to: MANY_COUNTRIES.slice(0, COUNTRIES), title: titled('Countries') },
    { reference: `${resources.newMark()} ${'of a long name '.repeat(12)}7`, title: titled('Long') },
    { reference: `${resources.newMark()} Rīga & Co`, title: titled('Ķīpsala & Co, 東京') },
  ];
}

/** A method with a short title in one language, as far as the service takes that, and else with the usual title. */
async function tryTitled(context: Context, fields: Json): Promise<Method | undefined> {
  const { method } = await tryMethod(context, context.delivery, fields);
  if (method !== undefined || fields.title === undefined) return method;
  const { title: _, ...others } = fields;
  return (await tryMethod(context, context.delivery, others)).method;
}

/** The methods as the list shows them, by their handles. Asserts that none of them is missing. */
async function listed(context: Context, methods: readonly Method[], when: string, clause: string) {
  const handles = methods.map(({ handle }) => handle);
  const found = await listedByHandle(context, context.delivery, handles);
  const lost = handles.filter((handle) => !found.has(handle));
  context.expect.equal(lost, [], `the list must contain all methods ${when} (only missing ones are shown)`, {
    clauses: [clause],
    pointer: '/delivery_methods',
  });
  return found;
}

/** Asserts that calls for the points of a method, as far as they are served, have their effect. Resolves with the number of its points. */
async function servesPoints(context: Context, method: Method): Promise<number> {
  const { expect, send } = context;
  const { delivery, handle } = method;
  const both = [pointAt(context, 'changed'), pointAt(context, 'deleted')];
  if (!isServed(await send(wholeList(method, both), 'list'))) return 0;
  const isAdded = isServed(await send(delivery.addPoint(handle, pointAt(context, 'added')), 'add'));
  const change = changeOfPoint(context, 'Changed');
  const isChanged = isServed(await send(delivery.changePoint(handle, 'changed', change), 'change'));
  const isDeleted = isServed(await send(delivery.deletePoint(handle, 'deleted'), 'delete'));
  const ofCountry = [{ ...pointAt(context, 'of-country'), ...ELSEWHERE }];
  const isListed = isServed(await send(wholeList(method, ofCountry, ELSEWHERE), 'list for a country'));
  const points = new Map((await listPoints(context, method)).map((point) => [point.id, point]));
  const shows = (id: string, isDue: boolean, clause: string): void =>
    expect.that(
      points.has(id) === isDue,
      `the point "${id}" must ${isDue ? '' : 'no longer '}be listed in its method`,
      {
        clauses: [clause],
        expected: isDue,
        actual: points.has(id),
        pointer: '/pickup_points',
      },
    );
  shows('changed', true, POINTS.replaced);
  if (isAdded) shows('added', true, POINTS.added);
  if (isListed) shows('of-country', true, POINTS.ofCountry);
  shows('deleted', !isDeleted, isDeleted ? POINTS.deleted : POINTS.replaced);
  const [field] = Object.keys(change) as ['city' | 'title'];
  const faults = isChanged ? readBackFaults(context, field, change[field], points.get('changed')?.[field]) : [];
  expect.noFaults(faults, 'an update of a point must apply', { clauses: [POINTS.changed] });
  return points.size;
}

/** Asserts that calls which are for another method leave these. */
async function stayBesideOthers(context: Context, methods: readonly Method[]): Promise<void> {
  const { delivery, resources, send } = context;
  const other = await tryTitled(context, { title: inOneLanguage(context, `Beside ${resources.newMark()}`) });
  // What is lost stays lost: at the first try it is enough to look once.
  if (context.explains || other === undefined) await listed(context, methods, 'after another one was created', LISTED);
  if (other === undefined) return;
  await send(delivery.changeMethod(other.handle, changeOfMethod(context)), 'beside');
  if (context.explains) await listed(context, methods, 'after another one was changed', LEAVES);
  await send(delivery.deleteMethod(other.handle), 'beside');
  await listed(context, methods, 'after another one was deleted', LEFT_BY_DELETE);
}

/** Asserts that an update of each method applies, and keeps its other fields and its points. */
async function areUpdated(context: Context, methods: readonly Method[], counts: readonly number[]): Promise<void> {
  const { delivery, expect, given, resources, send } = context;
  const before = await listed(context, methods, 'that were created', LISTED);
  const changes = new Map<Method, Json>();
  for (const method of methods) {
    const changesOf = [{ title: given.text(`Changed ${resources.newMark()}`) }, changeOfMethod(context)];
    // A new title first: what a reference is like is what makes some of them unusual.
    for (const change of before.get(method.handle)?.title ? changesOf : changesOf.toReversed()) {
      if (!isServed(await send(delivery.changeMethod(method.handle, change), 'change'))) continue;
      changes.set(method, change);
      break;
    }
  }
  const after = await listed(context, methods, 'that were changed', LEAVES);
  for (const [{ handle }, change] of changes) {
    const [was, is] = [before.get(handle) as Json, after.get(handle) as Json];
    const [field] = Object.keys(change) as [MethodField];
    expect.noFaults(readBackFaults(context, field, change[field], is[field]), 'an update of a method must apply', {
      clauses: [APPLIES],
    });
    const others = METHOD_FIELDS.filter((name) => name !== field);
    const lost = changedFields(context, others, was, is);
    expect.equal(lost, [], `an update of ${field} must keep the other fields`, { clauses: [KEEPS] });
  }
  const now = await inTurn(methods, async (method) => (await listPoints(context, method)).length);
  expect.equal(now, counts, 'an update of a method must keep its points (their number is shown)', {
    clauses: [KEEPS],
    pointer: '/pickup_points',
  });
}

/** Asserts that each method can be deleted if some can, and is gone then. */
async function areDeleted(context: Context, methods: readonly Method[]): Promise<void> {
  const { delivery, expect } = context;
  const responses = await inTurn(methods, (method) => deleteEmptied(context, method));
  const deleted = methods.filter((_, at) => isServed(responses[at]!)).map(({ handle }) => handle);
  const found = await listedByHandle(context, delivery, deleted);
  expect.equal([...found.keys()], [], 'deleted methods must no longer be listed (only listed ones are shown)', {
    clauses: [REMOVES],
    pointer: '/delivery_methods',
  });
  expectDeletedLikeOthers(
    context,
    methods.map(({ handle }) => `the method ${handle}`),
    responses,
    REMOVES,
  );
}

/** Deletes a method; without its points if it is refused with them, for which a service may have reasons. */
async function deleteEmptied(context: Context, method: Method): Promise<ServiceResponse> {
  const { delivery, send } = context;
  const { handle } = method;
  const response = await send(delivery.deleteMethod(handle), 'delete');
  if (isServed(response)) return response;
  if (!isServed(await send(wholeList(method, []), 'list')))
    for (const id of idsOf(await listPoints(context, method))) await send(delivery.deletePoint(handle, id), 'delete');
  return send(delivery.deleteMethod(handle), 'delete');
}

export const checks: readonly Check[] = [
  // The clauses are decided by checks of their own; `unusual.test.ts` proves each part.
  check(
    'delivery.method.unusual-methods',
    'MUST treat methods that lack a field, or differ from most in another way, like any other',
    {
      ...OWN_METHODS,
      clauses: [LISTED, APPLIES, KEEPS, LEAVES, REMOVES, LEFT_BY_DELETE, ...Object.values(POINTS)],
      additional: true,
    },
    async (context) => {
      const tried = await inTurn(unusualMethods(context), (fields) => tryTitled(context, fields));
      const methods = tried.filter((method) => method !== undefined);
      if (methods.length === 0) throw new Skipped('the service takes none of the unusual methods');
      const counts = await inTurn(methods, (method) => servesPoints(context, method));
      await areUpdated(context, methods, counts);
      await stayBesideOthers(context, methods);
      await areDeleted(context, methods);
    },
  ),
];
