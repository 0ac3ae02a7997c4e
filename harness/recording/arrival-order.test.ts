/** Responses arrive in the recorded order, and one that is not asked for holds up nothing for long. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ArrivalOrder } from './arrival-order.ts';

async function arrivals(ranks: readonly number[], asked: readonly number[]): Promise<number[]> {
  const order = new ArrivalOrder(ranks);
  const arrived: number[] = [];
  await Promise.all(asked.map((rank) => order.turnOf(rank).then(() => arrived.push(rank))));
  return arrived;
}

test('requests in flight are answered in the recorded order, whatever the order in which they were sent', async () => {
  assert.deepEqual(await arrivals([0, 1, 2, 3], [2, 0, 3, 1]), [0, 1, 2, 3]);
});

test('what a response leads to is sent before the next one arrives', async () => {
  const order = new ArrivalOrder([0, 1, 2]);
  const arrived: string[] = [];
  const first = order.turnOf(0).then(async () => {
    await null;
    await order.turnOf(1);
    arrived.push('follows from the first');
  });
  await Promise.all([order.turnOf(2).then(() => arrived.push('second')), first]);
  assert.deepEqual(arrived, ['follows from the first', 'second']);
});

test('a recorded response that is not asked for, and one that comes late, end no check', async () => {
  assert.deepEqual(await arrivals([0, 1, 2], [2, 1]), [1, 2]);
  const order = new ArrivalOrder([0, 1]);
  await order.turnOf(1);
  await order.turnOf(0);
});
