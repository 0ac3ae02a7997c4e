/**
 * The other half of the matrix: the checks of integrators against the example integrators, correct and faulty, under the same
 * rules. Each row is a whole precheck through a browser, and all rows take hours on a small machine, so it runs only
 * on request (`--fault 'integrator.*'`), in a third of the time with `--sample 10`. Faults of manifests show without a browser
 * and take milliseconds.
 */
import type { Browser } from '@playwright/test';
import { findBrowser } from '../../cli/common/browser.ts';
import { precheckExample } from '../../cli/precheck/examples/run.ts';
import { fileOf, startSelftest } from '../../cli/selftest/file.ts';
import type { SelftestOptions } from '../../cli/selftest/options.ts';
import { matchesAny } from '../../contracts/run/glob.ts';
import type { MatrixCheck, SelftestFile } from '../../contracts/run/selftest.ts';
import { type Example, examples } from '../../examples/integrators/index.ts';
import { launchQuietly } from '../../harness/browser/launch.ts';
import type { IntegratorSuite } from '../../harness/integrator/check.ts';
import { UsageError } from '../../harness/process/usage-error.ts';
import { APP_SUITES, APP_SUITES_AFTER } from '../../suites/app/index.ts';
import { DELIVERY_SUITES, DELIVERY_SUITES_AFTER } from '../../suites/provider/index.ts';
import { isDrawn } from '../draw.ts';
import { problemsOf } from './expectation/judge.ts';
import { MatrixBuilder } from './matrix.ts';
import type { PlannedRow } from './rows.ts';
import { type RowDone, verdictOf } from './run-row.ts';

const PREFIX = 'integrator.';

/** Whether globs of `--fault` select integrators. */
export const asksForIntegrators = (globs: readonly string[]): boolean => globs.some((glob) => glob.startsWith(PREFIX));

interface Row extends PlannedRow {
  readonly example: Example;
  /** Checks that may be run on it. */
  readonly checks: readonly string[];
}

/** A check, and of which kind of integrator it is. */
interface OneCheck extends MatrixCheck {
  readonly kind: Example['kind'];
}

function checksOf<C>(kind: Example['kind'], suites: readonly IntegratorSuite<C>[]): OneCheck[] {
  return suites.flatMap((suite) =>
    suite.checks.map(({ id, title, level, clauses, needs }) => ({
      kind,
      id,
      title,
      level,
      suite: suite.name,
      clauses,
      browser: needs.length > 0,
    })),
  );
}

const CHECKS: readonly OneCheck[] = [
  ...checksOf('app', [...APP_SUITES, ...APP_SUITES_AFTER]),
  ...checksOf('label', [...DELIVERY_SUITES, ...DELIVERY_SUITES_AFTER]),
];

/** A fault in the manifest only: the software behind it is correct. */
const isOfManifest = ({ clauses }: Example): boolean =>
  clauses.length > 0 && clauses.every((clause) => /^(app|provider)\.manifest\./.test(clause));

/** Runs the matrix of integrators. Throws a UsageError for globs that match nothing, or other faults beside them. */
export async function selftestIntegrators(
  options: SelftestOptions,
  progress: (total: number) => () => void,
): Promise<SelftestFile> {
  const began = startSelftest();
  const others = options.faults.filter((glob) => !glob.startsWith(PREFIX));
  if (others.length > 0)
    throw new UsageError(`--fault ${others.join(' ')} is not an integrator: run them by a selftest of their own.`);
  const chosen = CHECKS.filter(({ id }) => options.checks.length === 0 || matchesAny(id, options.checks));
  if (chosen.length === 0) throw new UsageError(`--check ${options.checks.join(' ')} matches no check of integrators.`);
  const planned = await plannedRows(options, chosen);
  if (planned.length === 0) throw new UsageError(`--fault ${options.faults.join(' ')} matches no example integrator.`);
  const kinds = new Set(planned.map(({ example }) => example.kind));
  const checks = chosen.filter(({ kind }) => kinds.has(kind)).map(({ kind: _kind, ...check }) => check);
  const builder = new MatrixBuilder(checks, planned);
  await run(planned, checks, options, builder, progress(planned.length));
  const matrix = { checks, rows: builder.rows() };
  const problems = problemsOf(matrix, {
    everyFault: options.faults.includes(`${PREFIX}*`) && options.browser,
    everyCheck: options.checks.length === 0 && options.browser,
    onControl: {},
  });
  return fileOf(began, options, matrix, problems);
}

