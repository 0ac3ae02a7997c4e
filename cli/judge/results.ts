/** What the rules said of a recording, as results of checks: one for each clause of the judged party. */
import type { ClauseRow } from '../../contracts/clauses/clause-row.ts';
import { CLAUSES } from '../../contracts/clauses/index.ts';
import type { CheckResult, PlannedCheck } from '../../contracts/run/events.ts';
import { matchesAny } from '../../contracts/run/glob.ts';
import { type ClauseTally, type TrafficVerdicts, whyUndecided } from '../../contracts/traffic/index.ts';

type Party = 'service' | 'integrator';

/** Id of the check over recorded traffic that a clause has. */
export const checkIdOf = (clause: string): string => `traffic.${clause}`;

/** The clauses of a party that can be judged at all, and that the globs name by their id or by that of their check. */
export function judgedClauses(party: Party, globs: readonly string[]): ClauseRow[] {
  const rows = CLAUSES.filter((row) => row.party === party && row.excluded === undefined);
  if (globs.length === 0) return rows;
  return rows.filter(({ id }) => matchesAny(id, globs) || matchesAny(checkIdOf(id), globs));
}

export const plannedCheck = (row: ClauseRow): PlannedCheck => ({
  id: checkIdOf(row.id),
  title: `${row.level} hold in recorded traffic: ${row.text.replace(/\.$/, '')}`,
  level: row.level,
  suite: suiteOf(row.id),
  clauses: [row.id],
});

/** The heading in reports: the subject of the clause. */
const suiteOf = (clause: string): string => `Recorded traffic: ${clause.split('.', 1)[0]}`;

/** One result a clause, and a second one for legal but harmful behaviour. */
export function resultsOf(rows: readonly ClauseRow[], party: Party, verdicts: TrafficVerdicts): CheckResult[] {
  const startedAt = new Date().toISOString();
  return rows.flatMap((row) => {
    const base = { type: 'check' as const, ...plannedCheck(row), startedAt, durationMs: 0 };
    const found = verdicts.clauses.get(row.id);
    if (found === undefined) {
      const reason = whyUndecided(party, row.id);
      return [
        { ...base, verdict: 'inconclusive' as const, attribution: 'configuration' as const, reason, exchanges: [] },
      ];
    }
    const result: CheckResult = { ...base, ...decided(found) };
    return found.advice === undefined ? [result] : [result, advised(result, found.advice)];
  });
}

function decided(found: ClauseTally): Omit<CheckResult, keyof PlannedCheck | 'type' | 'startedAt' | 'durationMs'> {
  const { verdict, attribution, reason, finding, decisive, exchanges } = found;
  return {
    verdict,
    ...(attribution === undefined || verdict === 'warn' ? {} : { attribution }),
    ...(verdict === 'warn' ? { attribution: 'target' } : {}),
    reason,
    ...evidenceOf(finding),
    exchanges,
    ...(decisive === undefined ? {} : { decisive }),
  };
}

function advised(result: CheckResult, { finding, exchanges }: NonNullable<ClauseTally['advice']>): CheckResult {
  const { expected: _expected, actual: _actual, pointer: _pointer, ...rest } = result;
  return {
    ...rest,
    id: `${result.id}.advice`,
    title: `SHOULD also avoid a known problem: ${result.title.replace(/^[^:]*: /, '')}`,
    level: 'SHOULD',
    verdict: 'warn',
    attribution: 'target',
    reason: finding.message,
    ...evidenceOf(finding),
    exchanges,
    ...(exchanges[0] === undefined ? {} : { decisive: exchanges[0] }),
  };
}

function evidenceOf(finding: ClauseTally['finding']): Pick<CheckResult, 'pointer' | 'expected' | 'actual'> {
  if (finding === undefined) return {};
  return {
    ...(finding.pointer === undefined ? {} : { pointer: finding.pointer }),
    ...(finding.expected === undefined ? {} : { expected: finding.expected }),
    ...(finding.actual === undefined ? {} : { actual: finding.actual }),
  };
}
