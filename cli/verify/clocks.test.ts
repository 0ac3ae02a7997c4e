/** A read that shows a deleted method, as far from the delete as clocks of two processes may differ, and farther. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange } from '../../contracts/run/events.ts';
import { sampleExchange } from '../../reports/sample.fixture.ts';
import { showsForCertain } from './clocks.ts';

const BASE = 'https://service.example/v1/store/delivery_method/';
const call = (n: number, check: string, method: string, path: string, atMs: number, response: object): Exchange =>
  sampleExchange(n, check, {
    at: new Date(Date.UTC(2026, 10, 1) + atMs).toISOString(),
    durationMs: 2,
    request: {
      method,
      url: `${BASE}${path}`,
      headers: [['authorization', 'ApiKey $STORE_KEY']],
      ...(method === 'POST' ? { body: { text: '{"delivery_method":{"reference":"r"}}' } } : {}),
    },
    response: {
      status: 200,
      headers: [['content-type', 'application/json']],
      body: { text: JSON.stringify(response) },
    },
  });

/** Whether a read of a check shows for certain that a delete did not remove its method, which another check or the same one has sent. */
const isCertain = (reader: string, waitMs: number): Promise<boolean> =>
  showsForCertain(
    { check: reader, clause: 'delivery.method.delete-removes', n: 3 },
    {
      party: 'service',
      keys: {},
      exchanges: [
        call(1, 'a.deletes', 'POST', '', 0, { error: false, handle: 'm-1' }),
        call(2, 'a.deletes', 'DELETE', 'm-1/', 1_000, { error: false }),
        call(3, reader, 'GET', 'm-1/', 1_002 + waitMs, { handle: 'm-1', reference: 'r' }),
      ],
    },
  );

test('within one check the order of two calls is certain', async () => {
  assert.equal(await isCertain('a.deletes', 1), true);
});

test('the clocks of two checks may differ by a moment', async () => {
  assert.equal(await isCertain('a.reads', 1), false);
  assert.equal(await isCertain('a.reads', 20), false);
  assert.equal(await isCertain('a.reads', 500), true);
});
