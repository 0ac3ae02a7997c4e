import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../../../harness/process/until.ts';
import { watchParent } from './orphan.ts';

const WAIT_MS = 20_000;
const MODULE = new URL('./orphan.ts', import.meta.url).href;

test('a process notices within moments that its parent was killed', {
  skip: process.platform === 'win32',
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'proofmark-orphan-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const [ready, gone] = [join(folder, 'ready'), join(folder, 'gone')];
  const child = `
    import { writeFileSync } from 'node:fs';
    import { watchParent } from ${JSON.stringify(MODULE)};
    watchParent(Number(process.env.COMMAND_PID), () => { writeFileSync(${JSON.stringify(gone)}, ''); process.exit(); });
    setTimeout(() => undefined, 60_000);
    writeFileSync(${JSON.stringify(ready)}, '');
  `;
  const parent = `
    import { spawn } from 'node:child_process';
    spawn(process.execPath, ['--input-type=module', '-e', ${JSON.stringify(child)}], {
      detached: true,
      stdio: 'ignore',
      env: { ...process.env, COMMAND_PID: String(process.pid) },
    });
    setTimeout(() => undefined, 60_000);
  `;
  const started = spawn(process.execPath, ['--input-type=module', '-e', parent], { stdio: 'ignore' });
  t.after(() => started.kill('SIGKILL'));
  assert.ok(await until(() => existsSync(ready) || undefined, WAIT_MS), 'it was started');
  assert.equal(existsSync(gone), false, 'its parent still runs');
  started.kill('SIGKILL');
  assert.ok(await until(() => existsSync(gone) || undefined, WAIT_MS), 'it noticed');
});

test('a parent that was killed before the watch began is missed as well', async () => {
  let isGone = false;
  const end = watchParent(process.ppid + 1, () => {
    isGone = true;
  });
  assert.ok(await until(() => isGone || undefined, WAIT_MS));
  end();
});
