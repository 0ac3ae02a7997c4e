// The shape of a row of `contracts/clauses/*.yaml` and of `contracts/inventory/observations.yaml`.

/** How strongly a clause binds. */
export type ClauseLevel = 'MUST' | 'SHOULD' | 'MAY';

/** Whom a clause binds. */
export type ClauseParty = 'service' | 'integrator';

/** A clause as its file has it. */
export interface ClauseText {
  /** A path of meaning, like `delivery.batch.refuses-101-points`; that of its check where one check alone decides it. */
  readonly id: string;
  readonly level: ClauseLevel;
  readonly party: ClauseParty;
  /** Section of the spec on which the clause rests. */
  readonly section: string;
  /** The clause in our own words. */
  readonly text: string;
  /** Why no check can decide it. */
  readonly excluded?: string;
  /** Simpler clauses: where one of them is broken, a failure under this one may be nothing but its symptom. */
  readonly restsOn?: readonly string[];
}

/** A clause that checks prove, or that is excluded for a reason: one of the two, never both. */
export type ClauseRow =
  | (Omit<ClauseText, 'excluded'> & { readonly checks: readonly string[]; readonly excluded?: never })
  | (Omit<ClauseText, 'excluded'> & { readonly excluded: string; readonly checks?: never });

/** A question that the spec leaves open. */
export interface ObservationText {
  readonly id: string;
  readonly section: string;
  readonly question: string;
}

/** A question that the spec leaves open, and the checks that record how a target answers it. */
export interface ObservationRow extends ObservationText {
  readonly checks: readonly string[];
}
