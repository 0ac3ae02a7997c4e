import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folderFor, proofmark } from '../../cli/common/command.fixture.ts';
import { clausesInScope } from '../../cli/precheck/scope.ts';
import type { SelftestFile } from '../../contracts/run/selftest.ts';
import { examples } from '../../examples/integrators/index.ts';

const fileIn = (folder: string): SelftestFile =>
  JSON.parse(readFileSync(join(folder, 'selftest.json'), 'utf8')) as SelftestFile;

test('each clause of apps that can be judged is broken by an example', async () => {
  const broken = new Set((await examples()).flatMap(({ kind, clauses }) => (kind === 'app' ? clauses : [])));
  const unproved = clausesInScope('app').filter(({ id, excluded }) => excluded === undefined && !broken.has(id));
  assert.deepEqual(
    unproved.map(({ id }) => id),
    [],
  );
});

test('each faulty manifest is found by the check of its clause and by no other, without a browser', async (t) => {
  const folder = folderFor(t);
  const globs = ['--fault', 'integrator.*.manifest.*', '--no-browser'];
  const { code, stdout, stderr } = await proofmark(['selftest', ...globs, '--out', folder]);
  assert.equal(code, 0, stdout + stderr);
  const { counts, rows, checks } = fileIn(folder);
  assert.ok(counts.faults >= 30, stdout);
  assert.equal(counts.found, counts.faults);
  // Checks in a browser are in the matrix, and were not run.
  const [row] = rows;
  assert.ok(checks.some(({ browser }, at) => browser && row?.cells[at] === '-'));
  const terms = rows.find(({ id }) => id === 'integrator.app.manifest.no-tos-url');
  assert.deepEqual(
    terms?.findings.filter(({ verdict }) => verdict === 'fail').map(({ check }) => check),
    ['app.manifest.vendor-tos-url'],
  );
});

test('a sample keeps the checks of the clauses that a fault breaks', async (t) => {
  const folder = folderFor(t);
  const globs = ['--fault', 'integrator.app.manifest.*', '--no-browser', '--sample', '1000'];
  const { code, stdout, stderr } = await proofmark(['selftest', ...globs, '--out', folder]);
  assert.equal(code, 0, stdout + stderr);
  const { counts, rows } = fileIn(folder);
  assert.equal(counts.found, counts.faults);
  assert.ok(rows.length > 20 && rows.every(({ cells }) => cells.replaceAll('-', '').length <= 3), stdout);
});

test('what can’t be combined, and what matches nothing, is refused in a sentence', async (t) => {
  const folder = folderFor(t);
  for (const [globs, sentence] of [
    [['--fault', 'integrator.no.such'], /integrator\.no\.such matches no example integrator\./],
    [['--fault', 'integrator.app.*', '--fault', 'keys.*'], /keys\.\* is not an integrator/],
    [['--fault', 'integrator.app.*', '--check', 'delivery.*'], /matches no check of integrators/],
  ] as const) {
    const { code, stderr } = await proofmark(['selftest', ...globs, '--out', folder]);
    assert.equal(code, 2, stderr);
    assert.match(stderr, sentence);
    assert.ok(!existsSync(join(folder, 'selftest.json')));
  }
});
