/**
 * Which checks a fault can reach. A fault of one part (the calls of an interface, or the pages) is in force there only, which the
 * service sees to: a check that sends no such request to the correct service gets the same answers under the fault, and has
 * nothing to tell. Leaving those out makes the matrix much faster; some rows are run whole all the same.
 */
import type { MatrixCheck } from '../../contracts/run/selftest.ts';
import { touches } from '../../mock/service.ts';
import type { Part } from '../../mock/types/deviation.ts';
import type { PlannedRow } from './rows.ts';

/** By check: the parts of the correct service that it asked. */
export type Reach = Readonly<Record<string, readonly Part[]>>;

type Transport = (request: Request) => Promise<Response>;

const PARTS: readonly Part[] = ['delivery', 'apps', 'reseller', 'pages'];

/** One in so many rows is run with every check: a fault that reached further than it says would show there. */
const WHOLE_ROW_EVERY = 16;

/** Notes what a request to this path calls. */
export function note(reach: Record<string, Part[]>, check: string, path: string): void {
  const known = reach[check] ?? [];
  reach[check] = [...known, ...PARTS.filter((one) => !known.includes(one) && touches(one, path))];
}

export const noting =
  (transport: Transport, seen: (path: string) => void): Transport =>
  (request) => {
    seen(new URL(request.url).pathname);
    return transport(request);
  };

/** The checks of a row, `at` being its place: all, or for a fault of one part those that it can reach. */
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
