import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import type { SelftestFile } from '../../contracts/run/selftest.ts';

/**
 * The long runs try every check on every fault, pages included, and many combinations of variants. A short one tries every other
 * fault, with a check of each of its clauses and some of the others: `proofmark selftest` tries all that can notice it.
 */
const IS_SOAK = process.env.PROOFMARK_SOAK === '1';
const COMBINATIONS = IS_SOAK ? 200 : 2;
const SCOPE = IS_SOAK ? ['--every-pair'] : ['--no-browser', '--sample', '48', '--fault-sample', '2'];
/** In the short one a core is left to the other tests: each further process takes some seconds to load and compile the checks. */
const WORKERS = IS_SOAK ? 2 : Math.max(1, Math.min(2, availableParallelism() - 1));
const ARGUMENTS = ['--combinations', String(COMBINATIONS), '--workers', String(WORKERS), ...SCOPE];
/** The short one takes a minute, the whole matrix with pages an hour, and ten times that on a busy machine. */
const MATRIX_TIMEOUT_MS = IS_SOAK ? 36_000_000 : 3_600_000;

let file: SelftestFile;

before(
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'proofmark-matrix-'));
    try {
      await run(['selftest', ...ARGUMENTS, '--out', folder]);
      file = JSON.parse(readFileSync(join(folder, 'selftest.json'), 'utf8')) as SelftestFile;
      if (IS_SOAK) console.log(figuresOf(file));
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
    const child = spawn(process.execPath, [main, ...args], {
      env: { ...env, NO_COLOR: '1' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child.on('error', reject);
    child.on('close', () => resolve());
  });
}

const figuresOf = ({ counts, durationMs }: SelftestFile): string =>
  `matrix: ${counts.found} of ${counts.faults} faults found, ${counts.killing} of ${counts.mustChecks} MUST checks seen to fail, ` +
  `${counts.variants} variants and ${counts.combinations} combinations without an alarm, ${counts.verdicts} verdicts, ` +
  `${Math.round(durationMs / 1000)} s`;

const messages = (...kinds: string[]): string[] =>
  file.problems.filter(({ kind }) => kinds.includes(kind)).map(({ message }) => message);

describe('the matrix of faults and checks', () => {
  test('no row has an error of the harness', () => assert.deepEqual(messages('error'), []));

  test('no check blames a correct service, a variant or a combination of variants', () => {
    assert.deepEqual(messages('false-alarm', 'undecided'), []);
    assert.ok(file.counts.variants >= 20);
    assert.equal(file.counts.combinations, COMBINATIONS);
    assert.ok(file.rows.some(({ kind }) => kind === 'independent'));
  });

  test('on services that serve nothing, exactly the listed checks pass', () => {
    assert.deepEqual(messages('passes-on-control'), []);
    assert.equal(file.counts.controls, 6);
  });

  test('every fault is found, by checks of exactly the clauses that it breaks', () => {
    assert.deepEqual(messages('not-found', 'undeclared', 'declared-only'), []);
    // Faults of pages need a browser, which the short run does not use, and others are not drawn: they have rows without results.
    const { faults, found, untried } = file.counts;
    assert.equal(found + untried, faults);
    assert.ok(found >= (IS_SOAK ? 1_200 : 500), `${found} found`);
    if (IS_SOAK) assert.equal(untried, 0);
  });

  test('every MUST check fails under some fault', () => assert.deepEqual(messages('unkillable'), []));

  test('every MUST check that needs a browser has a fault of its clause', () => {
    const declared = new Set(file.rows.filter(({ kind }) => kind === 'fault').flatMap(({ clauses }) => clauses));
    const without = file.checks.filter(
      ({ level, clauses }) => level === 'MUST' && !clauses.some((clause) => declared.has(clause)),
    );
    assert.deepEqual(
      without.map(({ id }) => id),
      [],
    );
  });
});
