/** Compiled code in a folder that every user of the machine can make beforehand would be run unseen: a run leaves none and reads none. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { folderFor, proofmark } from '../common/command.fixture.ts';

test('a run caches no code in the temporary folder', async (t) => {
  const [temporary, out] = [folderFor(t), folderFor(t)];
  const { code, stderr } = await proofmark(['run', '--only', 'delivery.batch.refuses-101-points', '--out', out], {
    env: { TMPDIR: temporary, PROOFMARK_BROWSER: 'none' },
  });
  assert.equal(code, 0, stderr);
  const ofCode = /\.(m?js|map)$|transform|compile|cache/;
  assert.deepEqual(
    readdirSync(temporary, { recursive: true, encoding: 'utf8' }).filter((path) => ofCode.test(path)),
    [],
  );
});
