/**
 * `proofmark selftest`: runs every check against every fault of the embedded service, and against services that must not
 * trip it, and says whether each fault was found by checks of exactly its clauses.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { SelftestFile, SelftestProblem } from '../contracts/selftest.ts';
import { EXIT } from '../contracts/verdicts.ts';
import { UsageError } from '../harness/usage-error.ts';
import { CONTRACT_VERSION, PROOFMARK_VERSION } from '../harness/version.ts';
import { renderSelftest } from '../reports/selftest.ts';
import { CHECKS } from '../suites/index.ts';
import { controls } from '../suites/selftest/controls.ts';
import { foundBy, problemsOf } from '../suites/selftest/judge.ts';
import { findBrowser } from './browser.ts';
import { matchesAny } from './run/options.ts';
import { runInBrowser } from './selftest/browser.ts';
import { MatrixBuilder, matrixChecks } from './selftest/matrix.ts';
import { SELFTEST_HELP, type SelftestOptions, selftestOptionsOf } from './selftest/options.ts';
import { runRows } from './selftest/pool.ts';
import { type PlannedRow, plannedRows } from './selftest/rows.ts';

export const SELFTEST_FILES = { data: 'selftest.json', page: 'selftest.html' } as const;

/** Runs the selftest; exit code 1 when there is a problem. Throws a UsageError for a glob that matches nothing. */
export async function selftestCommand(argv: string[]): Promise<number> {
  const options = selftestOptionsOf(argv);
  if (options.help) {
    console.log(SELFTEST_HELP);
    return EXIT.conformant;
  }
  const file = await selftest(options);
  const out = resolve(options.out);
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, SELFTEST_FILES.data), `${JSON.stringify(file)}\n`);
  writeFileSync(join(out, SELFTEST_FILES.page), renderSelftest(file));
  print(file, join(options.out, SELFTEST_FILES.page));
  return file.ok ? EXIT.conformant : EXIT.failed;
}

async function selftest(options: SelftestOptions): Promise<SelftestFile> {
  const started = performance.now();
  const startedAt = new Date().toISOString();
  const ids = CHECKS.map(({ id }) => id).filter((id) => options.checks.length === 0 || matchesAny(id, options.checks));
  if (ids.length === 0) throw new UsageError(`--check ${options.checks.join(' ')} matches no check.`);
  const planned = plannedRows(options);
  if (planned.length === 0) throw new UsageError(`--fault ${options.faults.join(' ')} matches no fault.`);
  const checks = matrixChecks(ids, options.propertyRuns > 0);
  const builder = new MatrixBuilder(checks, planned);
  await runInProcesses(planned, checks, options, builder);
  if (options.browser) await runBrowsers(planned, checks, options, builder);

  const rows = builder.rows();
  const everyCheck = options.checks.length === 0;
  const problems = problemsOf(
    { checks, rows },
    {
      everyFault: options.withFaults && options.faults.length === 0,
      everyCheck,
      onControl: Object.fromEntries(controls.map(({ id, passes }) => [id, passes])),
    },
  );
  const ofKind = (kind: string) => rows.filter((row) => row.kind === kind);
  const faults = ofKind('fault');
  const killing = new Set(faults.flatMap((row) => foundBy(checks, row).map(({ id }) => id)));
  const must = checks.filter(({ level }) => level === 'MUST');
  return {
    proofmark: PROOFMARK_VERSION,
    contract: CONTRACT_VERSION,
    startedAt,
    durationMs: Math.round(performance.now() - started),
    seed: options.seed,
    node: process.version,
    workers: options.workers,
    ...(options.faults.length === 0 ? {} : { faultPattern: options.faults.join(' ') }),
    ...(everyCheck ? {} : { checkPattern: options.checks.join(' ') }),
    ok: problems.length === 0,
    counts: {
      faults: faults.length,
      found: faults.filter((row) => foundBy(checks, row).length > 0).length,
      variants: ofKind('variant').length,
      combinations: ofKind('combination').length,
      controls: ofKind('control').length,
      checks: checks.length,
      mustChecks: must.length,
      killing: must.filter(({ id }) => killing.has(id)).length,
      verdicts: rows.reduce((sum, { cells }) => sum + cells.replaceAll('-', '').length, 0),
    },
    problems,
    checks,
    rows,
  };
}

