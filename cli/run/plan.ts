/** The selected checks as a report names them. */
import type { CheckResult, PlannedCheck } from '../../contracts/run/events.ts';
import { CHECKS, SUITES } from '../../suites/index.ts';

/** The selected checks in report order, so that a run that was cut short still names what it left out. */
export function planOf(selected: readonly string[]): PlannedCheck[] {
  const chosen = new Set(selected);
  return SUITES.flatMap((suite) =>
    suite.checks
      .filter((check) => chosen.has(check.id))
      .map(({ id, title, level, clauses, source }) => ({
        id,
        title,
        level,
        suite: suite.name,
        clauses,
        ...(source === undefined ? {} : { source }),
      })),
  );
}

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
