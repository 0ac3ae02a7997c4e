// What is wrong for one owner of methods only: another store, a delivery provider.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { profileOf } from '../../../mock/profile.ts';
import { type DeviationRow, findsEach, type Http, judged } from './whole-state.fixture.ts';

/** Cases of each property in which every owner has its turn. */
const RUNS = 40;

/** A deviation for every key but that of the first store. */
const forOthers =
  (http: NonNullable<Http>): (() => Http) =>
  () =>
  (request, next, service) => {
    const { delivery } = profileOf(service) as { delivery: { private: { apiKey: string } } };
    const first = `ApiKey ${delivery.private.apiKey}`;
    return request.headers.get('authorization') === first ? next(request) : http(request, next, service);
  };

/** The page of a list with its items in another order. */
const backwards: NonNullable<Http> = async (request, next) => {
  const response = await next(request);
  if (!/pickup_points\/\?.*page_size=3\b/.test(request.url)) return response;
  const page = (await response.json()) as { pickup_points?: unknown[] };
  return Response.json({ ...page, pickup_points: page.pickup_points?.toReversed() }, { status: response.status });
};
/** The same for the methods of an owner. */
const methodsBackwards: NonNullable<Http> = async (request, next) => {
  const response = await next(request);
  if (!/delivery_methods\/\?.*page_size=[3-6]\b/.test(request.url)) return response;
  const page = (await response.json()) as { delivery_methods?: unknown[] };
  return Response.json({ ...page, delivery_methods: page.delivery_methods?.toReversed() }, { status: response.status });
};
/** The last of a full call's points is lost. */
const lastOfHundred: NonNullable<Http> = async (request, next) => {
  if (!request.url.includes('batch_replace')) return next(request);
  const body = (await request.clone().json()) as { pickup_points?: unknown[] };
  if (body.pickup_points?.length !== 100) return next(request);
  const { method, url, headers } = request;
  const sent = JSON.stringify({ ...body, pickup_points: body.pickup_points.slice(0, 99) });
  return next(new Request(url, { method, headers, body: sent }));
};
/** Plus signs in paths are taken for spaces. */
const plusAsSpace: NonNullable<Http> = (request, next) =>
  next(new Request(request.url.replaceAll('%2B', '%20'), request));
/** An update of a point is forgotten. */
const updateForgotten: NonNullable<Http> = (request, next) =>
  request.method === 'PUT' && request.url.includes('/pickup_point/')
    ? Promise.resolve(Response.json({ error: false }))
    : next(request);

const ROWS: ReadonlyArray<readonly [property: string, ...DeviationRow]> = [
  [
    'properties.lists.walks',
    'methods come backwards to other owners',
    forOthers(methodsBackwards),
    /^delivery\.lists\./,
  ],
  ['properties.lists.walks', 'pages come backwards to other owners', forOthers(backwards), /^delivery\.lists\./],
  [
    'properties.batch.portions',
    'a full call of other owners loses a point',
    forOthers(lastOfHundred),
    /^delivery\.batch\./,
  ],
  ['properties.points.ids', 'paths of other owners are read as forms', forOthers(plusAsSpace), /^delivery\.point\.id-/],
  [
    'properties.delivery.whole-state',
    'other owners change no points',
    forOthers(updateForgotten),
    /^delivery\.point\.update-applies$/,
  ],
];
for (const [property, ...row] of ROWS) findsEach(property, [row], RUNS);

test('owners who may write nothing are left out, and decide nothing', async () => {
  const refused = forOthers((request, next) =>
    request.method === 'GET'
      ? next(request)
      : Promise.resolve(Response.json({ error: true, error_code: 403, error_message: 'Forbidden' }, { status: 403 })),
  );
  for (const property of ['properties.lists.walks', 'properties.batch.portions', 'properties.points.ids']) {
    const result = await judged(property, refused(), RUNS);
    assert.equal(result.verdict, 'pass', result.reason);
  }
});
