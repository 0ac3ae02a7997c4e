/** The file of a selftest, counted from its matrix. */
import {
  type MatrixCheck,
  type MatrixRow,
  NOT_RUN,
  type SelftestFile,
  type SelftestProblem,
} from '../../contracts/run/selftest.ts';
import { CONTRACT_VERSION, PROOFMARK_VERSION } from '../../harness/process/version.ts';
import { foundBy } from '../../proof/matrix/expectation/judge.ts';
import type { SelftestOptions } from './options.ts';

/** When a selftest began, on both clocks. */
export interface SelftestStart {
  readonly startedAt: string;
  /** By `performance.now()`. */
  readonly atMs: number;
}

export const startSelftest = (): SelftestStart => ({ startedAt: new Date().toISOString(), atMs: performance.now() });

/** `selftest.json`: the matrix of faults and checks with its counts and problems. */
export function fileOf(
  began: SelftestStart,
  options: SelftestOptions,
  matrix: { readonly checks: readonly MatrixCheck[]; readonly rows: readonly MatrixRow[] },
  problems: readonly SelftestProblem[],
): SelftestFile {
  const { checks, rows } = matrix;
  const ofKind = (kind: string) => rows.filter((row) => row.kind === kind);
  const faults = ofKind('fault');
  const killing = new Set(faults.flatMap((row) => foundBy(checks, row).map(({ id }) => id)));
  const must = checks.filter(({ level }) => level === 'MUST');
  return {
    proofmark: PROOFMARK_VERSION,
    contract: CONTRACT_VERSION,
    startedAt: began.startedAt,
    durationMs: Math.round(performance.now() - began.atMs),
    seed: options.seed,
    node: process.version,
    workers: options.workers,
    ...(options.faults.length === 0 ? {} : { faultPattern: options.faults.join(' ') }),
    ...(options.checks.length === 0 ? {} : { checkPattern: options.checks.join(' ') }),
    ok: problems.length === 0,
    counts: {
      faults: faults.length,
      found: faults.filter((row) => foundBy(checks, row).length > 0).length,
      untried: faults.filter((row) => !isTried(checks, row)).length,
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

/** Whether a check that ran on a fault decides one of its clauses. */
const isTried = (checks: readonly MatrixCheck[], { cells, clauses }: MatrixRow): boolean =>
  checks.some((check, at) => cells[at] !== NOT_RUN && check.clauses.some((clause) => clauses.includes(clause)));
