/** Builds the matrix from the results of the checks on each row. */
import {
  CELL_OF,
  type MatrixCheck,
  type MatrixFinding,
  type MatrixRow,
  NOT_RUN,
  ROW_KINDS,
} from '../../contracts/run/selftest.ts';
import type { Verdict } from '../../contracts/run/verdicts.ts';
import { runsInProcess } from '../../harness/runner/in-process.ts';
import { SUITES } from '../../suites/index.ts';
import type { PlannedRow } from './rows.ts';
import type { CheckVerdict, RowDone } from './run-row.ts';

/** The selected checks in report order; properties, which run on generated values, only on request. */
export function matrixChecks(selected: readonly string[], withProperties: boolean): MatrixCheck[] {
  const chosen = new Set(selected);
  return SUITES.flatMap((suite) =>
    suite.checks
      .filter(({ id }) => chosen.has(id) && (withProperties || !suite.name.startsWith('properties')))
      .map((check) => ({
        id: check.id,
        title: check.title,
        level: check.level,
        suite: suite.name,
        clauses: check.clauses,
        browser: !runsInProcess(check),
        ...(check.additional === undefined ? {} : { additional: check.additional }),
      })),
  );
}

/** Collects the rows. A row that could not be run shows its error in each of its checks. */
export class MatrixBuilder {
  readonly #checks: readonly MatrixCheck[];
  readonly #planned: readonly PlannedRow[];
  readonly #came = new Map<PlannedRow, Map<string, CheckVerdict>>();
  readonly #durations = new Map<PlannedRow, number>();

  constructor(checks: readonly MatrixCheck[], planned: readonly PlannedRow[]) {
    this.#checks = checks;
    this.#planned = planned;
  }

  add(row: PlannedRow, asked: readonly string[], end: RowDone | string): void {
    const verdicts = this.#came.get(row) ?? new Map<string, CheckVerdict>();
    this.#came.set(row, verdicts);
    const results: readonly CheckVerdict[] =
      typeof end === 'string'
        ? asked.map((check) => ({ check, verdict: 'error', reason: end, clauses: [] }))
        : end.verdicts;
    for (const one of results) verdicts.set(one.check, one);
    if (typeof end !== 'string') this.#durations.set(row, (this.#durations.get(row) ?? 0) + end.durationMs);
  }

  /** The rows that came, all of them or those of `planned`, in report order. */
  rows(planned = this.#planned): MatrixRow[] {
    return planned
      .filter((row) => this.#came.has(row))
      .map((row) => this.#row(row))
      .sort((a, b) => ROW_KINDS.indexOf(a.kind) - ROW_KINDS.indexOf(b.kind));
  }

  #row(planned: PlannedRow): MatrixRow {
    const verdicts = this.#came.get(planned);
    const { kind, id, about, clauses } = planned;
    const cellOf = ({ id: check }: MatrixCheck): string => {
      const verdict = verdicts?.get(check)?.verdict;
      return verdict === undefined ? NOT_RUN : CELL_OF[verdict];
    };
    const findings = this.#checks.flatMap(({ id: check, clauses: all }): MatrixFinding[] => {
      const one = verdicts?.get(check);
      if (one === undefined || one.verdict === 'pass' || one.verdict === 'observed') return [];
      const { verdict, reason = '', because } = one;
      // A violation that another check found in a precondition, or one of the clauses of a property.
      const isAboutOther = isFound(verdict) && one.clauses.join() !== all.join();
      return [
        {
          check,
          verdict,
          reason: shortened(reason),
          ...(because === undefined ? {} : { because }),
          ...(isAboutOther ? { clauses: one.clauses } : {}),
        },
      ];
    });
    return {
      kind,
      id,
      about,
      clauses,
      cells: this.#checks.map(cellOf).join(''),
      findings,
      durationMs: this.#durations.get(planned) ?? 0,
    };
  }
}

const isFound = (verdict: Verdict): boolean => verdict === 'fail' || verdict === 'warn';

/** The matrix does not contain whole responses. */
const MAX_REASON_CHARACTERS = 300;
const shortened = (reason: string): string =>
  reason.length <= MAX_REASON_CHARACTERS ? reason : `${reason.slice(0, MAX_REASON_CHARACTERS)}…`;
