/** Times of recorders that write one time into all exchanges. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inStartOrder } from './index.ts';
import { exchangesOf } from './traffic.fixture.ts';

async function durationsOf(times: readonly number[], window?: number): Promise<number[]> {
  const exchanges = exchangesOf(times.map((at) => ({ url: 'x', at, durationMs: 50 })));
  const durations: number[] = [];
  for await (const { durationMs } of inStartOrder(exchanges, window)) durations.push(durationMs);
  return durations;
}

test('one time for all exchanges says nothing about what was under way at once', async () => {
  assert.deepEqual(await durationsOf([7, 7, 7]), [0, 0, 0]);
  assert.deepEqual(await durationsOf([7, 7, 7, 7, 7], 3), [0, 0, 0, 0, 0]);
});

test('two exchanges may begin at once, and so may a part of many', async () => {
  assert.deepEqual(await durationsOf([7, 7]), [50, 50]);
  assert.deepEqual(await durationsOf([7, 7, 7, 8]), [50, 50, 50, 50]);
});
