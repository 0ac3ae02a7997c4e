/** The clauses and observations with the checks that name them. Checks name clauses; the reverse index is generated. */
import { CLAUSE_TEXTS, OBSERVATION_TEXTS } from '../generated/clauses.generated.ts';
import { CHECKS_BY_CLAUSE, CHECKS_BY_OBSERVATION } from '../generated/coverage.generated.ts';
import type { ClauseRow, ObservationRow } from './clause-row.ts';

export const CLAUSES: readonly ClauseRow[] = CLAUSE_TEXTS.map(({ excluded, ...row }) =>
  excluded === undefined ? { ...row, checks: CHECKS_BY_CLAUSE[row.id] ?? [] } : { ...row, excluded },
);

export const OBSERVATIONS: readonly ObservationRow[] = OBSERVATION_TEXTS.map((row) => ({
  ...row,
  checks: CHECKS_BY_OBSERVATION[row.id] ?? [],
}));
