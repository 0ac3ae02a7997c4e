/** Times of recorders that write one time into all exchanges. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inStartOrder } from './index.ts';
import { exchangesOf } from './traffic.fixture.ts';

function durationsOf(times: readonly number[], window?: number): number[] {
  const durations: number[] = [];
  const order = inStartOrder(({ durationMs }) => void durations.push(durationMs), window);
  for (const exchange of exchangesOf(times.map((at) => ({ url: 'x', at, durationMs: 50 })))) order.add(exchange);
  order.end();
  return durations;
}

test('one time for all exchanges says nothing about what was under way at once', () => {
  assert.deepEqual(durationsOf([7, 7, 7]), [0, 0, 0]);
  assert.deepEqual(durationsOf([7, 7, 7, 7, 7], 3), [0, 0, 0, 0, 0]);
});

test('one second for all exchanges leaves open what was under way at once', () => {
  assert.deepEqual(durationsOf([7_000, 7_000, 7_000]), [50, 50, 50]);
});

test('two exchanges may begin at once, and so may a part of many', () => {
  assert.deepEqual(durationsOf([7, 7]), [50, 50]);
  assert.deepEqual(durationsOf([7, 7, 7, 8]), [50, 50, 50, 50]);
});
