import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServiceRequest } from '../../target/client/request.ts';
import type { OutgoingRequest, ServiceResponse } from '../../target/client/types.ts';
import type { Profile } from '../../target/profile/types.ts';
import { passingRefusal } from './passing-refusal.ts';

const CALL = { api: 'api', method: 'POST', path: 'settings/', query: [] } as unknown as ServiceRequest;
const REQUEST = { method: 'POST', url: 'http://127.0.0.1/api/settings/' } as OutgoingRequest;

const profile = { reseller: { website: 55003 } } as unknown as Profile;

const breachOf = (
  status: number,
  { wasServed = true, wasServedBy = true, isSuspected = false, path = CALL.path } = {},
) =>
  passingRefusal(
    {
      operations: { wasServed: () => wasServed, wasServedBy: () => wasServedBy },
      lockouts: { isSuspected: () => isSuspected },
      profile,
    },
    { ...CALL, path },
    REQUEST,
    { status, exchange: 7 } as ServiceResponse,
  );

test('a read that was served before by the same method counts against the service when it fails', () => {
  for (const status of [400, 404, 405, 422, 500, 501]) {
    const breach = breachOf(status);
    assert.equal(breach?.clause, 'reseller.authorize.token-works', `status ${status}`);
    assert.equal(breach.exchange, 7);
    assert.match(breach.reason, new RegExp(`^settings/ by POST was refused with status ${status}, `));
  }
});

test('a method that never was served, a lock, a limit and a gateway explain a refusal', () => {
  assert.equal(breachOf(500, { wasServed: false }), undefined);
  assert.equal(breachOf(500, { wasServedBy: false }), undefined);
  assert.equal(breachOf(500, { isSuspected: true }), undefined);
  for (const status of [200, 302, 401, 403, 408, 423, 425, 429, 502, 503, 504])
    assert.equal(breachOf(status), undefined, `status ${status}`);
});

test('the user of another website may end its conflict with a read between two calls', () => {
  assert.equal(breachOf(409, { path: 'website/55001/domains/' }), undefined);
  for (const [status, path] of [
    [409, 'website/55003/domains/'],
    [409, 'websites/'],
    [404, 'website/55001/domains/'],
  ] as const)
    assert.notEqual(breachOf(status, { path }), undefined, `${status} ${path}`);
});
