// What the faults of the matrix do not do: each deviation is about one kind of point only.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DELIVERY_SUITES } from '../../delivery/index.ts';
import { type DeviationRow, type Http, judged } from '../../properties/steps/whole-state.fixture.ts';

const ID = 'delivery.point.unusual-points';
const done = async (): Promise<Response> => Response.json({ error: false });

/** A call that reports success and does nothing. */
const ignored =
  (method: string, path: RegExp): (() => Http) =>
  () =>
  (request, next) =>
    request.method === method && path.test(decodeURIComponent(new URL(request.url).pathname)) ? done() : next(request);

const hasKnown = (body: string): boolean => body.includes('"no-zip"');

const DEVIATIONS: readonly DeviationRow[] = [
  [
    'a delete of a point without a zip does nothing',
    ignored('DELETE', /\/no-zip\/$/),
    /^delivery\.point\.delete-removes$/,
  ],
  [
    'a delete of a point without a zip is refused',
    () => (request, next) =>
      request.method === 'DELETE' && request.url.endsWith('/no-zip/')
        ? Promise.resolve(Response.json({ error: true, error_code: 409, error_message: 'Not now.' }, { status: 409 }))
        : next(request),
    /^delivery\.point\.delete-removes$/,
  ],
  [
    'an update of a point with a long id does nothing',
    ignored('PUT', /\/locker-/),
    /^delivery\.point\.update-applies$/,
  ],
  [
    'a point without a zip that is added to two methods is lost',
    () => async (request, next) =>
      request.method === 'POST' && request.url.includes(',') && hasKnown(await request.clone().text())
        ? done()
        : next(request),
    /^delivery\.handles\.add-to-each$/,
  ],
  [
    'a new point removes those without a country',
    () => async (request, next, service) => {
      const response = await next(request);
      const [, handle = ''] = /delivery_method\/([^/,]+)\/pickup_point\/$/.exec(request.url) ?? [];
      const list = handle === '' || request.method !== 'POST' ? undefined : service.state.points.of(handle);
      if (list !== undefined)
        service.change(() => {
          for (const { id, country } of list.all()) if (country === null) list.remove(id);
        });
      return response;
    },
    /^delivery\.point\.update-leaves-other-points$/,
  ],
  [
    'a list for a country removes points with many attributes',
    () => async (request, next, service) => {
      const isOfCountry =
        request.url.endsWith('batch_replace/') && (await request.clone().text()).includes('"country":"LT"}');
      const response = await next(request);
      const [, handle = ''] = /delivery_method\/([^/,]+)\//.exec(request.url) ?? [];
      if (isOfCountry) service.change(() => service.state.points.of(handle).remove('described'));
      return response;
    },
    /^delivery\.batch\.country-keeps-others$/,
  ],
  [
    'an update of a point without a city loses its zip',
    () => async (request, next, service) => {
      const response = await next(request);
      const [, handle = ''] = /delivery_method\/([^/,]+)\/pickup_point\/no-city\/$/.exec(request.url) ?? [];
      const point =
        handle === '' || request.method !== 'PUT' ? undefined : service.state.points.of(handle).get('no-city');
      if (point !== undefined) service.change(() => service.state.points.of(handle).replace({ ...point, zip: null }));
      return response;
    },
    /^delivery\.point\.update-keeps-omitted-fields$/,
  ],
  [
    'a point in another country reads alone without its zip',
    () => async (request, next) => {
      const response = await next(request);
      if (!request.url.endsWith('/abroad/') || request.method !== 'GET' || response.status !== 200) return response;
      return Response.json({ ...((await response.json()) as object), zip: null });
    },
    /^delivery\.point\.list-agrees-with-read$/,
  ],
];

for (const [name, http, clause] of DEVIATIONS)
  test(`is found: ${name}`, async () => {
    const result = await judged(ID, http(), 0, DELIVERY_SUITES);
    assert.equal(result.verdict, 'fail', result.reason);
    assert.match(result.clauses.join(' '), clause, result.reason);
  });

/** Refuses calls whose body says so. */
const refusing =
  (isRefused: (body: string, method: string) => boolean): Http =>
  async (request, next) =>
    isRefused(request.body === null ? '' : await request.clone().text(), request.method)
      ? Response.json({ error: true, error_code: 422, error_message: 'Not so.' }, { status: 422 })
      : next(request);

test('a service that takes such points one by one, or none of them, is not blamed', async () => {
  const inLists = await judged(
    ID,
    refusing((body) => body.includes('"pickup_points"') && hasKnown(body)),
    0,
    DELIVERY_SUITES,
  );
  assert.equal(inLists.verdict, 'pass', inLists.reason);
  const isUnusual = (body: string): boolean =>
    /"(?:no-\w+|locker-[\w-]+|Ķīpsala & Co 7|far|abroad|described)"/.test(body);
  const none = await judged(ID, refusing(isUnusual), 0, DELIVERY_SUITES);
  assert.equal(none.verdict, 'not-applicable', none.reason);
  const noUpdates = await judged(
    ID,
    refusing((_body, method) => method === 'PUT'),
    0,
    DELIVERY_SUITES,
  );
  assert.equal(noUpdates.verdict, 'pass', noUpdates.reason);
});
