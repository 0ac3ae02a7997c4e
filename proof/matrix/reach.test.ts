import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MatrixCheck } from '../../contracts/run/selftest.ts';
import { sharingOf } from '../../harness/check/running/sharing.ts';
import { faults } from '../../mock/deviations.ts';
import { createService } from '../../mock/service.ts';
import type { Deviation, Http, Part } from '../../mock/types/deviation.ts';
import { checksFor, Reach, sampleOf } from './reach.ts';

const ORIGIN = 'http://127.0.0.1:4010';
const METHODS = '/v1/store/delivery_methods/';

const check = (id: string): MatrixCheck => ({
  id,
  title: `MUST ${id}`,
  level: 'MUST',
  suite: 's',
  clauses: [`clause.${id}`],
  browser: false,
});
const checks = [check('a'), check('b'), check('c')];
const ids = (found: readonly MatrixCheck[]): string[] => found.map(({ id }) => id);

/** The deviations that checks with these requests (method and path) reach. */
async function reachOf(deviations: readonly Deviation[], asked: Readonly<Record<string, string>>): Promise<Reach> {
  const reach = new Reach(deviations);
  const service = createService({ origin: ORIGIN, deviations: [reach.asDeviation()] });
  const send = reach.noting((request) => service.fetch(request));
  for (const [id, request] of Object.entries(asked)) {
    reach.begin(id);
    const [method = '', path = ''] = request.split(' ');
    await send(new Request(ORIGIN + path, { method }));
  }
  return reach;
}

/** A deviation that changes every response. */
const changes: Http = async () => new Response('other');

const metBy = (reach: Reach, id: string, ...of: string[]): string[] => of.filter((one) => reach.meets(one, id));

test('checks reach a deviation of one part if they send requests to this part', async () => {
  const paths = [METHODS, '/v1/apps/user/', '/api/websites/', '/api/', '/login/x', '/site/shop/', '/'];
  const parts: readonly Part[] = ['delivery', 'apps', 'reseller', 'pages'];
  const deviations = parts.map((only): Deviation => ({ id: only, about: '', only, http: changes }));
  const reach = await reachOf(deviations, Object.fromEntries(paths.map((path) => [path, `GET ${path}`])));
  assert.deepEqual(
    paths.map((path) => parts.filter((part) => reach.meets(path, part))),
    [
      ['delivery'],
      ['apps'],
      ['reseller'],
      ['reseller'],
      ['reseller', 'pages'],
      ['apps', 'reseller', 'pages'],
      ['pages'],
    ],
  );
});

test('checks reach a deviation in front of the service if it changes what they get', async () => {
  const isAbout = (method: string, path: string): boolean => method === 'GET' && path === METHODS;
  const http = Object.assign<Http, Pick<Http, 'isAbout'>>((...args) => changes(...args), { isAbout });
  const passing: Http = (request, next) => next(request);
  const reach = await reachOf(
    [
      { id: 'x', about: '', http },
      { id: 'passing', about: '', http: passing },
    ],
    { a: `GET ${METHODS}`, b: `DELETE ${METHODS}`, c: 'GET /api/' },
  );
  assert.deepEqual(metBy(reach, 'x', 'a', 'b', 'c'), ['a']);
  assert.deepEqual(metBy(reach, 'passing', 'a', 'b', 'c'), []);
});

test('checks reach a deviation of rules if a rule decides differently or cannot be called twice', async () => {
  const deviations: Deviation[] = [
    { id: 'same', about: '', rules: ({ errorStatus }) => ({ errorStatus: (kind) => errorStatus(kind) }) },
    {
      id: 'other',
      about: '',
      rules: ({ errorStatus }) => ({ errorStatus: (k) => (k === 'unauthorized' ? 403 : errorStatus(k)) }),
    },
    { id: 'throws', about: '', rules: () => ({ errorEnvelope: () => assert.fail('never') }) },
    { id: 'nothing', about: '', rules: () => ({ retryAfterSeconds: () => null }) },
    { id: 'not-asked', about: '', rules: () => ({ publish: () => undefined }) },
    { id: 'rows', about: '', fixtures: (rows) => rows },
  ];
  const reach = await reachOf(deviations, { a: `GET ${METHODS}`, b: 'GET /v1/nowhere/' });
  assert.deepEqual(
    deviations.map(({ id }) => metBy(reach, id, 'a', 'b', 'c').join()),
    ['', 'a', 'a,b', '', '', 'a,b'],
  );
});

