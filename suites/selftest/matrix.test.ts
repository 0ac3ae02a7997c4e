import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import type { SelftestFile } from '../../contracts/selftest.ts';

/** Parts of the contract for which the embedded service has no faults yet: nothing shows that their checks can fail. */
const WITHOUT_FAULTS = /^(apps|reseller|envelope\.api|status\.api|signing|labels|checkout|install|integrator)\./;
/** The whole matrix takes a minute; a machine that does other things as well may need ten times that. */
const MATRIX_TIMEOUT_MS = 900_000;

let file: SelftestFile;

before(
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'proofmark-matrix-'));
    try {
      await run(['selftest', '--no-browser', '--out', folder]);
      file = JSON.parse(readFileSync(join(folder, 'selftest.json'), 'utf8')) as SelftestFile;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  { timeout: MATRIX_TIMEOUT_MS },
);

/** The real command in another process. */
function run(args: readonly string[]): Promise<void> {
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
  const main = join(import.meta.dirname, '../../cli/main.ts');
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...process.execArgv, main, ...args], {
      env: { ...env, NO_COLOR: '1' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child.on('error', reject);
    child.on('close', () => resolve());
  });
}

const messages = (...kinds: string[]): string[] =>
  file.problems.filter(({ kind }) => kinds.includes(kind)).map(({ message }) => message);

describe('the matrix of faults and checks', () => {
  test('the harness itself fails nowhere', () => assert.deepEqual(messages('error'), []));

  test('no check blames a correct service, a variant or a combination of variants', () => {
    assert.deepEqual(messages('false-alarm', 'undecided'), []);
    assert.ok(file.counts.variants >= 20);
    assert.ok(file.counts.combinations >= 10);
    assert.ok(file.rows.some(({ kind }) => kind === 'second'));
  });

  test('on services that serve nothing, what passes is what is written down', () => {
    assert.deepEqual(messages('passes-on-control'), []);
    assert.equal(file.counts.controls, 6);
  });

  test('every fault is found, by checks of exactly the clauses that it breaks', () => {
    assert.deepEqual(messages('not-found', 'undeclared', 'declared-only'), []);
    // Faults of pages need a browser, which this run does without: they are in the rows, and nothing looked for them.
    const lookedFor = file.rows.filter(
      ({ kind, clauses }) =>
        kind === 'fault' &&
        clauses.some((clause) => file.checks.some((check) => !check.browser && check.clauses.includes(clause))),
    );
    assert.equal(file.counts.found, lookedFor.length);
    assert.ok(file.counts.found >= 300);
  });

  test('every MUST check has been seen to fail', () => {
    const unkillable = file.problems.filter(({ kind }) => kind === 'unkillable').map(({ check }) => check ?? '');
    assert.deepEqual(
      unkillable.filter((check) => !WITHOUT_FAULTS.test(check)),
      [],
    );
  });
});
