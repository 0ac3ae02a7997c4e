/**
 * The one place where verdicts are ordered, folded and turned into outcomes and exit codes.
 * `verdicts.test.ts` pins the whole table.
 */

export const VERDICTS = ['fail', 'error', 'inconclusive', 'warn', 'pass', 'observed', 'not-applicable'] as const;

/** What a check found; `VERDICTS` lists them worst first. */
export type Verdict = (typeof VERDICTS)[number];

/** What a clause came to: the worst verdict of its checks, or `excluded`. */
export type ClauseVerdict = Verdict | 'excluded';

/** Who has to act on a `fail` or an `inconclusive`. */
export type Attribution = 'target' | 'configuration' | 'network' | 'harness' | 'contract';

export type Level = 'MUST' | 'SHOULD' | 'MAY';

export type Outcome = 'conformant' | 'non-conformant' | 'inconclusive' | 'error';

export const EXIT = { conformant: 0, failed: 1, usage: 2, inconclusive: 3, harnessError: 4 } as const;

/** The worse of two verdicts. */
export function worse(a: Verdict, b: Verdict): Verdict {
  return VERDICTS.indexOf(a) <= VERDICTS.indexOf(b) ? a : b;
}

/**
 * The verdict of a clause from the verdicts of its checks.
 * A MUST clause in scope that no check passed is undecided, unless every check says that the target has no such part.
 */
export function clauseVerdict(level: Level, excluded: boolean, ofChecks: readonly Verdict[]): ClauseVerdict {
  if (excluded) return 'excluded';
  if (ofChecks.length === 0) return 'inconclusive';
  const worst = ofChecks.reduce(worse);
  if (level !== 'MUST' || worst === 'not-applicable') return worst;
  const undecided = (worst === 'warn' || worst === 'observed') && !ofChecks.includes('pass');
  return undecided ? 'inconclusive' : worst;
}

/** What is known of a run when it ends. */
export interface RunFacts {
  readonly checks: readonly Verdict[];
  /** Verdicts of the MUST clauses of the selected scope. */
  readonly mustClauses: readonly ClauseVerdict[];
  /** Ctrl-C, a budget of time that ran out, or a target that could not be reached. */
  readonly interrupted: boolean;
  readonly allowInconclusive: boolean;
  /** Proofmark itself did something wrong outside of its checks. */
  readonly harnessFailed?: boolean;
  /** Verdicts of the checks, out of `checks`, whose finding the baseline excuses. */
  readonly excused?: readonly Verdict[];
  /** An entry of the baseline is stale or has expired. */
  readonly baselineOutdated?: boolean;
  /** `--fail-on warn`. */
  readonly failOnWarn?: boolean;
}

/**
 * The outcome of a run and its exit code; the first rule that matches wins. The outcome says what the run found of the
 * target. A baseline and `--fail-on` change the exit code alone.
 */
export function outcomeOf(facts: RunFacts): { outcome: Outcome; exitCode: number } {
  const { outcome, exitCode } = withoutFailures(facts);
  const excused = facts.excused ?? [];
  const isNew = (verdict: Verdict): boolean =>
    facts.checks.filter((one) => one === verdict).length > excused.filter((one) => one === verdict).length;
  const isFailed = isNew('fail') || (facts.failOnWarn === true && isNew('warn')) || facts.baselineOutdated === true;
  return {
    outcome: facts.checks.includes('fail') ? 'non-conformant' : outcome,
    exitCode: isFailed ? EXIT.failed : exitCode,
  };
}

/** What a run comes to apart from its failures. */
function withoutFailures(facts: RunFacts): { outcome: Outcome; exitCode: number } {
  if (facts.checks.includes('error') || facts.harnessFailed === true)
    return { outcome: 'error', exitCode: EXIT.harnessError };
  const nothingRun = facts.checks.every((verdict) => verdict === 'inconclusive' || verdict === 'not-applicable');
  if (nothingRun) return { outcome: 'inconclusive', exitCode: EXIT.inconclusive };
  if (facts.interrupted || facts.mustClauses.includes('inconclusive')) {
    return { outcome: 'inconclusive', exitCode: facts.allowInconclusive ? EXIT.conformant : EXIT.inconclusive };
  }
  return { outcome: 'conformant', exitCode: EXIT.conformant };
}
