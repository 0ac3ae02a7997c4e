import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { API, broken, type ExchangeDescription, judged, refusal } from '../traffic.fixture.ts';

const METHODS = 'store/delivery_methods/';
const method = { handle: 'm-1', title: 'Courier' };
const list: ExchangeDescription = { url: METHODS, response: { delivery_methods: [method] } };

describe('missing credentials', () => {
  const whole = { headersComplete: true };
  const bare: ExchangeDescription = { url: METHODS, headers: [], status: 401, response: refusal(401) };
  const clause = 'delivery.credentials.missing-key-refused';

  test('count where every header was recorded, next to a call that was served', () => {
    assert.equal(judged([bare, list], whole)(clause)?.verdict, 'pass');
    assert.equal(judged([bare], whole)(clause), undefined);
    assert.equal(judged([bare, list])(clause), undefined);
  });

  test('must not be served', () => {
    const served = { ...list, headers: [] };
    assert.deepEqual(broken([list, served], whole), [clause]);
    assert.deepEqual(broken([list, served]), []);
    assert.deepEqual(broken([list, { ...served, headers: [['Cookie', 'session=1']] }], whole), []);
  });

  test('must not be served where the recorder keeps the header of other calls, and no browser sent the call', () => {
    const served = { ...list, headers: [['Accept', '*/*']] as const };
    assert.deepEqual(broken([served, list]), [clause]);
    assert.deepEqual(broken([served, served]), []);
    const page = { ...list, headers: [['User-Agent', 'Mozilla/5.0']] as const };
    assert.deepEqual(broken([page, list]), []);
  });

  test('a base is known by an authorize call that is refused, or lacks its token', () => {
    const login = (response: unknown, status = 200): ExchangeDescription => ({
      method: 'POST',
      url: `${API}authorize/`,
      headers: [['Content-Type', 'application/x-www-form-urlencoded']],
      body: 'email=a%40b.test&password=x',
      ...{ status, response },
    });
    assert.deepEqual(broken([login({ error: false })]), ['reseller.authorize.token']);
    assert.deepEqual(broken([login({ error: true, errorCode: '7', errorMsg: 'No.' }, 401)]), [
      'envelope.reseller.error-code-integer',
    ]);
    assert.deepEqual(broken([login({ token: 'x' })]), []);
  });

  test('of Apps are distinguished, and refused with error code 401', () => {
    const user = (url: string, headers?: ExchangeDescription['headers']): ExchangeDescription => ({
      url,
      ...(headers === undefined ? {} : { headers }),
      status: 403,
      response: refusal(403),
    });
    const ok: ExchangeDescription = { url: 'apps/user/?authCode=c', response: { user: {} } };
    const outcomes = judged([ok, user('apps/user/'), user('apps/user/?authCode=c', [])], whole);
    assert.equal(outcomes('apps.credentials.missing-auth-code-refused')?.verdict, 'pass');
    assert.equal(outcomes('apps.credentials.missing-key-refused')?.verdict, 'pass');
    assert.equal(outcomes('apps.credentials.code-401')?.verdict, 'warn');
  });

  test('of Reseller: the token may be in query or form', () => {
    const call = (init: Partial<ExchangeDescription>): ExchangeDescription => ({
      url: `${API}balance/`,
      headers: [],
      response: { error: false },
      ...init,
    });
    const ok = call({ url: `${API}balance/?apiToken=t` });
    assert.deepEqual(broken([ok, call({})], whole), ['reseller.token.missing-refused']);
    const form = {
      method: 'POST',
      body: 'apiToken=t',
      headers: [['Content-Type', 'application/x-www-form-urlencoded']] as const,
    };
    assert.deepEqual(broken([ok, call(form)], whole), []);
  });
});
