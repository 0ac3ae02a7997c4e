/** The selected checks as the header of a run names them. */
import type { PlannedCheck } from '../../contracts/run/events.ts';

interface PlannedSuite {
  readonly name: string;
  readonly checks: readonly Omit<PlannedCheck, 'suite'>[];
}

/** The selected checks in report order, so that a run that was cut short still names what it left out. */
export function planOf(suites: readonly PlannedSuite[], selected: Iterable<string>): PlannedCheck[] {
  const chosen = new Set(selected);
  return suites.flatMap((suite) =>
    suite.checks
      .filter(({ id }) => chosen.has(id))
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
