/** The clauses that a precheck is about: those that bind integrators of one kind. */
import type { ClauseRow } from '../../contracts/clauses/clause-row.ts';
import { CLAUSES } from '../../contracts/clauses/index.ts';

export type PrecheckScope = 'app' | 'delivery';

/** By the beginnings of their ids; traffic of the Reseller interface is judged by `proofmark judge` alone. */
const SCOPES: Readonly<Record<PrecheckScope, readonly string[]>> = {
  app: ['app.', 'envelope.v1.request-bodies-are-json'],
  delivery: ['provider.', 'envelope.v1.request-bodies-are-json'],
};

export function clausesInScope(scope: PrecheckScope): readonly ClauseRow[] {
  return CLAUSES.filter(
    (row) => row.party === 'integrator' && SCOPES[scope].some((prefix) => row.id.startsWith(prefix)),
  );
}
