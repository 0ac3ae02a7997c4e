/** Whether checks and clauses account for each other; computed from the ids that a run really emitted. */
import type { ClauseRow, ObservationRow } from '../contracts/clauses/clause-row.ts';
import type { Check } from '../harness/check/check.ts';

/**
 * What is wrong between clauses and checks, as sentences: a check that no clause names or that names none, an id that
 * does not exist, a clause with neither check nor reason, and links that hold in one direction only.
 */
export function coverageProblems(
  clauses: readonly ClauseRow[],
  checks: readonly Check[],
  emitted: readonly string[],
  observations: readonly ObservationRow[] = [],
  party: 'service' | 'integrator' = 'service',
): string[] {
  const problems: string[] = [];
  const ofRun = new Set(emitted);
  const known = new Map(checks.map((check) => [check.id, check]));
  const rows = new Map(clauses.map((clause) => [clause.id, clause]));
  const questions = new Map(observations.map((row) => [row.id, row]));

  for (const id of ofRun) if (!known.has(id)) problems.push(`The run emitted ${id}, which is not a check.`);
  for (const check of checks) {
    if (!ofRun.has(check.id)) problems.push(`The check ${check.id} has no result in the run.`);
    if (check.clauses.length === 0 && (check.observations ?? []).length === 0)
      problems.push(`The check ${check.id} has no clause.`);
    for (const id of check.clauses) {
      const clause = rows.get(id);
      if (clause === undefined) problems.push(`The check ${check.id} names the clause ${id}, which does not exist.`);
      else if (!(clause.checks ?? []).includes(check.id))
        problems.push(`The clause ${id} does not name its check ${check.id}.`);
    }
    for (const id of check.observations ?? []) {
      const row = questions.get(id);
      if (observations.length > 0 && row === undefined)
        problems.push(`The check ${check.id} names the observation ${id}, which does not exist.`);
      if (row !== undefined && !row.checks.includes(check.id))
        problems.push(`The observation ${id} does not name its check ${check.id}.`);
    }
  }
  for (const clause of clauses.filter((row) => row.party === party)) {
    if (clause.excluded !== undefined) continue;
    if ((clause.checks ?? []).length === 0) problems.push(`The clause ${clause.id} has neither a check nor a reason.`);
    for (const id of clause.checks ?? []) {
      if (!ofRun.has(id)) problems.push(`The clause ${clause.id} names the check ${id}, which did not run.`);
      else if (!known.get(id)?.clauses.includes(clause.id))
        problems.push(`The check ${id} does not name its clause ${clause.id}.`);
    }
  }
  return problems;
}
