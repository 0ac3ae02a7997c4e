/** The shape of `results.json`; its published schema is `schemas/results.schema.json`. */
import type { BaselineEntryOutcome } from '../../contracts/run/baseline.ts';
import type { CheckTrace, PlannedCheck, PropertyCase, RunProfile, RunTarget } from '../../contracts/run/events.ts';
import type { Attribution, ClauseVerdict, Level, Outcome, Verdict } from '../../contracts/run/verdicts.ts';

/** What the folds need of a clause row. */
export interface ClauseText {
  readonly id: string;
  readonly level: Level;
  readonly party: 'service' | 'integrator';
  readonly section: string;
  readonly text: string;
  /** Ids of the checks that prove it. */
  readonly checks?: readonly string[] | undefined;
  /** Why it has no checks. */
  readonly excluded?: string | undefined;
  /** The simpler clauses without which it can't be kept. */
  readonly restsOn?: readonly string[] | undefined;
}

export interface Counts {
  readonly pass: number;
  readonly fail: number;
  readonly warn: number;
  readonly inconclusive: number;
  readonly observed: number;
  readonly notApplicable: number;
  readonly error: number;
}

export interface ClauseOutcome {
  readonly id: string;
  readonly level: Level;
  readonly party: 'service' | 'integrator';
  readonly section: string;
  readonly text: string;
  readonly verdict: ClauseVerdict;
  readonly checks: readonly string[];
  readonly excluded?: string;
}

/** `null` means "nothing to say"; `expected` and `actual` are JSON values of the check's. */
export interface CheckOutcome extends PlannedCheck {
  readonly verdict: Verdict;
  readonly attribution: Attribution | null;
  readonly reason: string | null;
  readonly expected: unknown;
  readonly actual: unknown;
  readonly pointer: string | null;
  readonly exchanges: readonly number[];
  readonly durationMs: number;
  readonly seed?: number;
  /** The clause that a precondition saw broken. */
  readonly because?: string;
  /** The clause under which a precondition needs something that the target refused. */
  readonly restsOn?: string;
  /** Clauses of its own that the check left undecided: its verdict reports the breach of another that a precondition met. */
  readonly undecided?: readonly string[];
  readonly warnings?: readonly string[];
  readonly decisive?: number;
  readonly curl?: string;
  readonly replay?: string;
  readonly counterexample?: PropertyCase;
  /** The Playwright trace of its browser steps. */
  readonly trace?: CheckTrace;
  /** The entry of the baseline that excuses this finding. */
  readonly known?: { readonly reason: string; readonly owner: string; readonly expires: string };
  /** What the check came to when it was repeated at the end of the run. */
  readonly confirmation?: {
    readonly verdict: Verdict;
    readonly reason: string | null;
    readonly actual: unknown;
    readonly exchanges: readonly number[];
  };
}

export interface SlowExchange {
  readonly n: number;
  readonly check: string;
  readonly method: string;
  readonly url: string;
  readonly status: number | null;
  readonly durationMs: number;
}

export interface Results {
  readonly proofmark: string;
  readonly contract: string;
  readonly target: RunTarget;
  readonly profile?: RunProfile;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly outcome: Outcome;
  readonly exitCode: number;
  readonly counts: Counts;
  readonly clauseCounts: Counts & { readonly excluded: number };
  readonly requests: number;
  /** Requests of the checks, by interface. */
  readonly requestsByInterface?: Readonly<Record<string, number>>;
  readonly clauses: readonly ClauseOutcome[];
  readonly checks: readonly CheckOutcome[];
  readonly observations: ReadonlyArray<{
    readonly id: string;
    readonly question: string;
    readonly seen: unknown;
    readonly check: string;
    readonly exchanges: readonly number[];
  }>;
  readonly ledger: {
    readonly created: number;
    readonly removed: number;
    readonly restored: number;
    readonly changed: number;
    /** Test orders that the run placed: no interface removes an order, so they stay. Absent in files of older versions. */
    readonly orders?: readonly string[];
    readonly orphans: ReadonlyArray<{ readonly object: string; readonly reason?: string }>;
  };
  readonly run: string;
  readonly command: string;
  readonly party: 'service' | 'integrator';
  readonly node: string;
  readonly seed: number;
  readonly onlyPattern?: string;
  /** The events have no footer: the run was cut off, and nothing it says about conformance counts. */
  readonly truncated: boolean;
  readonly interrupted?: string;
  readonly notices: readonly string[];
  /** Milliseconds by stage. */
  readonly timings: Readonly<Record<string, number>>;
  readonly slowest: readonly SlowExchange[];
  /** Known findings, and what this run says of each. */
  readonly baseline?: { readonly file: string; readonly findings: readonly BaselineEntryOutcome[] };
  /** `warn`: a check that warns fails the run. */
  readonly failOn?: 'warn';
}
