/**
 * The few ways in which a check may end early. Everything else that is thrown is an error of the harness itself.
 */
import type { Attribution } from '../../contracts/run/verdicts.ts';
import type { ServiceResponse } from '../target/client/types.ts';

export interface Evidence {
  readonly expected?: unknown;
  readonly actual?: unknown;
  /** JSON pointer into the response's body, or a name such as `header content-type`. */
  readonly pointer?: string;
  /** The response that the verdict rests on. */
  readonly response?: ServiceResponse | undefined;
  /** Number of the exchange the verdict rests on, where our client received no response (what a listener received). */
  readonly exchange?: number | undefined;
  /** Commands that repeat what was found, a line each, where more than the request of `response` is needed. */
  readonly curl?: string;
  /** The check failed because `response` refused a call with values that the check chose, and for nothing else. */
  readonly refusedChoice?: true;
  /** Of a check about many clauses (a property): those that were found broken; the others are left to their own checks. */
  readonly clauses?: readonly string[];
}

/** The one assertion of a check did not hold: the only thing that is a `fail` or `warn`. */
export class AssertionFailure extends Error {
  readonly evidence: Evidence;
  constructor(message: string, evidence: Evidence = {}) {
    super(message);
    this.evidence = evidence;
  }
}

/**
 * What a precondition that did not hold shows. `deviation`: what the target served breaks the clause, which is evidence against
 * it. `refusal`: it refused, ignored or lacks what the check chose to use, which a conformant target may do.
 */
export type PreconditionEvidence = 'deviation' | 'refusal';

/** A precondition under `clause` did not hold, so that the check decides nothing of its own. */
export class GivenFailure extends Error {
  readonly clause: string;
  readonly evidence: Evidence;
  readonly shows: PreconditionEvidence;
  constructor(message: string, clause: string, evidence: Evidence = {}, shows: PreconditionEvidence = 'deviation') {
    super(message);
    this.clause = clause;
    this.evidence = evidence;
    this.shows = shows;
  }
}

/** The check can't be decided here: the reason says what to do, the attribution says who. */
export class Inconclusive extends Error {
  readonly attribution: Attribution;
  constructor(message: string, attribution: Attribution) {
    super(message);
    this.attribution = attribution;
  }
}

/** The check was left out on purpose: not applicable, with the reason. */
export class Skipped extends Error {}