type Checks = ReturnType<typeof matrixChecks>;

async function runInProcesses(
  planned: readonly PlannedRow[],
  checks: Checks,
  options: SelftestOptions,
  builder: MatrixBuilder,
): Promise<void> {
  const ids = checks.filter(({ browser }) => !browser).map(({ id }) => id);
  const jobs = planned.map((row) => ({ row, checks: ids, propertyRuns: options.propertyRuns }));
  const progress = progressOf(jobs.length);
  await runRows(jobs, options.workers, ({ row }, end) => {
    builder.add(row, ids, end);
    progress();
  });
}

/**
 * Faults of pages, each through the real runner. Starting a browser for every check there is would take hours: a fault is
 * tried with all browser checks of the suites that name its clauses.
 */
async function runBrowsers(
  planned: readonly PlannedRow[],
  checks: Checks,
  options: SelftestOptions,
  builder: MatrixBuilder,
): Promise<void> {
  const inBrowser = checks.filter(({ browser }) => browser);
  const jobs = planned
    .filter(({ browser }) => browser)
    .map((row) => ({ row, checks: inSuitesOf(row, inBrowser), propertyRuns: options.propertyRuns }));
  if (jobs.length === 0 || inBrowser.length === 0) return;
  if ((await findBrowser()) === undefined) {
    console.error('There is no browser here: faults of pages are left out (npm run setup, or PROOFMARK_BROWSER).');
    return;
  }
  const progress = progressOf(jobs.length);
  const waiting = [...jobs];
  const work = async (): Promise<void> => {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      builder.add(job.row, job.checks, await runInBrowser(job));
      progress();
    }
  };
  await Promise.all(Array.from({ length: options.workers }, work));
}

function inSuitesOf({ clauses }: PlannedRow, checks: Checks): string[] {
  const suites = new Set(checks.filter((check) => names(check, clauses)).map(({ suite }) => suite));
  return checks.filter(({ suite }) => suites.has(suite)).map(({ id }) => id);
}

const names = (check: Checks[number], clauses: readonly string[]): boolean =>
  check.clauses.some((clause) => clauses.includes(clause));

/** A line that overwrites itself, on a terminal only. */
function progressOf(total: number): () => void {
  let done = 0;
  return () => {
    done += 1;
    if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${total} rows${done === total ? '\n' : ''}`);
  };
}

function print(file: SelftestFile, page: string): void {
  const { counts, problems } = file;
  for (const line of linesOf(problems)) console.log(line);
  if (problems.length > 0) console.log('');
  console.log(`faults         ${counts.found} of ${counts.faults} found`);
  console.log(`MUST checks    ${counts.killing} of ${counts.mustChecks} seen to fail (${counts.checks} checks in all)`);
  console.log(
    `quiet services ${counts.variants} variants, ${counts.combinations} combinations; ${counts.controls} controls`,
  );
  console.log(`problems       ${problems.length}${kindsOf(problems)}`);
  console.log(
    `time           ${(file.durationMs / 1000).toFixed(1)} s, ${counts.verdicts} verdicts, ${file.workers} processes`,
  );
  console.log(`matrix         ${page}`);
}

function kindsOf(problems: readonly SelftestProblem[]): string {
  const kinds = [...new Set(problems.map(({ kind }) => kind))];
  const counted = kinds.map((kind) => `${problems.filter((one) => one.kind === kind).length} ${kind}`);
  return counted.length === 0 ? '' : ` (${counted.join(', ')})`;
}

/** More lines than anybody reads; all of them are in the file. */
const MOST_LINES = 60;

/** One line a problem; what goes wrong with one check on many services is one line. */
function linesOf(problems: readonly SelftestProblem[]): string[] {
  const groups = Map.groupBy(problems, ({ kind, check = '', row = '' }) =>
    ['error', 'false-alarm', 'undecided'].includes(kind) ? `${kind} ${check}` : `${kind} ${check} ${row}`,
  );
  const lines = [...groups.values()].map(([first, ...others]) => {
    const more = others.length === 0 ? '' : ` (and on ${others.length} services more)`;
    return `${first?.kind}: ${first?.message}${more}`;
  });
  if (lines.length <= MOST_LINES) return lines;
  return [...lines.slice(0, MOST_LINES), `and ${lines.length - MOST_LINES} more: see ${SELFTEST_FILES.data}`];
}
