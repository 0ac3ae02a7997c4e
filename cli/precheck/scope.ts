/** The clauses that a precheck judges: those that bind integrators of one kind. */
import type { ClauseRow } from '../../contracts/clauses/clause-row.ts';
import { CLAUSES } from '../../contracts/clauses/index.ts';

export type PrecheckScope = 'app' | 'delivery';

/** By the beginnings of their ids; traffic of the Reseller interface is judged by `proofmark judge` alone. */
const SCOPES: Readonly<Record<PrecheckScope, readonly string[]>> = {
  app: ['app.', 'envelope.v1.request-bodies-are-json'],
  delivery: ['provider.', 'envelope.v1.request-bodies-are-json'],
};

/** The clauses that the command of a record judges: those of its kind for a precheck, all for any other. */
export function clausesOfCommand(command: string): readonly ClauseRow[] {
  const scope = /^precheck (\S+)$/.exec(command)?.[1];
  return scope === 'app' || scope === 'delivery' ? clausesInScope(scope) : CLAUSES;
}

/** The clauses of integrators that a kind of precheck decides. */
export function clausesInScope(scope: PrecheckScope): readonly ClauseRow[] {
  return CLAUSES.filter(
    (row) => row.party === 'integrator' && SCOPES[scope].some((prefix) => row.id.startsWith(prefix)),
  );
}
