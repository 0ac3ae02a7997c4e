import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atOnce, eachAtOnce } from './at-once.ts';

test('starts all and returns their results in order', async () => {
  const started: string[] = [];
  const slow = async () => {
    started.push('slow');
    await new Promise((resolve) => setImmediate(resolve));
    return 'slow';
  };
  const fast = async () => {
    started.push('fast');
    return started.length;
  };
  assert.deepEqual(await atOnce([slow, fast]), ['slow', 2]);
});

test('throws the first error in order, after all have ended', async () => {
  let ended = false;
  const late = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    ended = true;
    throw new Error('late');
  };
  const soon = async () => {
    throw new Error('soon');
  };
  await assert.rejects(atOnce([late, soon]), /late/);
  assert.ok(ended);
});

test('reads a few items at a time, and returns the results in the order of the items', async () => {
  const items = Array.from({ length: 14 }, (_, at) => at);
  let [underWay, most] = [0, 0];
  const results = await eachAtOnce(items, async (item, at) => {
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise((resolve) => setTimeout(resolve, 14 - item));
    underWay -= 1;
    return [item, at];
  });
  assert.deepEqual(
    results,
    items.map((item) => [item, item]),
  );
  assert.ok(most > 1 && most <= 6, `${most} at the same time`);
});
