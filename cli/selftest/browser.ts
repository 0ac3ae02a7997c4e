/** Browser checks of a fault that shows on pages, through the real runner: `proofmark run --target mock:fault=ID`. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CLAUSES } from '../../contracts/clauses/index.ts';
import { attributed } from '../../contracts/run/attribution.ts';
import type { CheckResult } from '../../contracts/run/events.ts';
import { type CheckVerdict, type RowDone, type RowJob, verdictOf } from '../../proof/matrix/run-row.ts';
import { EVENTS_FILE } from '../../reports/files.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
/** A run of all browser checks takes less than a minute on a loaded machine of two cores. */
const RUN_TIMEOUT_MS = 300_000;

/** Runs the checks of a job against its fault, in a browser; an error is a sentence. */
export async function runInBrowser({ row, checks, propertyRuns }: RowJob): Promise<RowDone | string> {
  if (checks.length === 0) return { verdicts: [], durationMs: 0 };
  const started = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'proofmark-selftest-'));
  const target = row.kind === 'correct' ? 'mock' : `mock:${row.kind}=${row.deviations.join(',')}`;
  const only = checks.flatMap((id) => ['--only', id]);
  const runs = ['--workers', '1', '--runs', String(propertyRuns)];
  const flags = ['run', '--target', target, '--out', folder, ...runs, ...only];
  try {
    const said = await ended(flags);
    const lines = readFileSync(join(folder, EVENTS_FILE), 'utf8').trim().split('\n');
    const results = lines
      .map((line) => JSON.parse(line) as CheckResult | { readonly type: '' })
      .filter((event) => event.type === 'check');
    const verdicts = attributed(results, CLAUSES).map((result): CheckVerdict => verdictOf(result));
    const missing = checks.find((id) => !verdicts.some(({ check }) => check === id));
    if (missing !== undefined) return `${missing} returned no result in a browser: ${said}`;
    return { verdicts, durationMs: Math.round(performance.now() - started) };
  } catch (error) {
    return `the run in a browser failed: ${(error as Error).message}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The last words of a run that has ended. */
function ended(flags: readonly string[]): Promise<string> {
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [MAIN, ...flags], {
      env: { ...env, NO_COLOR: '1' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk) => {
      said = `${said}${chunk}`.slice(-2000);
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), RUN_TIMEOUT_MS);
    child.on('error', reject);
    child.on('close', () => {
      clearTimeout(timer);
      resolve(said.trim().split('\n').at(-1) ?? '');
    });
  });
}
