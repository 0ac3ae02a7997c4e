/**
 * Who has to act on a check that waits for a clause: the one who has to act on that clause. A check knows only that its
 * precondition did not hold; whether the configuration is the cause shows when all checks are in.
 */
import type { CheckOutcome } from './results/shape.ts';

/**
 * The checks, with the attribution and the reason of their cause where that is not the target: the checks of the clause
 * that they wait for reached no verdict themselves, because configuration or network is missing, and none of them passed or failed.
 */
export function withCauses(checks: readonly CheckOutcome[]): CheckOutcome[] {
  let current = [...checks];
  // A cause may wait for another clause itself; a chain is never longer than the checks.
  for (let round = 0; round < checks.length; round += 1) {
    const ofClause = Map.groupBy(
      current.flatMap((check) => check.clauses.map((clause) => ({ clause, check }))),
      ({ clause }) => clause,
    );
    let changed = false;
    current = current.map((check) => {
      const cause = causeOf(check, (clause) => (ofClause.get(clause) ?? []).map((row) => row.check));
      if (cause === undefined) return check;
      changed = true;
      const reason = `${check.reason ?? ''} (${check.because} is undecided itself: ${cause.reason ?? cause.id})`;
      return { ...check, attribution: cause.attribution, reason };
    });
    if (!changed) break;
  }
  return current;
}

function causeOf(check: CheckOutcome, checksOf: (clause: string) => CheckOutcome[]): CheckOutcome | undefined {
  if (check.verdict !== 'inconclusive' || check.because === undefined || check.attribution !== 'target')
    return undefined;
  const others = checksOf(check.because).filter(({ id }) => id !== check.id);
  if (others.some(({ verdict }) => verdict !== 'inconclusive')) return undefined;
  return others.find(({ attribution }) => attribution === 'configuration' || attribution === 'network');
}
