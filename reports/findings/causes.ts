/** One cause is one finding: the failed checks that are about the same clause, and the checks that wait for it. Pure. */
import type { CheckOutcome, Results } from '../results/index.ts';

export interface Cause {
  /** Failed checks that share a clause, in their order; the first one names the finding. */
  readonly failed: readonly [CheckOutcome, ...CheckOutcome[]];
  /** Inconclusive checks that can't decide before one of these clauses is kept. */
  readonly waiting: readonly CheckOutcome[];
}

interface Group {
  readonly failed: [CheckOutcome, ...CheckOutcome[]];
  readonly waiting: CheckOutcome[];
  readonly clauses: Set<string>;
}

/**
 * The findings of a run: what most checks wait for comes first, what a baseline knows last. A check waits in one place only.
 */
export function causesOf({ checks }: Pick<Results, 'checks'>): Cause[] {
  const groups: Group[] = [];
  const groupOf = (clauses: readonly (string | undefined)[]): Group | undefined =>
    groups.find((group) => clauses.some((clause) => clause !== undefined && group.clauses.has(clause)));
  const failed = checks.filter(({ verdict }) => verdict === 'fail');
  const isKnown = ({ known }: CheckOutcome): boolean => known !== undefined;
  for (const check of [...failed.filter((one) => !isKnown(one)), ...failed.filter(isKnown)]) {
    const group = groupOf(check.clauses);
    if (group === undefined) groups.push({ failed: [check], waiting: [], clauses: new Set(check.clauses) });
    else {
      group.failed.push(check);
      for (const clause of check.clauses) group.clauses.add(clause);
    }
  }
  for (const check of checks) {
    if (check.verdict === 'inconclusive') groupOf([check.because, check.restsOn])?.waiting.push(check);
  }
  const isNew = ({ failed: [first] }: Group): number => (isKnown(first) ? 0 : 1);
  return groups.toSorted((a, b) => isNew(b) - isNew(a) || b.waiting.length - a.waiting.length);
}
