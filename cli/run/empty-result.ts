/** Results for checks that did not report one. */
import type { CheckResult } from '../../contracts/run/events.ts';
import { CHECKS, SUITES } from '../../suites/index.ts';

/** A result for a check that gave none, but for its verdict. */
export function emptyResult(id: string): Omit<CheckResult, 'verdict'> | undefined {
  const check = CHECKS.find((one) => one.id === id);
  const suite = SUITES.find((one) => one.checks.some((other) => other.id === id));
  if (check === undefined || suite === undefined) return undefined;
  return {
    type: 'check',
    id,
    title: check.title,
    level: check.level,
    suite: suite.name,
    clauses: check.clauses,
    exchanges: [],
    startedAt: new Date().toISOString(),
    durationMs: 0,
  };
}
