import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServiceResponse } from '../client/types.ts';
import { answerOf } from '../response/response.ts';
import { Secret } from '../secrets/secret.ts';
import { authorizeCall, Reseller, type Via } from './reseller.ts';
import { SessionRenewal } from './session-renewal.ts';

const OLD = new Secret('API_TOKEN', 'token-of-the-first-login');
const NEW = new Secret('API_TOKEN', 'token-of-the-second-login');

const answer = (status: number, json: unknown): ServiceResponse =>
  answerOf({
    status,
    headers: [['content-type', 'application/json']],
    bytes: Buffer.from(JSON.stringify(json)),
    durationMs: 1,
    exchange: 1,
    request: { method: 'POST', url: 'https://api.example/api/' },
  });

const UNAUTHORIZED = answer(401, { error: true, errorCode: 401, errorMsg: 'Unauthorized' });

/** Answers to a call with the token of the session, and whether they ask for a new login. */
const TABLE: ReadonlyArray<readonly [string, ServiceResponse, boolean]> = [
  ['a refusal with 401', UNAUTHORIZED, true],
  ['an envelope with 401 under 200', answer(200, { error: true, errorCode: 401, errorMsg: 'Unauthorized' }), true],
  ['another refusal', answer(403, { error: true, errorCode: 403, errorMsg: 'Forbidden' }), false],
  ['a success', answer(200, { error: false }), false],
  ['a gateway', answer(503, {}), false],
];

test('a 401 to the token of the session asks for a new login, by GET and by POST', () => {
  for (const via of ['GET', 'POST'] satisfies Via[]) {
    for (const [name, got, due] of TABLE)
      assert.equal(new SessionRenewal().isDue(new Reseller(OLD).readBalance(via), got, OLD), due, `${name} by ${via}`);
  }
});

test('a token of the check, no token, and a login are left to the check', () => {
  const renewal = new SessionRenewal();
  assert.equal(renewal.isDue(new Reseller(NEW).readBalance(), UNAUTHORIZED, OLD), false);
  assert.equal(renewal.isDue(new Reseller(OLD).readBalance(), UNAUTHORIZED, undefined), false);
  assert.equal(renewal.isDue(authorizeCall('a@b.example', 'secret'), UNAUTHORIZED, OLD), false);
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

test('what a new token does not help is not repeated a second time', () => {
  const renewal = new SessionRenewal();
  const call = new Reseller(OLD).enableWebsite(7);
  assert.ok(renewal.isDue(call, UNAUTHORIZED, OLD));
  renewal.repeated(call, UNAUTHORIZED);
  assert.equal(renewal.isDue(call, UNAUTHORIZED, OLD), false);
  assert.ok(renewal.isDue(new Reseller(OLD).disableWebsite(7), UNAUTHORIZED, OLD));
});
