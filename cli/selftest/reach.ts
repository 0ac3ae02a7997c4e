/**
 * Which checks a fault can reach. A fault of one interface is in force in the calls of that interface only (the service sees
 * to it), so that a check which sends no such call on the correct service gets the same answers under the fault, and has
 * nothing to tell. Leaving those out makes the matrix three times as fast; some rows are run whole all the same.
 */
import type { MatrixCheck } from '../../contracts/selftest.ts';
import type { Interface } from '../../mock/call.ts';
import { touches } from '../../mock/service.ts';
import type { PlannedRow } from './rows.ts';

/** By check: the interfaces whose calls it sent to the correct service. */
export type Reach = Readonly<Record<string, readonly Interface[]>>;

type Transport = (request: Request) => Promise<Response>;

const INTERFACES: readonly Interface[] = ['delivery', 'apps', 'reseller'];

/** One in so many rows is run with every check: a fault that reached further than it says would show there. */
const WHOLE_ROW_EVERY = 16;

/** Notes what a request to this path calls. */
export function note(reach: Record<string, Interface[]>, check: string, path: string): void {
  const known = reach[check] ?? [];
  reach[check] = [...known, ...INTERFACES.filter((one) => !known.includes(one) && touches(one, path))];
}

export const noting =
  (transport: Transport, seen: (path: string) => void): Transport =>
  (request) => {
    seen(new URL(request.url).pathname);
    return transport(request);
  };

/** The checks of a row, `at` being its place: all, or for a fault of one interface those that it can reach. */
export function checksFor(
  row: Pick<PlannedRow, 'only' | 'clauses'>,
  at: number,
  checks: readonly MatrixCheck[],
  reach: Reach,
): readonly MatrixCheck[] {
  const { only, clauses } = row;
  if (only === undefined || at % WHOLE_ROW_EVERY === 0) return checks;
  return checks.filter(
    // What a fault declares is looked at whatever was noted, so that a wrong declaration can't hide it.
    (check) => (reach[check.id] ?? []).includes(only) || check.clauses.some((clause) => clauses.includes(clause)),
  );
}
