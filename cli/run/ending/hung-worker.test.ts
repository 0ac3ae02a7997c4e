/** A run in which a worker hangs: it ends some time after its time, and says so. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folderFor, proofmark, resultsIn, startMock } from '../../common/command.fixture.ts';

test('a worker that hangs is killed after the run’s time, and the report says which check it was', async (t) => {
  const folder = folderFor(t);
  const mock = await startMock(t, folder, ['--port', '0']);
  const profile = JSON.parse(readFileSync(mock.profile, 'utf8')) as Record<string, unknown>;
  // In the worker only: where the driver is tried beforehand it behaves. Waiting hangs it like a loop, and leaves the core to others.
  writeFileSync(
    join(folder, 'hangs.mjs'),
    'if (process.env.TEST_WORKER_INDEX !== undefined) setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0), 50);\nexport default {};\n',
  );
  const file = join(folder, 'hanging.json');
  writeFileSync(file, JSON.stringify({ ...profile, driver: './hangs.mjs', limits: { maxMinutes: 0.1 } }));
  const out = join(folder, 'out');
  const ran = await proofmark(['run', '--target', file, '--only', 'delivery.*', '--workers', '1', '--out', out]);
  assert.equal(ran.code, 3, ran.stdout + ran.stderr);
  assert.match(ran.stderr, /A worker did not exit within 10 s after the run's time and was killed/);
  const { notices, checks } = resultsIn(out) as unknown as {
    notices: string[];
    checks: { id: string; verdict: string; reason: string }[];
  };
  assert.ok(
    notices.some((one) => /was killed.*run proofmark sweep/.test(one)),
    JSON.stringify(notices),
  );
  assert.ok(
    checks.every(({ verdict }) => verdict !== 'error'),
    JSON.stringify(checks.filter(({ verdict }) => verdict === 'error')),
  );
});