test('a check reaches what the checks reach with which it shares requests', () => {
  const other: Deviation = { id: 'x', about: '', fixtures: (rows) => rows };
  const sharing = sharingOf([{ id: 'a', shares: 'one list' }, { id: 'b', shares: 'one list' }, { id: 'c' }]);
  const reach = new Reach([other], sharing);
  reach.begin('a');
  reach.note(METHODS);
  assert.deepEqual(metBy(reach, 'x', 'a', 'b', 'c'), ['a', 'b']);
});

test('a row runs the checks that reach it, and one row in 512 runs all', async () => {
  const other: Deviation = { id: 'x', about: '', http: changes };
  const reach = await reachOf([other], { a: `GET ${METHODS}` });
  const row = { kind: 'fault' as const, clauses: ['clause.c'], deviations: ['x'] };
  assert.deepEqual(
    ids(checksFor(row, 1, checks, reach)),
    ['a', 'c'],
    'no check of the clause reaches it: they show that',
  );
  const alsoOfA = { ...check('d'), clauses: ['clause.a', 'clause.d'] };
  assert.deepEqual(ids(checksFor({ ...row, clauses: ['clause.a'] }, 1, [...checks, alsoOfA], reach)), ['a']);
  assert.deepEqual(ids(checksFor({ ...row, kind: 'variant', clauses: [] }, 1, checks, reach)), ['a']);
  assert.equal(checksFor(row, 512, checks, reach).length, 3);
  for (const kind of ['correct', 'independent', 'combination', 'control'] as const)
    assert.equal(checksFor({ ...row, kind }, 1, checks, reach).length, 3, kind);
});

test('a sample of a fault has one check in N, and one of each of its clauses; a variant is not sampled', () => {
  const many = Array.from({ length: 400 }, (_, at) => ({ ...check(`m${at}`), clauses: [`clause.${at % 100}`] }));
  const row = { kind: 'fault' as const, id: 'x', clauses: ['clause.7', 'clause.8'] };
  const drawn = (seed: number, id = 'x', sample = 4): string[] => ids(sampleOf({ ...row, id }, many, { sample, seed }));
  assert.deepEqual(drawn(1), drawn(1));
  assert.notDeepEqual(drawn(1), drawn(2));
  assert.notDeepEqual(drawn(1), drawn(1, 'y'));
  for (const seed of [1, 2, 3]) {
    assert.ok(drawn(seed).length > 60 && drawn(seed).length < 140, String(drawn(seed).length));
    const few = drawn(seed, 'x', 1_000_000);
    assert.deepEqual(few.map((id) => Number(id.slice(1)) % 100).sort(), [7, 8], 'one of each clause');
  }
  assert.notDeepEqual(drawn(1, 'x', 1_000_000), drawn(2, 'x', 1_000_000));
  assert.equal(sampleOf({ ...row, kind: 'variant' }, many, { sample: 4, seed: 1 }).length, 400);
  assert.equal(sampleOf(row, many, { sample: 1, seed: 1 }).length, 400);
});

test('a service whose deviations are all in one part behaves as usual in the others', async () => {
  const fault = faults.find(({ id }) => id === 'status.refusals-are-200');
  assert.ok(fault);
  const asks = async (parts: readonly (Part | undefined)[], path: string): Promise<number> => {
    const deviations = parts.map((only) => ({ ...fault, ...(only === undefined ? {} : { only }) }));
    const service = createService({ origin: ORIGIN, deviations });
    return (await service.fetch(new Request(`${ORIGIN}${path}`))).status;
  };
  const [delivery, apps] = [METHODS, '/v1/apps/user/'];
  assert.deepEqual([await asks([undefined], delivery), await asks([undefined], apps)], [200, 200]);
  assert.deepEqual([await asks(['delivery'], delivery), await asks(['delivery'], apps)], [200, 401]);
  assert.deepEqual([await asks(['apps'], delivery), await asks(['apps'], apps)], [401, 200]);
  assert.deepEqual([await asks(['pages'], delivery), await asks(['pages'], apps)], [401, 401]);
  assert.deepEqual([await asks(['delivery', 'apps'], delivery), await asks(['delivery', undefined], apps)], [200, 200]);
});
