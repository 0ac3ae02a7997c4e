// What the faults of the matrix do not do: each deviation is about one kind of method only.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Method } from '../../../mock/types/method.ts';
import { DELIVERY_SUITES } from '../../delivery/index.ts';
import { type Http, judged } from '../../properties/steps/whole-state.fixture.ts';

const ID = 'delivery.method.unusual-methods';

/** Calls for the methods that it is about report success and do nothing, up to `most` of them. */
const ignored = (
  verb: string,
  path: RegExp,
  isMeant: (method: Method) => boolean,
  most = Number.POSITIVE_INFINITY,
): Http => {
  let times = 0;
  return async (request, next, service) => {
    const { pathname } = new URL(request.url);
    const method = service.state.methods.get(/delivery_method\/([^/]+)\//.exec(pathname)?.[1] ?? '');
    if (request.method !== verb || !path.test(pathname) || method === undefined || !isMeant(method))
      return next(request);
    times += 1;
    return times > most ? next(request) : Response.json({ error: false });
  };
};

const isUntitled = ({ title }: Method): boolean => title === null;
const hasNoReference = ({ reference }: Method): boolean => reference === null;
const isWidespread = ({ available_countries_to: to }: Method): boolean => (to?.length ?? 0) > 10;
const METHOD = /delivery_method\/[^/]+\/$/;

const DEVIATIONS: readonly (readonly [name: string, http: Http, clause: string])[] = [
  ['a delete of a method without a title', ignored('DELETE', METHOD, isUntitled, 1), 'delivery.method.delete-removes'],
  ['an update of a method in many countries', ignored('PUT', METHOD, isWidespread), 'delivery.method.update-applies'],
  [
    'a point for a method without a reference',
    ignored('POST', /pickup_point\/$/, hasNoReference),
    'delivery.point.create-stores',
  ],
  [
    'a list for a method without a title',
    ignored('POST', /batch_replace\/$/, isUntitled),
    'delivery.batch.replaces-all',
  ],
  [
    'a delete of a point of a method without a reference',
    ignored('DELETE', /pickup_point\/[^/]+\/$/, hasNoReference),
    'delivery.point.delete-removes',
  ],
];

for (const [name, http, clause] of DEVIATIONS)
  test(`is found that it does nothing: ${name}`, async () => {
    const result = await judged(ID, http, 0, DELIVERY_SUITES);
    assert.equal(result.verdict, 'fail', result.reason);
    assert.deepEqual(result.clauses, [clause], result.reason);
  });

test('is found that it is lost: a method without a title, when another one is deleted', async () => {
  const http: Http = async (request, next, service) => {
    const untitled = service.state.methods.filter(isUntitled);
    const response = await next(request);
    if (request.method === 'DELETE' && METHOD.test(request.url))
      service.change(() => {
        for (const { handle } of untitled) service.state.methods.delete(handle);
      });
    return response;
  };
  const result = await judged(ID, http, 0, DELIVERY_SUITES);
  assert.equal(result.verdict, 'fail', result.reason);
  assert.deepEqual(result.clauses, ['delivery.method.delete-leaves-other-methods']);
});

test('is found that it is lost: the countries of a method in many of them, with its update', async () => {
  const http: Http = async (request, next, service) => {
    const response = await next(request);
    const method = service.state.methods.get(/delivery_method\/([^/]+)\/$/.exec(request.url)?.[1] ?? '');
    if (request.method === 'PUT' && method !== undefined && isWidespread(method))
      service.change(() => service.state.methods.patch(method.handle, { available_countries_to: null }));
    return response;
  };
  const result = await judged(ID, http, 0, DELIVERY_SUITES);
  assert.equal(result.verdict, 'fail', result.reason);
  assert.deepEqual(result.clauses, ['delivery.method.update-keeps-omitted-fields']);
});

test('a service that requires a title and a reference, and changes no method, is not blamed', async () => {
  const http: Http = async (request, next) => {
    const body = request.body === null ? '' : await request.clone().text();
    const isNew = request.method === 'POST' && body.includes('"delivery_method"');
    const isBare = isNew && !(body.includes('"title"') && body.includes('"reference"'));
    if (!isBare && !(request.method === 'PUT' && METHOD.test(request.url))) return next(request);
    return Response.json({ error: true, error_code: 422, error_message: 'Not so.' }, { status: 422 });
  };
  const result = await judged(ID, http, 0, DELIVERY_SUITES);
  assert.equal(result.verdict, 'pass', result.reason);
});

const refusedDelete = (): Response =>
  Response.json({ error: true, error_code: 409, error_message: 'Not now.' }, { status: 409 });

/** Refuses deletes of a method as often as `times` says of it. */
const refusingDeletes =
  (times: (method: Method, hasPoints: boolean) => number): (() => Http) =>
  () => {
    const refused = new Map<string, number>();
    return async (request, next, service) => {
      const { pathname } = new URL(request.url);
      const handle = /delivery_method\/([^/]+)\/$/.exec(pathname)?.[1] ?? '';
      const method = service.state.methods.get(handle);
      if (request.method !== 'DELETE' || method === undefined) return next(request);
      const before = refused.get(handle) ?? 0;
      if (before >= times(method, service.state.points.of(handle).all().length > 0)) return next(request);
      refused.set(handle, before + 1);
      return refusedDelete();
    };
  };

test('is found that a method in many countries can not be deleted, with points or without', async () => {
  // The clean-up, which comes after two tries, can delete it.
  const http = refusingDeletes((method) => (isWidespread(method) ? 2 : 0));
  const result = await judged(ID, http(), 0, DELIVERY_SUITES);
  assert.equal(result.verdict, 'fail', result.reason);
  assert.deepEqual(result.clauses, ['delivery.method.delete-removes'], result.reason);
});

test('a service that deletes no method with points is not blamed', async () => {
  const http = refusingDeletes((_method, hasPoints) => (hasPoints ? Number.POSITIVE_INFINITY : 0));
  const result = await judged(ID, http(), 0, DELIVERY_SUITES);
  assert.equal(result.verdict, 'pass', result.reason);
});
