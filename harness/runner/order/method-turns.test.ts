// Workers that share few methods must not hold any at the same time.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pause } from '../../process/until.ts';
import { MethodTurns } from './method-turns.ts';

test('a second worker has its turn when the first one has released it, and all know that turns are needed', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'proofmark-turns-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const [first, second] = [new MethodTurns(folder), new MethodTurns(folder)];
  assert.equal(second.areNeeded, false);
  await first.take('a.one');
  assert.deepEqual([first.isOwn, second.areNeeded, second.isOwn], [true, true, false]);
  const waiting = second.take('a.two');
  await pause(100);
  assert.equal(second.isOwn, false);
  first.release();
  await waiting;
  assert.deepEqual([first.isOwn, second.isOwn], [false, true]);
  second.release();
  first.announce();
});
