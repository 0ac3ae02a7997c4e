/**
 * Whose fault a failure is. A clause names the simpler clauses that it rests on (`rests-on` in the clause files). Where a check
 * of one of those fails, a failure under this clause may be nothing but its symptom: it is undecided then, and keeps its
 * evidence. This uses only what is known when the checks of a run have ended; what a part of a run leaves out is found out in
 * `harness/check/running/unselected.ts`.
 */
import type { CheckResult } from './events.ts';
import { becauseOf, levelsOf, withEvidence } from './evidence.ts';
import type { Level } from './verdicts.ts';

/** What of a clause decides this. */
export interface ClauseBasis {
  readonly id: string;
  readonly level: Level;
  readonly excluded?: string | undefined;
  readonly restsOn?: readonly string[] | undefined;
}

/** Returns the clauses that a clause names as those that it rests on, and not what these rest on in turn. */
export type BasesOf = (clause: string) => readonly string[];

/** Gives, for a clause, the clauses that it rests on (`rests-on` in its file). */
export function basesOf(rows: readonly ClauseBasis[]): BasesOf {
  const bases = new Map(rows.map(({ id, restsOn = [] }) => [id, restsOn]));
  return (clause) => bases.get(clause) ?? [];
}

/** What of a result decides this, and what changes in it. */
export type Attributable = Pick<CheckResult, 'clauses' | 'verdict' | 'level'> &
  Partial<Pick<CheckResult, 'additional' | 'warnings' | 'reason' | 'because' | 'attribution'>>;

/** Whether a result is a failed assertion: a warning that a check notes beside it may be about anything. */
export const isFailure = ({ verdict, level, warnings = [] }: Pick<Attributable, 'verdict' | 'level' | 'warnings'>) =>
  verdict === 'fail' || (verdict === 'warn' && level !== 'OBSERVES' && warnings.length === 0);

/**
 * The results of a run, in which a failure is undecided if all of its clauses rest on a broken one. A clause counts as broken if one
 * of its own checks failed and that failure is not itself a symptom. Properties do not count: a failure with unusual values says
 * nothing about usual ones.
 */
export function withBrokenBases<R extends Attributable>(results: readonly R[], bases: BasesOf): R[] {
  const known = new Map<string, boolean>();
  const isBroken = (clause: string): boolean => {
    const before = known.get(clause);
    if (before !== undefined) return before;
    // A check of several clauses is not its own cause.
    known.set(clause, false);
    const isOwn = ({ verdict, clauses, additional }: R) =>
      verdict === 'fail' && !additional && clauses.includes(clause);
    const found = results.some((result) => isOwn(result) && causeOf(result) === undefined);
    known.set(clause, found);
    return found;
  };
  const causeOf = ({ clauses }: R): string | undefined => {
    const causes = clauses.map((clause) => bases(clause).find(isBroken));
    return causes.includes(undefined) ? undefined : causes[0];
  };
  return results.map((result) => {
    const because = isFailure(result) ? causeOf(result) : undefined;
    if (because === undefined) return result;
    const reason = becauseOf(because, result.reason ?? 'a check failed');
    return { ...result, verdict: 'inconclusive', attribution: 'target', because, reason } as R;
  });
}

/** The results of a run as they count: first what is only a symptom, then what preconditions met (`evidence.ts`). */
export function attributed<R extends CheckResult>(results: readonly R[], rows: readonly ClauseBasis[]): R[] {
  return withEvidence(withBrokenBases(results, basesOf(rows)), levelsOf(rows));
}
