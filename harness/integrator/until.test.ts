import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inParallel, pause, until, within } from './until.ts';

test('until hands on what there is, at once or after some looks', async () => {
  assert.equal(await until(() => 7, 0), 7);
  let looks = 0;
  assert.equal(
    await until(() => {
      looks += 1;
      return looks === 3 ? 'there' : undefined;
    }, 5_000),
    'there',
  );
});

test('until gives up when the time is over, after having looked once more', async () => {
  let looks = 0;
  const found = await until(() => {
    looks += 1;
    return undefined;
  }, 30);
  assert.equal(found, undefined);
  assert.ok(looks >= 2);
});

test('within hands on a value that comes, and what stands for one that does not', async () => {
  assert.equal(await within(Promise.resolve('value'), 5_000, () => 'late'), 'value');
  assert.equal(await within(new Promise<string>(() => {}), 10, () => 'late'), 'late');
});

test('within hands on a failure in time, and keeps still about one that comes too late', async () => {
  await assert.rejects(
    within(Promise.reject(new Error('early')), 5_000, () => 'late'),
    /early/,
  );
  const failing = pause(20).then(() => Promise.reject(new Error('too late')));
  assert.equal(await within(failing, 1, () => 'late'), 'late');
  await pause(30);
});

test('inParallel keeps the order of results and runs no more at a time than asked', async () => {
  let running = 0;
  let most = 0;
  const results = await inParallel([5, 1, 3, 2, 4], 2, async (number) => {
    running += 1;
    most = Math.max(most, running);
    await pause(number);
    running -= 1;
    return number * 10;
  });
  assert.deepEqual(results, [50, 10, 30, 20, 40]);
  assert.equal(most, 2);
  assert.deepEqual(await inParallel([], 3, async () => 1), []);
});
