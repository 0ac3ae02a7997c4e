/**
 * Evidence that a precondition met. A check whose precondition saw the target break another clause decides nothing of its own,
 * but the breach was seen. Where no check of that clause found it, the first check that met it says so: it fails, for that
 * clause. Where a check of the same interface failed already, what the precondition met may be a symptom of that: then the
 * clause is undecided, and neither passes nor is blamed. The same holds for what a response breaks by itself (its envelope, the
 * type of a member) in a check about something else. The one place where this is decided; `evidence.test.ts` pins the table.
 */
import type { Breach } from './events.ts';
import type { Attribution, Level, Verdict } from './verdicts.ts';

/** What of a check's result decides this. */
export interface Evident {
  readonly id: string;
  readonly level: string;
  readonly clauses: readonly string[];
  readonly verdict: Verdict;
  /** The clause that a precondition saw broken. */
  readonly because?: string;
  readonly reason?: string | null;
  readonly attribution?: Attribution | null;
  /** What responses of the check broke by themselves. */
  readonly breaches?: readonly Breach[];
  /** Clauses that the check leaves undecided, since it reports the breach of another. */
  readonly undecided?: readonly string[];
}

/** The level of a clause that checks decide; undefined for one that is excluded, unknown, or of the other party. */
export type LevelOf = (clause: string) => Level | undefined;

/** The level of each of these clauses that is not excluded. */
export function levelsOf(
  rows: readonly { readonly id: string; readonly level: Level; readonly excluded?: string | undefined }[],
): LevelOf {
  const levels = new Map(rows.filter(({ excluded }) => excluded === undefined).map(({ id, level }) => [id, level]));
  return (clause) => levels.get(clause);
}

/**
 * The results of a run, with the breaches that only preconditions met as failures (warnings, where the clause is not a MUST) of the
 * check that met them first; a MUST check goes before others. Its own clauses stay undecided.
 */
export function withEvidence<R extends Evident>(results: readonly R[], levelOf: LevelOf): R[] {
  const folded = [...results];
  const isOfMust = ({ level }: R): boolean => level === 'MUST';
  for (const result of [...results.filter(isOfMust), ...results.filter((one) => !isOfMust(one))]) {
    const { because: clause } = result;
    if (clause === undefined || result.verdict !== 'inconclusive') continue;
    const level = levelOf(clause);
    if (level === undefined || folded.some((other) => mayExplain(other, clause, level))) continue;
    folded[results.indexOf(result)] = reported(result, clause, level);
  }
  for (const result of results) {
    for (const breach of result.breaches ?? []) {
      const level = levelOf(breach.clause);
      if (level === undefined || folded.some((other) => mayExplain(other, breach.clause, level))) continue;
      const at = placeOf(folded, breach.clause, results.indexOf(result));
      folded[at] = broken(folded[at]!, breach, level, result.id);
    }
  }
  return folded.map((result) => (result.breaches === undefined ? result : withoutBreaches(result)));
}

function withoutBreaches<R extends Evident>({ breaches: _, ...result }: R): R {
  return result as unknown as R;
}

/** The check that reports a breach: one of the clause itself, where there is one; else the one whose response shows it. */
function placeOf(results: readonly Evident[], clause: string, met: number): number {
  const own = results.findIndex(
    ({ clauses, verdict }) => clauses.includes(clause) && !['fail', 'warn', 'error'].includes(verdict),
  );
  return own === -1 ? met : own;
}

/** The result of a check that reports what a response of this or another check broke by itself. */
function broken<R extends Evident>(result: R, { clause, exchange, ...breach }: Breach, level: Level, metBy: string): R {
  const { because: _, ...rest } = result;
  const where = metBy === result.id ? '' : `, as a response to ${metBy} shows`;
  const left = result.clauses.filter((one) => one !== clause);
  return {
    ...rest,
    verdict: level === 'MUST' ? 'fail' : 'warn',
    attribution: 'target',
    clauses: [clause],
    ...(left.length === 0 ? {} : { undecided: left }),
    ...breach,
    reason: `${breach.reason}${where}`,
    exchanges: [exchange],
    decisive: exchange,
  } as unknown as R;
}

/** The sentence of a check that is undecided because a clause is broken. */
export const becauseOf = (clause: string, reason: string): string =>
  `not decided, because ${clause} is broken: ${reason}`;

/** The result of a check that reports the breach of a clause that its precondition met. */
function reported<R extends Evident>(result: R, clause: string, level: Level): R {
  const { because: _, reason, ...rest } = result;
  const found = reason?.replace(becauseOf(clause, ''), '') ?? '';
  return {
    ...rest,
    verdict: level === 'MUST' ? 'fail' : 'warn',
    attribution: 'target',
    clauses: [clause],
    undecided: result.clauses.filter((one) => one !== clause),
    reason: `${clause} is broken, as a precondition of this check found: ${found}`,
  } as unknown as R;
}

/** Whether what a check found is this breach, or may be what it comes of. */
function mayExplain({ verdict, clauses }: Evident, clause: string, level: Level): boolean {
  if (level !== 'MUST' && verdict === 'warn') return clauses.includes(clause);
  if (verdict !== 'fail') return false;
  const interfaces = interfacesOf(clause);
  return clauses.some((one) => one === clause || interfacesOf(one).some((name) => interfaces.includes(name)));
}

/** The interfaces that a clause is about, by the beginning of its id; none for what is about no particular one. */
function interfacesOf(clause: string): readonly string[] {
  const [first = '', second = ''] = clause.split('.');
  if (first === 'envelope') return second === 'v1' ? ['delivery', 'apps'] : [second];
  return [INTERFACE_OF[first] ?? first];
}

const INTERFACE_OF: Readonly<Record<string, string>> = {
  labels: 'delivery',
  checkout: 'delivery',
  install: 'apps',
  settings: 'apps',
};
