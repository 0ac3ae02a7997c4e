import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pause, until, within } from './until.ts';

test('until returns the value, at once or after some attempts', async () => {
  assert.equal(await until(() => 7, 0), 7);
  let attempts = 0;
  assert.equal(
    await until(() => {
      attempts += 1;
      return attempts === 3 ? 'there' : undefined;
    }, 5_000),
    'there',
  );
});

test('until gives up when the time is over, after having looked once more', async () => {
  let attempts = 0;
  const found = await until(() => {
    attempts += 1;
    return undefined;
  }, 30);
  assert.equal(found, undefined);
  assert.ok(attempts >= 2);
});

test('within returns a value that arrives in time, and otherwise the fallback', async () => {
  assert.equal(await within(Promise.resolve('value'), 5_000, () => 'late'), 'value');
  assert.equal(await within(new Promise<string>(() => {}), 10, () => 'late'), 'late');
});

test('within throws a failure that occurs in time, and ignores a later one', async () => {
  await assert.rejects(
    within(Promise.reject(new Error('early')), 5_000, () => 'late'),
    /early/,
  );
  const { promise, reject } = Promise.withResolvers<string>();
  assert.equal(await within(promise, 1, () => 'late'), 'late');
  reject(new Error('too late'));
  await pause(1);
});

test('within takes a time that is over for none left, and Node does not warn of it', async (t) => {
  const warnings: Error[] = [];
  const keep = (warning: Error): void => void warnings.push(warning);
  process.on('warning', keep);
  t.after(() => process.off('warning', keep));
  assert.equal(await within(new Promise<string>(() => {}), -5.5, () => 'late'), 'late');
  await pause(10);
  assert.deepEqual(warnings, []);
});
