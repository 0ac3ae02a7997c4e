// When the control of a refusal goes out.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { type ServiceRequest, withPair } from '../target/client/request.ts';
import { responseOf } from '../target/response/response.ts';
import { Expect, type RefusalProof } from './expect.ts';
import { GivenFailure, Inconclusive } from './failures.ts';

const CALL: ServiceRequest = { api: 'v1', method: 'GET', path: 'x/', query: [['key', 'right']], headers: [] };
const wrong = (change: string) => ({
  change,
  mutate: (call: ServiceRequest) => withPair(call, 'query', 'key', change),
});

const response = (status: number) =>
  responseOf({
    ...{ status, headers: [], durationMs: 0, exchange: 0, request: { method: 'GET', url: 'https://a.test/' } },
    bytes: new TextEncoder().encode(status < 400 ? '{}' : '{"error":true,"error_code":401,"error_message":"x"}'),
  });

/** Sends two altered calls and their control; returns what went out, with `|` where what had gone out was answered. */
async function sentBy(proof: Partial<RefusalProof>, right = 200): Promise<string> {
  const sent: string[] = [];
  const expect = new Expect(async (call) => {
    const key = String(call.query[0]?.[1]);
    sent.push(key);
    await new Promise((resolve) => setImmediate(resolve));
    if (sent.at(-1) !== '|') sent.push('|');
    return response(key === 'right' ? right : 401);
  });
  await expect.refusesEach(CALL, [wrong('a'), wrong('b')], { clause: 'c', ...proof });
  return sent.join(' ');
}

test('the first altered call goes out alone; the control follows the others, goes out beside them, or was sent before', async () => {
  assert.equal(await sentBy({}), 'a | b | right |');
  assert.equal(await sentBy({ control: 'beside' }), 'a | right b |');
  assert.equal(await sentBy({ control: response(200) }), 'a | b |');
});

test('a refused control proves nothing, whenever it was sent', async () => {
  for (const proof of [{}, { control: 'beside' }, { control: response(403) }] as const)
    await assert.rejects(sentBy(proof, 403), GivenFailure);
});

/** What gateways answer has no envelope. */
const gateway = { ...response(502), text: '<h1>Bad Gateway</h1>', json: undefined };

/** A target whose gateway answers the first `count` altered calls. */
const behindGateway = (count: number): Expect => {
  let left = count;
  return new Expect(async (call) => {
    if (call.query[0]?.[1] === 'right') return response(200);
    left -= 1;
    return left >= 0 ? gateway : response(401);
  });
};

test('a refusal that only a gateway gives each time breaks the rule of the envelope', async () => {
  const refuses = (count: number, proof: Partial<RefusalProof> = {}) =>
    behindGateway(count).refusesEach(CALL, [wrong('a')], { clause: 'c', ...proof });
  const isOfEnvelope = (error: unknown): boolean =>
    error instanceof GivenFailure && error.clause === 'envelope.v1.error-true' && error.shows === 'deviation';
  for (const count of [1, 2]) assert.equal((await refuses(count)).probes[0]?.refusal, 'refused');
  await assert.rejects(refuses(3), isOfEnvelope);
  // The control was served before: the target may have gone away since.
  await assert.rejects(refuses(3, { control: 'first' }), Inconclusive);
  await assert.rejects(behindGateway(3).responseTo(wrong('a').mutate(CALL), 'a call', CALL), isOfEnvelope);
  assert.equal((await behindGateway(2).responseTo(wrong('a').mutate(CALL), 'a call', CALL)).status, 401);
});
