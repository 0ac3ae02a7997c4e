import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atOnce } from './at-once.ts';

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
