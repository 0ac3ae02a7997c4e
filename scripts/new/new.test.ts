import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { createCheck } from './index.ts';

const ROOT = join(import.meta.dirname, '../..');
const ID = 'delivery.batch.stub-of-a-test';

/** A project with these files and folders of this one, which goes away when the test ends. */
function projectWith(
  t: { after(end: () => void): void },
  copied: readonly string[],
  linked: readonly string[],
): string {
  const root = mkdtempSync(join(tmpdir(), 'proofmark-new-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  for (const file of [...copied, ...linked]) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    if (copied.includes(file)) copyFileSync(join(ROOT, file), join(root, file));
    else symlinkSync(join(ROOT, file), join(root, file));
  }
  return root;
}

/** Ids of the checks and of the faulty examples in files of a project, loaded by a process of its own. */
function idsIn(root: string, suite: string, faults: string): string[] {
  const [checks, table] = [suite, faults].map((file) => JSON.stringify(join(root, file)));
  const { stdout, stderr } = spawnSync(process.execPath, [
    '-e',
    `Promise.all([import(${checks}), import(${table})]).then(([suite, faults]) =>
      console.log(JSON.stringify([...suite.checks, ...(faults.default ?? faults.faults)].map(({ id }) => id))))`,
  ]);
  assert.ok(String(stdout).startsWith('['), String(stderr));
  return JSON.parse(String(stdout)) as string[];
}

test('creates stubs that load, and whose test fails until they are written', (t) => {
  const root = projectWith(t, [], ['harness', 'node_modules', 'package.json']);
  mkdirSync(join(root, 'contracts/clauses'), { recursive: true });
  writeFileSync(join(root, 'contracts/clauses/delivery.yaml'), '- id: a.b.c\n');
  const steps = createCheck(ID, root);
  assert.ok(steps.some((step) => step.includes('suites/delivery/index.ts')));
  assert.match(
    readFileSync(join(root, 'contracts/clauses/delivery.yaml'), 'utf8'),
    new RegExp(`^- id: a\\.b\\.c\\n- id: ${ID}\\n.*\\n  party: service\\n`),
  );
  const ids = idsIn(root, 'suites/delivery/batch/stub-of-a-test.ts', 'mock/faults/delivery/batch-stub-of-a-test.ts');
  assert.deepEqual(ids, [ID, `${ID}.broken`]);
  assert.throws(() => createCheck(ID, root), /exists already/);
});

test('creates stubs for checks of integrators, in a table of examples that exists or in a new one', (t) => {
  const table = 'examples/integrators/app/faults/hash.ts';
  const root = projectWith(
    t,
    [table, 'contracts/clauses/install.yaml', 'contracts/clauses/labels.yaml'],
    [
      ...['harness', 'node_modules', 'package.json', 'suites/app/session.ts', 'suites/provider/session.ts'],
      ...[
        'examples/integrators/support',
        'examples/integrators/app/correct.ts',
        'examples/integrators/app/session-panel.ts',
        'examples/integrators/label/correct.ts',
      ],
    ],
  );
  const steps = createCheck('app.hash.stub.of-a-test', root);
  assert.ok(steps.some((step) => step.includes('suites/app/index.ts')));
  const listed = idsIn(root, 'suites/app/hash/stub-of-a-test.ts', table);
  assert.equal(listed[0], 'app.hash.stub.of-a-test');
  assert.equal(listed.at(-1), 'app.hash.stub-of-a-test');
  assert.ok(listed.includes('app.hash.unchecked'), 'the table keeps its entries');
  assert.match(
    readFileSync(join(root, 'contracts/clauses/install.yaml'), 'utf8'),
    /\n- id: app\.hash\.stub\.of-a-test\n/,
  );

  createCheck('provider.label.stub', root);
  createCheck('provider.paper.stub', root);
  const label = 'examples/integrators/label/faults';
  const added = idsIn(root, 'suites/provider/paper/stub.ts', `${label}/paper.ts`);
  assert.deepEqual(added, ['provider.paper.stub', 'label.paper.stub']);
  assert.match(readFileSync(join(root, 'suites/provider/paper/stub.test.ts'), 'utf8'), /'label\.paper\.stub'/);
  assert.match(
    readFileSync(join(root, 'contracts/clauses/labels.yaml'), 'utf8'),
    /\n- id: provider\.label\.stub\n {2}level: MUST\n {2}party: integrator\n/,
  );
});

test('refuses an id that leads nowhere, in one sentence', () => {
  assert.throws(() => createCheck('delivery.batch'), /is not an id/);
  assert.throws(() => createCheck('shop.batch.rule'), /is not an interface or an integrator/);
  assert.throws(() => createCheck('app.settings.rule'), /add the check there/);
  assert.throws(() => createCheck('app.hash.authentic-accepted'), /exists already/);
  assert.throws(() => createCheck('delivery.settings.rule'), /add the check there/);
  assert.throws(() => createCheck('delivery.batch.refuses-101-points'), /exists already/);
});
