/**
 * Compiled code in a folder that every user of the machine can make beforehand would be run unseen: a run leaves none there and
 * reads none. What it keeps is beside the code.
 */
import assert from 'node:assert/strict';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folderFor, proofmark } from '../common/command.fixture.ts';

test('a run caches no code in the temporary folder', async (t) => {
  const [temporary, out] = [folderFor(t), folderFor(t)];
  const beside = join(import.meta.dirname, '../../node_modules/.cache/proofmark-code');
  rmSync(beside, { recursive: true, force: true });
  const { code, stderr } = await proofmark(['run', '--only', 'delivery.batch.refuses-101-points', '--out', out], {
    env: { TMPDIR: temporary, PROOFMARK_BROWSER: 'none', NODE_COMPILE_CACHE: undefined },
  });
  assert.equal(code, 0, stderr);
  const ofCode = /\.(m?js|map)$|transform|compile|cache/;
  assert.deepEqual(
    readdirSync(temporary, { recursive: true, encoding: 'utf8' }).filter((path) => ofCode.test(path)),
    [],
  );
  if (process.platform !== 'win32') assert.equal(statSync(beside).mode & 0o777, 0o700);
  assert.ok(readdirSync(beside, { recursive: true }).length > 100, 'what was compiled is kept beside the code');
});
