/** The header that calls carry the key in. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TrafficOptions } from '../index.ts';
import { broken, type ExchangeDescription, judged, KEY, OK, refusal, WHOLE } from '../traffic.fixture.ts';

const addMethod = (body: unknown): ExchangeDescription => ({
  method: 'POST',
  url: 'store/delivery_method/',
  body,
  response: OK,
});
test('a key in the address as well is advised on, unless the recording hides it', () => {
  const sent = (key: string) => ({
    url: `store/delivery_methods/?api_key=${key}`,
    headers: [['Authorization', `ApiKey ${key}`]] as const,
    response: { delivery_methods: [] },
  });
  const advice = (key: string) => judged([sent(key)], WHOLE)('provider.calls.authorization-header')?.advice;
  assert.equal(advice(KEY)?.finding.pointer, 'query api_key');
  assert.equal(advice('[redacted]'), undefined);
});

describe('the Authorization header', () => {
  const stripped: ExchangeDescription = {
    url: 'store/delivery_methods/',
    headers: [['accept', '*/*']],
    response: { delivery_methods: [] },
  };
  const clause = 'provider.calls.authorization-header';

  test('that a browser left out of the whole recording is not a fault', () => {
    const found = judged([stripped, stripped], { party: 'integrator' })(clause);
    assert.equal(found?.verdict, 'inconclusive');
    assert.match(found?.reason ?? '', /browsers omit it/);
  });

  test('that is there in other exchanges was left out by the caller, whichever comes first', () => {
    for (const described of [
      [stripped, addMethod({ delivery_method: {} })],
      [addMethod({ delivery_method: {} }), stripped],
    ])
      assert.deepEqual(broken(described, { party: 'integrator' }), [clause]);
  });

  test('shows what cannot be a key, where it was refused', () => {
    const sent = (value: string, status = 401): ExchangeDescription => ({
      url: 'apps/user/?authCode=code-17-4711',
      headers: [['Authorization', value]],
      status,
      response: status === 200 ? { user: {} } : refusal(status),
    });
    for (const key of [
      'undefined',
      `"${KEY}"`,
      `<${KEY}>`,
      `ApiKey ${KEY}`,
      `Bearer ${KEY}`,
      `${'$'}{API_KEY}`,
      'code-17-4711',
    ]) {
      const found = broken([sent(`ApiKey ${key}`)], { party: 'integrator' });
      assert.deepEqual(found, ['app.calls.authorization-header'], key);
      assert.deepEqual(broken([sent(`ApiKey ${key}`, 200)], { party: 'integrator' }), [], key);
    }
    for (const key of [KEY, '$API_KEY', '***'])
      assert.deepEqual(broken([sent(`ApiKey ${key}`)], { party: 'integrator' }), [], key);
  });

  test('that is empty was emptied by the recorder, unless no call with it was served', () => {
    const emptied = (status: number): ExchangeDescription => ({
      ...{ url: 'store/delivery_methods/', headers: [['Authorization', '']], status },
      response: status === 200 ? { delivery_methods: [] } : refusal(status),
    });
    const part: Partial<TrafficOptions> = { party: 'integrator' };
    for (const calls of [[emptied(200)], [emptied(404)], [emptied(200), emptied(401)]])
      assert.equal(judged(calls, part)(clause)?.verdict, 'inconclusive');
    assert.deepEqual(broken([emptied(401)], part), [clause]);
    assert.deepEqual(broken([emptied(200)], WHOLE), [clause]);
  });

  test('in a call that a page makes shows that the key is in the browser', () => {
    const from = (headers: ReadonlyArray<readonly [string, string]>, url = 'apps/user/?authCode=c') =>
      broken([{ url, headers: [['Authorization', `ApiKey ${KEY}`], ...headers], response: { user: {} } }], WHOLE);
    const browser = ['User-Agent', 'Mozilla/5.0'] as const;
    assert.deepEqual(from([browser, ['Origin', 'https://app.example']]), ['app.leaks.key']);
    const methods = {
      url: 'store/delivery_methods/',
      headers: [browser, ['Referer', 'https://carrier.example/x']] as const,
    };
    assert.deepEqual(from(methods.headers, methods.url), ['provider.leaks.key']);
    for (const headers of [
      [browser],
      [browser, ['Origin', 'https://service.test']],
      [browser, ['Origin', 'https://docs.service.test']],
      [['Origin', 'https://app.test']],
    ])
      assert.deepEqual(from(headers as Array<readonly [string, string]>), []);
    assert.deepEqual(from([browser, ['Origin', 'chrome-extension://abc']]), []);
  });

  test('is held against the keys, where they are known', () => {
    const call = addMethod({ delivery_method: {} });
    assert.deepEqual(broken([call], { ...WHOLE, keys: { API_KEY: KEY } }), []);
    assert.deepEqual(broken([call], { ...WHOLE, keys: { API_KEY: 'another-key-0123' } }), [clause]);
    const hidden: ExchangeDescription = {
      ...call,
      headers: [
        ['Authorization', 'ApiKey $STORE_KEY'],
        ['content-type', 'application/json'],
      ],
    };
    assert.deepEqual(broken([hidden], { ...WHOLE, keys: { API_KEY: 'another-key-0123' } }), []);
  });
});
