/** Values that a recorder changed, hid or left as bytes. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Exchange } from '../../run/events.ts';
import { judgeTraffic } from '../index.ts';
import { broken, type ExchangeDescription, exchangesOf, judged, KEY, OK, refusal, WHOLE } from '../traffic.fixture.ts';

describe('bodies that are not UTF-8', () => {
  const clause = 'envelope.v1.request-bodies-are-json';
  const sent = (
    text: string,
    length: number,
    more: ReadonlyArray<readonly [string, string]> = [],
  ): ExchangeDescription => ({
    ...{ method: 'POST', url: 'apps/set_snippet/?authCode=c', body: text, response: OK },
    headers: [
      ['Authorization', `ApiKey ${KEY}`],
      ['Content-Type', 'application/json'],
      ['Content-Length', `${length}`],
      ...more,
    ],
  });
  const replaced = '{"snippet":"caf\uFFFD"}';

  test('are known by their length where a recorder replaced the bytes', () => {
    assert.match(judged([sent(replaced, 18)], WHOLE)(clause)?.reason ?? '', /a body that is not UTF-8/);
    // Sent as it is, cut from another length, packed, or with a secret in it.
    for (const one of [
      sent(replaced, Buffer.byteLength(replaced)),
      sent(replaced, 5),
      sent(replaced, 18, [['Content-Encoding', 'gzip']]),
      sent('{"snippet":"\uFFFD $STORE_KEY"}', 27),
    ])
      assert.deepEqual(broken([one], WHOLE), []);
  });

  test('but compressed are advised on, whatever the service made of them', () => {
    const [exchange] = exchangesOf([sent('', 20, [['Content-Encoding', 'gzip']])]) as [Exchange];
    const packed = { ...exchange, request: { ...exchange.request, body: { base64: 'H4sIAAAAAAAA/w==' } } };
    const { clauses } = judgeTraffic([packed], { ...WHOLE, party: 'integrator' });
    assert.deepEqual([clauses.get(clause)?.counts.breaks, clauses.get(clause)?.counts.advises], [0, 1]);
    const plain = { ...packed, request: { ...packed.request, headers: exchange.request.headers.slice(0, 3) } };
    const judgedPlain = judgeTraffic([plain], { ...WHOLE, party: 'integrator' });
    assert.match(judgedPlain.clauses.get(clause)?.reason ?? '', /a body that is not UTF-8/);
  });
});

test('a placeholder that the service took in another call was put in place of a value', () => {
  const user = (code: string, status: number): ExchangeDescription => ({
    ...{ url: `apps/user/?authCode=${code}`, status, response: status === 200 ? { user: {} } : refusal(status) },
  });
  const code = 'app.calls.auth-code-in-query';
  for (const value of ['%7B%7Bcode%7D%7D', '%3Chidden%3E']) {
    assert.deepEqual(broken([user(value, 401)], WHOLE), [code]);
    assert.deepEqual(broken([user(value, 200), user(value, 401)], WHOLE), []);
  }
  const latin = judged([user('%E9%E8', 401)], WHOLE)(code);
  assert.match(latin?.reason ?? '', /bytes that are not UTF-8/);
});
