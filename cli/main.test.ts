import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { folderFor } from './common/command.fixture.ts';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

test('a current folder that was removed is reported in one sentence', {
  skip: process.platform === 'win32' ? 'Windows removes no folder that is in use' : false,
}, (t) => {
  const inRemoved = 'cd "$1" && rmdir "$1" && shift && exec "$@"';
  for (const command of ['run', 'doctor', 'sweep']) {
    const args = ['-c', inRemoved, 'sh', folderFor(t), process.execPath, MAIN, command];
    const { status, stderr } = spawnSync('sh', args, { encoding: 'utf8' });
    assert.equal(
      stderr,
      'proofmark: The current folder was removed: change to a folder that exists, then run again.\n',
    );
    assert.equal(status, 2);
  }
});

test('what a module throws after its function has ended is one sentence, and no verdict', (t) => {
  const folder = folderFor(t);
  const [manifest, driver] = [join(folder, 'app.json'), join(folder, 'driver.mjs')];
  writeFileSync(manifest, JSON.stringify({ app_type: 'APP', app_install_url: 'http://127.0.0.1:9/' }));
  writeFileSync(driver, "setTimeout(() => { throw new Error('too late'); }, 10); export default {};");
  const args = [MAIN, 'precheck', 'app', '--manifest', manifest, '--driver', driver, '--port', '0', '--wait', '1'];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  assert.match(stderr, /^proofmark: .*too late$/m);
  assert.doesNotMatch(stderr, /^ +at /m);
  assert.equal(status, 4);
});
