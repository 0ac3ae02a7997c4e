/**
 * `proofmark selftest`: runs every check against every fault of the embedded service, and against services that must not
 * trip it, and says whether each fault was found by checks of exactly its clauses.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { matchesAny } from '../../contracts/run/glob.ts';
import { type MatrixCheck, NOT_RUN, type SelftestFile, type SelftestProblem } from '../../contracts/run/selftest.ts';
import { EXIT } from '../../contracts/run/verdicts.ts';
import { UsageError } from '../../harness/process/usage-error.ts';
import { controls } from '../../proof/matrix/expectation/controls.ts';
import { problemsOf } from '../../proof/matrix/expectation/judge.ts';
import { asksForIntegrators, selftestIntegrators } from '../../proof/matrix/integrators.ts';
import { MatrixBuilder, matrixChecks } from '../../proof/matrix/matrix.ts';
import { Pool } from '../../proof/matrix/pool.ts';
import { FAULT_IDS, type PlannedRow, plannedRows } from '../../proof/matrix/rows.ts';
import { renderSelftest } from '../../reports/selftest/index.ts';
import { CHECKS } from '../../suites/index.ts';
import { findBrowser } from '../common/browser.ts';
import { runInBrowser } from './browser.ts';
import { fileOf, startSelftest } from './file.ts';
import { checkGlobs } from './globs.ts';
import { InProcesses, inSuitesOf, isEveryFault } from './in-processes.ts';
import { SELFTEST_HELP, type SelftestOptions, selftestOptionsOf } from './options.ts';

const SELFTEST_FILES = { data: 'selftest.json', page: 'selftest.html' } as const;

/** Runs the selftest; exit code 1 when there is a problem. Throws a UsageError for a glob that matches nothing. */
export async function selftestCommand(argv: string[]): Promise<number> {
  const options = selftestOptionsOf(argv);
  if (options.help) {
    console.log(SELFTEST_HELP);
    return EXIT.conformant;
  }
  const file = await (asksForIntegrators(options.faults)
    ? selftestIntegrators(options, progressOf)
    : selftest(options));
  const out = resolve(options.out);
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, SELFTEST_FILES.data), `${JSON.stringify(file)}\n`);
  writeFileSync(join(out, SELFTEST_FILES.page), renderSelftest(file));
  print(file, join(options.out, SELFTEST_FILES.page));
  return file.ok ? EXIT.conformant : EXIT.failed;
}

async function selftest(options: SelftestOptions): Promise<SelftestFile> {
  const began = startSelftest();
  const checkIds = CHECKS.map(({ id }) => id);
  checkGlobs(options, checkIds, FAULT_IDS);
  const ids = checkIds.filter((id) => options.checks.length === 0 || matchesAny(id, options.checks));
  const planned = plannedRows(options);
  const checks = matrixChecks(ids, options.propertyRuns > 0);
  const builder = new MatrixBuilder(checks, planned);
  const pool = new Pool(options.workers);
  try {
    await new InProcesses(pool, planned, checks, options, builder, progressOf).run();
  } finally {
    pool.close();
  }
  if (options.browser) await runBrowsers(planned, checks, options, builder);

  const rows = builder.rows();
  if (!rows.some(({ cells }) => cells.replaceAll(NOT_RUN, '') !== '')) {
    throw new UsageError('There is nothing to run: these checks need a browser, or are properties (--runs N).');
  }
  const everyCheck = options.checks.length === 0;
  const problems = problemsOf(
    { checks, rows },
    {
      everyFault: isEveryFault(options),
      everyCheck,
      onControl: Object.fromEntries(controls.map(({ id, passes }) => [id, passes])),
    },
  );
  return fileOf(began, options, { checks, rows }, problems);
}

type Checks = readonly MatrixCheck[];

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
    console.error('No browser is available: faults of pages are left out (npm run setup, or PROOFMARK_BROWSER).');
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
  const untried =
    counts.untried === 0 ? '' : `, ${counts.untried} not tried (not drawn, or no check of this run covers them)`;
  console.log(`faults         ${counts.found} of ${counts.faults} found${untried}`);
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

/** More lines than a person reads; all of them are in the file. */
const MAX_LINES = 60;

/** One line a problem; what goes wrong with one check on many services is one line. */
function linesOf(problems: readonly SelftestProblem[]): string[] {
  const groups = Map.groupBy(problems, ({ kind, check = '', row = '' }) =>
    ['error', 'false-alarm', 'undecided'].includes(kind) ? `${kind} ${check}` : `${kind} ${check} ${row}`,
  );
  const lines = [...groups.values()].map(([first, ...others]) => {
    const more = others.length === 0 ? '' : ` (and on ${others.length} services more)`;
    return `${first?.kind}: ${first?.message}${more}`;
  });
  if (lines.length <= MAX_LINES) return lines;
  return [...lines.slice(0, MAX_LINES), `and ${lines.length - MAX_LINES} more: see ${SELFTEST_FILES.data}`];
}
