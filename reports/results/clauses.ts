/** The clauses of a run, each with its verdict and the checks that prove it. */
import type { CheckResult, RunHeader } from '../../contracts/run/events.ts';
import { optional } from '../../contracts/run/optional.ts';
import { clauseVerdict, type Verdict } from '../../contracts/run/verdicts.ts';
import type { CheckOutcome, ClauseOutcome, ClauseText } from './shape.ts';

/** The clauses of the judged party that this run was about, in the order of the contract. */
export function clausesOf(
  header: RunHeader,
  checks: readonly CheckOutcome[],
  clauses: readonly ClauseText[],
  found: ReadonlyMap<string, CheckResult>,
): ClauseOutcome[] {
  const undecided = new Map(checks.map((check) => [check.id, new Set(check.undecided)]));
  const waiting = waitingOf(checks);
  const proving = checksByClause(checks, clauses, found);
  const verdicts = new Map(checks.map((check) => [check.id, check.verdict]));
  const verdictOn = (clause: string, id: string): Verdict | undefined =>
    undecided.get(id)?.has(clause) ? 'inconclusive' : verdicts.get(id);
  return clauses.flatMap((row) => {
    if (row.party !== header.party) return [];
    const ofRow = proving.get(row.id) ?? [];
    const excluded = row.excluded !== undefined;
    if (header.onlyPattern !== undefined && !excluded && ofRow.length === 0) return [];
    // What other checks decide is not undecided because a property reached no verdict.
    const isDecided = ofRow.some((id) => !found.get(id)?.additional);
    const counted = ofRow.filter((id) => {
      const result = found.get(id);
      const isEvidence = waiting.get(id) === row.id;
      return isEvidence || !(isDecided && result?.additional && verdictOn(row.id, id) === 'inconclusive');
    });
    const verdictsOfRow = counted.flatMap((id) => verdictOn(row.id, id) ?? []);
    return {
      id: row.id,
      level: row.level,
      party: row.party,
      section: row.section,
      text: row.text,
      verdict: clauseVerdict(row.level, excluded, verdictsOfRow),
      checks: ofRow,
      ...optional('excluded', row.excluded),
    };
  });
}

/** By check that is inconclusive, the clause that a precondition of it saw broken. */
const waitingOf = (checks: readonly CheckOutcome[]): ReadonlyMap<string, string | undefined> =>
  new Map(checks.map(({ id, verdict, because }) => [id, verdict === 'inconclusive' ? because : undefined]));

/** By clause, the ids of the checks that say something about it, in their order. */
function checksByClause(
  checks: readonly CheckOutcome[],
  clauses: readonly ClauseText[],
  found: ReadonlyMap<string, CheckResult>,
): ReadonlyMap<string, readonly string[]> {
  const proving = new Map<string, string[]>();
  const prove = (clause: string, check: string): void => {
    const known = proving.get(clause);
    if (known === undefined) proving.set(clause, [check]);
    else if (!known.includes(check)) known.push(check);
  };
  const rowsOf = new Map<string, string[]>();
  for (const row of clauses) {
    for (const check of row.checks ?? []) rowsOf.set(check, [...(rowsOf.get(check) ?? []), row.id]);
  }
  const waiting = waitingOf(checks);
  for (const { id, clauses: named, undecided = [] } of checks) {
    for (const clause of [...named, ...undecided]) prove(clause, id);
    // A clause that a precondition saw broken is not proved by those that saw it kept.
    const seen = waiting.get(id);
    if (seen !== undefined) prove(seen, id);
    // A result names its clauses itself: a property names the one clause that it found broken, of the many it tries.
    if (!found.has(id)) for (const clause of rowsOf.get(id) ?? []) prove(clause, id);
  }
  return proving;
}

/** A sentence for each clause that a check names and this contract does not have. */
export function unknownClauses(checks: readonly CheckOutcome[], clauses: readonly ClauseText[]): string[] {
  const known = new Set(clauses.map((row) => row.id));
  return checks.flatMap((check) =>
    check.clauses
      .filter((id) => !known.has(id))
      .map((id) => `The check ${check.id} names the clause ${id}, which this contract does not have.`),
  );
}
