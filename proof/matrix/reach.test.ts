import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MatrixCheck } from '../../contracts/run/selftest.ts';
import { faults } from '../../mock/deviations.ts';
import { createService } from '../../mock/service.ts';
import type { Part } from '../../mock/types/deviation.ts';
import { checksFor, note } from './reach.ts';

const check = (id: string, clause = `clause.${id}`): MatrixCheck => ({
  id,
  title: `MUST ${id}`,
  level: 'MUST',
  suite: 's',
  clauses: [clause],
  browser: false,
});
const checks = [check('a'), check('b'), check('c')];
const ids = (found: readonly MatrixCheck[]): string[] => found.map(({ id }) => id);

test('each path is noted once, under the parts whose faults it would meet', () => {
  const reach: Record<string, Part[]> = {};
  const paths = [
    '/v1/store/delivery_methods/',
    '/v1/apps/user/',
    '/api/websites/',
    '/api/',
    '/login/x',
    '/site/shop/',
    '/',
  ];
  for (const [at, path] of paths.entries()) note(reach, String(at), path);
  note(reach, '0', '/v1/');
  note(reach, '0', '/v1/apps/user/');
  assert.deepEqual(Object.values(reach), [
    ['delivery', 'apps'],
    ['apps'],
    ['reseller'],
    ['reseller'],
    ['reseller', 'pages'],
    ['apps', 'reseller', 'pages'],
    ['pages'],
  ]);
});

test('a fault of one part is tried with the checks that ask it, and with those of its clauses', () => {
  const reach = { a: ['apps' as const], b: ['delivery' as const, 'apps' as const] };
  const row = { only: 'apps' as const, clauses: ['clause.c'] };
  assert.deepEqual(ids(checksFor(row, 1, checks, reach)), ['a', 'b', 'c']);
  assert.deepEqual(ids(checksFor({ ...row, clauses: [] }, 1, checks, reach)), ['a', 'b']);
  assert.deepEqual(ids(checksFor({ only: 'reseller', clauses: [] }, 1, checks, reach)), []);
});

test('all other rows, and one in sixteen, are tried with every check', () => {
  assert.equal(checksFor({ clauses: [] }, 1, checks, {}).length, 3);
  assert.equal(checksFor({ only: 'apps', clauses: [] }, 16, checks, {}).length, 3);
  assert.equal(checksFor({ only: 'apps', clauses: [] }, 17, checks, {}).length, 0);
});

test('a service whose deviations are all of one part is as usual everywhere else', async () => {
  const fault = faults.find(({ id }) => id === 'status.refusals-are-200');
  assert.ok(fault);
  const asks = async (parts: readonly (Part | undefined)[], path: string): Promise<number> => {
    const deviations = parts.map((only) => ({ ...fault, ...(only === undefined ? {} : { only }) }));
    const service = createService({ origin: 'http://127.0.0.1:4010', deviations });
    return (await service.fetch(new Request(`http://127.0.0.1:4010${path}`))).status;
  };
  const [delivery, apps] = ['/v1/store/delivery_methods/', '/v1/apps/user/'];
  assert.deepEqual([await asks([undefined], delivery), await asks([undefined], apps)], [200, 200]);
  assert.deepEqual([await asks(['delivery'], delivery), await asks(['delivery'], apps)], [200, 401]);
  assert.deepEqual([await asks(['apps'], delivery), await asks(['apps'], apps)], [401, 200]);
  assert.deepEqual([await asks(['pages'], delivery), await asks(['pages'], apps)], [401, 401]);
  assert.deepEqual([await asks(['delivery', 'apps'], delivery), await asks(['delivery', undefined], apps)], [200, 200]);
});
