/** Which checks can be decided, and what the others lack: the same question that a run asks of each. */
import { missingFor, type Situation } from '../../harness/check/needs/index.ts';
import { CHECKS } from '../../suites/index.ts';
import { propertySearchOn } from '../common/property-search.ts';
import { estimateOf, estimateText } from '../explain/estimate.ts';
import type { Line } from './machine.ts';

/** What is missing, with the number of checks that need it; the largest number first. */
export interface MissingNeed {
  readonly reason: string;
  readonly checks: number;
}

export interface Forecast {
  readonly runnable: number;
  /** How many requests a run sends, and how long it takes. */
  readonly estimate: string;
  readonly notApplicable: number;
  readonly missingNeeds: readonly MissingNeed[];
}

/** Each check once, under the first thing that it lacks. */
export function outlook(situation: Situation): Forecast {
  let notApplicable = 0;
  const runnable: string[] = [];
  const counts = new Map<string, number>();
  for (const check of CHECKS) {
    const missing = missingFor(check, situation);
    if (missing === undefined) runnable.push(check.id);
    else if (missing.verdict === 'not-applicable') notApplicable += 1;
    else counts.set(missing.reason, (counts.get(missing.reason) ?? 0) + 1);
  }
  const missingNeeds = [...counts].map(([reason, checks]) => ({ reason, checks })).sort((a, b) => b.checks - a.checks);
  const { requestsPerSecond } = situation.profile.limits;
  const estimate = estimateText(
    estimateOf(runnable, propertySearchOn(situation.profile, undefined)),
    requestsPerSecond,
  );
  return { runnable: runnable.length, estimate, notApplicable, missingNeeds };
}

/** `explained` has the keys of each reason that is printed already: it is not printed a second time. */
export function outlookLines(
  { runnable, estimate, notApplicable, missingNeeds }: Forecast,
  explained: ReadonlyMap<string, readonly string[]> = new Map(),
): Line[] {
  const textOf = (reason: string): string => {
    const keys = explained.get(reason);
    return keys === undefined ? reason : `wait for ${keys.map((key) => `"${key}"`).join(' and ')}, see above`;
  };
  const undecided = missingNeeds.reduce((sum, { checks }) => sum + checks, 0);
  const all = `${runnable} can be decided, ${undecided} would be inconclusive, ${notApplicable} not applicable`;
  return [
    { kind: undecided === 0 ? 'good' : 'missing', what: 'Checks', says: all },
    { kind: 'note', what: 'A run', says: `${estimate} (an estimate, counted on the embedded mock)` },
    ...missingNeeds.map(
      ({ reason, checks }): Line => ({ kind: 'missing', what: `${checks} more`, says: textOf(reason) }),
    ),
  ];
}
