/**
 * Evidence that a precondition met. A check whose precondition saw the target break another clause decides nothing of its own,
 * but the breach was seen. Where no check of that clause found it, the first check that met it says so: it fails, for that
 * clause. The one place where this is decided; `evidence.test.ts` pins the whole table.
 */
import type { Attribution, Level, Verdict } from './run/verdicts.ts';

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
 * The results of a run, with the breaches that only preconditions met as failures (warnings, where the clause is no MUST) of the
 * check that met them first; a MUST check goes before others. Its own clauses stay undecided.
 */
export function withEvidence<R extends Evident>(results: readonly R[], levelOf: LevelOf): R[] {
  const reporters = new Map<string, R>();
  for (const result of results) {
    const { because: clause } = result;
    if (clause === undefined || result.verdict !== 'inconclusive') continue;
    const level = levelOf(clause);
    if (level === undefined || results.some((other) => reports(other, clause, level))) continue;
    const known = reporters.get(clause);
    if (known === undefined || (known.level !== 'MUST' && result.level === 'MUST')) reporters.set(clause, result);
  }
  return results.map((result) => {
    const { because: clause } = result;
    if (clause === undefined || reporters.get(clause) !== result) return result;
    const { because: _, ...rest } = result;
    return {
      ...rest,
      verdict: levelOf(clause) === 'MUST' ? 'fail' : 'warn',
      attribution: 'target',
      clauses: [clause],
      undecided: result.clauses.filter((one) => one !== clause),
      reason: `${clause} is not kept, as a precondition of this check met: ${result.reason ?? ''}`,
    } as unknown as R;
  });
}

/** Whether a check has found a clause broken, in a way that counts at its level. */
const reports = ({ verdict, clauses }: Evident, clause: string, level: Level): boolean =>
  clauses.includes(clause) && (verdict === 'fail' || (level !== 'MUST' && verdict === 'warn'));
