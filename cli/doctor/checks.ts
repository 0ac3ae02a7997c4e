/** Which checks can come to a verdict, and for want of what the others can't: the same question that a run asks of each. */
import { missingFor, type Situation } from '../../harness/check/needs.ts';
import { CHECKS } from '../../suites/index.ts';
import type { Line } from './machine.ts';

/** What is wanting, with its checks counted; the most first. */
export interface Wanting {
  readonly reason: string;
  readonly checks: number;
}

export interface Outlook {
  readonly runnable: number;
  readonly notApplicable: number;
  readonly wanting: readonly Wanting[];
}

/** Each check once, under the first thing that it lacks. */
export function outlook(situation: Situation): Outlook {
  let [runnable, notApplicable] = [0, 0];
  const counts = new Map<string, number>();
  for (const check of CHECKS) {
    const missing = missingFor(check, situation);
    if (missing === undefined) runnable += 1;
    else if (missing.verdict === 'not-applicable') notApplicable += 1;
    else counts.set(missing.reason, (counts.get(missing.reason) ?? 0) + 1);
  }
  const wanting = [...counts].map(([reason, checks]) => ({ reason, checks })).sort((a, b) => b.checks - a.checks);
  return { runnable, notApplicable, wanting };
}

export function outlookLines({ runnable, notApplicable, wanting }: Outlook): Line[] {
  const undecided = wanting.reduce((sum, { checks }) => sum + checks, 0);
  const all = `${runnable} can come to a verdict, ${undecided} would be inconclusive, ${notApplicable} not applicable`;
  return [
    { kind: undecided === 0 ? 'good' : 'missing', what: 'Checks', says: all },
    ...wanting.map(({ reason, checks }): Line => ({ kind: 'missing', what: `${checks} more`, says: reason })),
  ];
}
