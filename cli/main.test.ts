import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
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
