import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServiceRequest } from '../client/request.ts';
import type { ServiceResponse } from '../client/types.ts';
import { responseOf } from '../response/response.ts';
import { Secret } from '../secrets/secret.ts';
import { authorizeCall, Reseller, type Via } from './reseller.ts';
import { carriesToken, SessionRenewal } from './session-renewal.ts';

const OLD = new Secret('API_TOKEN', 'token-of-the-first-login');
const NEW = new Secret('API_TOKEN', 'token-of-the-second-login');

const response = (status: number, json: unknown): ServiceResponse =>
  responseOf({
    status,
    headers: [['content-type', 'application/json']],
    bytes: Buffer.from(JSON.stringify(json)),
    durationMs: 1,
    exchange: 1,
    request: { method: 'POST', url: 'https://api.example/api/' },
  });

const SERVED = response(200, { error: false });
const REFUSED = response(403, { error: true, errorCode: 403, errorMsg: 'Forbidden' });

/** Sends nothing: serves the given calls, and writes all down. */
function target(serves: (call: ServiceRequest) => boolean) {
  const calls: ServiceRequest[] = [];
  const send = async (call: ServiceRequest): Promise<ServiceResponse> => {
    calls.push(call);
    return serves(call) ? SERVED : REFUSED;
  };
  return { calls, send };
}

test('the token of a call is found in its query and in its form', () => {
  for (const via of ['GET', 'POST'] satisfies Via[]) {
    assert.equal(carriesToken(new Reseller(OLD).readBalance(via), OLD), true);
    assert.equal(carriesToken(new Reseller(OLD).readBalance(via), NEW), false);
  }
  assert.equal(carriesToken(authorizeCall('a@b.example', 'secret'), OLD), false);
  assert.equal(carriesToken(new Reseller(OLD).readBalance(), undefined), false);
});

test('calls that were made with a former token go out with the present one, until a logout', () => {
  const renewal = new SessionRenewal();
  const call = new Reseller(OLD).readSettings();
  assert.deepEqual(renewal.current(call, NEW), call);
  renewal.ended(OLD);
  for (const via of ['GET', 'POST'] satisfies Via[])
    assert.deepEqual(renewal.current(new Reseller(OLD).readSettings(via), NEW), new Reseller(NEW).readSettings(via));
  renewal.forget();
  assert.deepEqual(renewal.current(call, NEW), call);
});

test('a token is tried by the balance, by either way, as long as no read is known to be served', async () => {
  const byGet = target(({ method }) => method === 'GET');
  assert.equal(await new SessionRenewal().isGood(NEW, byGet.send), true);
  assert.deepEqual(byGet.calls, [new Reseller(NEW).readBalance('POST'), new Reseller(NEW).readBalance('GET')]);
  assert.equal(await new SessionRenewal().isGood(NEW, target(() => false).send), false);
});

test('a token is tried by a read that was served before, in the way in which it was', async () => {
  const renewal = new SessionRenewal();
  renewal.served(new Reseller(OLD).listWebsites('GET'));
  renewal.served(new Reseller(OLD).enableWebsite('7'));
  renewal.served(new Reseller(OLD).listDomains('7'));
  const { calls, send } = target(({ path }) => path === 'websites/');
  assert.equal(await renewal.isGood(NEW, send), true);
  assert.deepEqual(calls, [new Reseller(NEW).listWebsites('GET')]);
});