async function plannedRows(options: SelftestOptions, chosen: readonly OneCheck[]): Promise<Row[]> {
  const withBrowser = options.browser && (await findBrowser()) !== undefined;
  if (options.browser && !withBrowser)
    console.error('No browser is available: only manifests are judged (npm run setup, or PROOFMARK_BROWSER).');
  const wanted = (await examples()).filter(
    ({ id, sort }) => sort !== 'hostile' && matchesAny(PREFIX + id, options.faults),
  );
  return wanted.flatMap((example): Row[] => {
    const isQuick = isOfManifest(example);
    if (!isQuick && !withBrowser) return [];
    const checks = chosen.filter(({ kind, browser }) => kind === example.kind && !(isQuick && browser));
    if (checks.length === 0) return [];
    const { id, about, clauses, sort } = example;
    return [
      {
        kind: sort === 'fault' ? 'fault' : 'variant',
        id: PREFIX + id,
        about,
        clauses,
        deviations: [],
        browser: !isQuick,
        example,
        checks: checks.map((check) => check.id),
      },
    ];
  });
}

/** In sequence: some checks depend on timeouts, and parallel rows would slow each other down. */
async function run(
  planned: readonly Row[],
  checks: readonly MatrixCheck[],
  options: SelftestOptions,
  builder: MatrixBuilder,
  done: () => void,
): Promise<void> {
  const path = (await findBrowser())?.path ?? '';
  let browser: Browser | undefined;
  try {
    for (const row of planned) {
      if (row.browser && browser?.isConnected() !== true) browser = await launchQuietly(path);
      const page = row.browser ? browser : undefined;
      const may = new Set(row.checks);
      const drawn = drawnFor(
        row,
        checks.filter(({ id }) => may.has(id)),
        options,
      );
      builder.add(row, drawn, await runOne(row, drawn, page));
      // A check of another clause may be the one that decides, so a row with a problem is run as a whole.
      if (drawn.length < may.size && hasProblem(row, checks, builder))
        builder.add(row, row.checks, await runOne(row, row.checks, page));
      done();
    }
  } finally {
    await browser?.close().catch(() => undefined);
  }
}

/**
 * Of the checks of a fault one in `sample`, and all of the clauses that it breaks: where one of them finds nothing the whole precheck is
 * repeated, which costs more than the others do.
 */
function drawnFor(
  { kind, id: row, clauses: declared }: Row,
  checks: readonly MatrixCheck[],
  options: SelftestOptions,
): string[] {
  const { sample, seed } = options;
  return checks
    .filter(
      ({ id, clauses }) =>
        kind !== 'fault' ||
        clauses.some((clause) => declared.includes(clause)) ||
        isDrawn(`${seed} ${row} ${id}`, sample),
    )
    .map(({ id }) => id);
}

function hasProblem({ id }: Row, checks: readonly MatrixCheck[], builder: MatrixBuilder): boolean {
  const rows = builder.rows().filter((row) => row.id === id);
  return problemsOf({ checks, rows }, { everyFault: false, everyCheck: false, onControl: {} }).length > 0;
}

async function runOne(
  { example }: Row,
  selected: readonly string[],
  browser: Browser | undefined,
): Promise<RowDone | string> {
  try {
    const { results, durationMs } = await precheckExample(example, browser, { selected });
    return { verdicts: results.map(verdictOf), durationMs: Math.round(durationMs) };
  } catch (error) {
    return `the precheck failed: ${(error as Error).message}`;
  }
}
