import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MatrixCheck } from '../../contracts/selftest.ts';
import type { Interface } from '../../mock/call.ts';
import { faults } from '../../mock/deviations.ts';
import { createService } from '../../mock/service.ts';
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

test('each path is noted once, under the interfaces whose faults it would meet', () => {
  const reach: Record<string, Interface[]> = {};
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
    ['reseller'],
    ['apps', 'reseller'],
    [],
  ]);
});

test('a fault of one interface is tried with the checks that call it, and with those of its clauses', () => {
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

test('a service that deviates in one interface only is as usual in the others', async () => {
  const asks = async (deviateOnly: Interface | undefined, path: string): Promise<number> => {
    const fault = faults.find(({ id }) => id === 'status.refusals-are-200');
    assert.ok(fault);
    const more = deviateOnly === undefined ? {} : { deviateOnly };
    const service = createService({ origin: 'http://127.0.0.1:4010', deviations: [fault], ...more });
    return (await service.fetch(new Request(`http://127.0.0.1:4010${path}`))).status;
  };
  const [delivery, apps] = ['/v1/store/delivery_methods/', '/v1/apps/user/'];
  assert.deepEqual([await asks(undefined, delivery), await asks(undefined, apps)], [200, 200]);
  assert.deepEqual([await asks('delivery', delivery), await asks('delivery', apps)], [200, 401]);
  assert.deepEqual([await asks('apps', delivery), await asks('apps', apps)], [401, 200]);
});
