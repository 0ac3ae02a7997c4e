/**
 * The file that `proofmark selftest` writes: which checks failed under which fault of the embedded service, what nothing
 * may fail on, and which of that is wrong. The page beside it is a fold over it.
 */
import type { Verdict } from './verdicts.ts';

/** What a row of the matrix is, in the order of the report. */
export const ROW_KINDS = ['correct', 'independent', 'variant', 'combination', 'control', 'fault'] as const;

/**
 * `correct`: the embedded service as it is; `independent`: the independent service; `variant`, `combination`: other correct
 * readings of the silences; `control`: a service that serves nothing at all and must not look as if it did; `fault`: a
 * service that breaks what the row names.
 */
export type RowKind = (typeof ROW_KINDS)[number];

/** One letter a check, in the order of `checks`; `-` marks a check that this row did not run. */
export const CELL_OF = {
  pass: 'p',
  fail: 'f',
  warn: 'w',
  inconclusive: 'i',
  observed: 'o',
  'not-applicable': 'n',
  error: 'e',
} as const satisfies Record<Verdict, string>;
export const NOT_RUN = '-';

/** A check as the matrix knows it. */
export interface MatrixCheck {
  readonly id: string;
  readonly title: string;
  readonly level: 'MUST' | 'SHOULD' | 'MAY' | 'OBSERVES';
  readonly suite: string;
  readonly clauses: readonly string[];
  /** It looks at pages, and so runs only for faults of pages. */
  readonly browser: boolean;
  /** Set where each of its clauses is decided by checks of its own: what it finds beside them is not held against a fault. */
  readonly additional?: true;
}

/** A verdict that is not a pass, with the sentence that goes with it. */
export interface MatrixFinding {
  readonly check: string;
  readonly verdict: Verdict;
  readonly reason: string;
  /** Of an `inconclusive` after a failed precondition: the clause that already failed. */
  readonly because?: string;
  /** The clauses that the verdict is about, where these are not all of the check's. */
  readonly clauses?: readonly string[];
}

export interface MatrixRow {
  readonly kind: RowKind;
  readonly id: string;
  readonly about: string;
  /** Clauses that a fault breaks. */
  readonly clauses: readonly string[];
  /** One letter a check. */
  readonly cells: string;
  /** Everything that neither passed nor was observed. */
  readonly findings: readonly MatrixFinding[];
  readonly durationMs: number;
}

const PROBLEM_KINDS = [
  'not-found',
  'undeclared',
  'declared-only',
  'unkillable',
  'false-alarm',
  'passes-on-control',
  'undecided',
  'error',
] as const;

/**
 * `not-found`: no check fails on a fault; `undeclared`: one fails whose clauses the fault does not name; `declared-only`: it
 * names a clause of which no check fails; `unkillable`: no fault makes a MUST check fail; `false-alarm`: a check fails on a
 * correct service; `passes-on-control`: one passes on a service that serves nothing; `undecided`: one comes to no verdict
 * on the correct service; `error`: the harness itself failed.
 */
export type ProblemKind = (typeof PROBLEM_KINDS)[number];

/** One reason for which the selftest fails. */
export interface SelftestProblem {
  readonly kind: ProblemKind;
  readonly row?: string;
  readonly check?: string;
  /** A sentence: what is wrong, and what to do. */
  readonly message: string;
}

export interface SelftestFile {
  readonly proofmark: string;
  readonly contract: string;
  readonly startedAt: string;
  readonly durationMs: number;
  /** Seed of the combinations. */
  readonly seed: number;
  readonly node: string;
  readonly workers: number;
  /** The globs that narrowed it, where there were any. */
  readonly faultPattern?: string;
  readonly checkPattern?: string;
  readonly ok: boolean;
  readonly counts: {
    readonly faults: number;
    /** Faults that at least one check failed on. */
    readonly found: number;
    /** Faults that no check which ran is about: what needs a browser, where there was none, or checks that were left out. */
    readonly untried: number;
    readonly variants: number;
    readonly combinations: number;
    readonly controls: number;
    readonly checks: number;
    readonly mustChecks: number;
    /** MUST checks that at least one fault made fail. */
    readonly killing: number;
    /** Checks run over all rows. */
    readonly verdicts: number;
  };
  readonly problems: readonly SelftestProblem[];
  readonly checks: readonly MatrixCheck[];
  readonly rows: readonly MatrixRow[];
}
