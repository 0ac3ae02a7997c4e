import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { wallClockMs } from './wall-clock.ts';

test('a time taken at once after another one is later', () => {
  const first = wallClockMs();
  const until = performance.now() + 0.05;
  while (performance.now() < until);
  const second = wallClockMs();
  assert.ok(second > first && second - first < 100, `${first} ${second}`);
});

test('it follows the clock of the machine when that is put forward', () => {
  const hour = 3_600_000;
  const real = Date.now;
  const stub = mock.method(Date, 'now', () => real() + hour);
  try {
    assert.ok(Math.abs(wallClockMs() - real() - hour) < 1_000);
  } finally {
    stub.mock.restore();
  }
  assert.ok(Math.abs(wallClockMs() - Date.now()) < 1_000);
});
