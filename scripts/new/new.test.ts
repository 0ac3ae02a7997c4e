import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createCheck } from './index.ts';

const ROOT = join(import.meta.dirname, '../..');
const ID = 'delivery.batch.stub-of-a-test';

test('creates stubs that load, and whose test fails until they are written', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'proofmark-new-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  for (const folder of ['harness', 'node_modules', 'contracts', 'package.json']) {
    if (folder !== 'contracts') symlinkSync(join(ROOT, folder), join(root, folder));
  }
  mkdirSync(join(root, 'contracts/clauses'), { recursive: true });
  writeFileSync(join(root, 'contracts/clauses/delivery.yaml'), '- id: a.b.c\n');
  const steps = createCheck(ID, root);
  assert.ok(steps.some((step) => step.includes('suites/delivery/index.ts')));
  assert.match(
    readFileSync(join(root, 'contracts/clauses/delivery.yaml'), 'utf8'),
    new RegExp(`^- id: a\\.b\\.c\\n- id: ${ID}`),
  );
  const suite = join(root, 'suites/delivery/batch/stub-of-a-test.ts');
  const loaded = spawnSync(process.execPath, [
    '-e',
    `import(${JSON.stringify(suite)}).then((m) => console.log(m.checks[0].id))`,
  ]);
  assert.equal(String(loaded.stdout).trim(), ID);
  assert.throws(() => createCheck(ID, root), /exists already/);
});

test('refuses an id that leads nowhere, in one sentence', () => {
  assert.throws(() => createCheck('delivery.batch'), /is not an id/);
  assert.throws(() => createCheck('shop.batch.rule'), /is not an interface/);
  assert.throws(() => createCheck('delivery.handles.rule'), /add the check there/);
  assert.throws(() => createCheck('delivery.batch.refuses-101-points'), /exists already/);
});
