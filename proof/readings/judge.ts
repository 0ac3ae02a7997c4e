/** What the results of a run on a conformant service must not contain, as a pure function. */

import { matchesAny } from '../../contracts/run/glob.ts';
import { type Choice, nameOf } from './reading.ts';
import { UNDECIDED_TOGETHER } from './rows/undecided.ts';
import type { ServiceRun } from './run-service.ts';

export interface Problem {
  /**
   * `blamed`: a MUST check failed, or a result blames a clause. `error`: an error of the harness. `undecided`: no answer of the service
   * declares that this check cannot be decided. `harm`: methods or domains were left behind, or others removed.
   */
  readonly kind: 'blamed' | 'error' | 'undecided' | 'harm';
  readonly check: string;
  readonly message: string;
}

/** An undecided MUST check with the answers of the service that force it. */
export interface Forced {
  readonly check: string;
  readonly answers: readonly string[];
}

export interface Judgement {
  readonly problems: readonly Problem[];
  readonly forced: readonly Forced[];
  readonly warned: readonly Problem['check'][];
}

/** Judges a run on one service. */
export function judge(choice: Choice, { results, before, after, leftDomains }: ServiceRun): Judgement {
  const had = Object.keys(before.methods);
  const has = Object.keys(after.methods);
  const changed = [...had, ...has].filter((handle) => !had.includes(handle) || !has.includes(handle));
  const problems: Problem[] = changed.map((handle) => ({
    kind: 'harm',
    check: 'the run',
    message: `the method ${handle} was left behind or removed`,
  }));
  for (const name of leftDomains)
    problems.push({ kind: 'harm', check: 'the run', message: `the domain ${name} was left attached` });
  const forced: Forced[] = [];
  for (const result of results) {
    const { id: check, verdict, reason = '', because } = result;
    if (verdict === 'error') problems.push({ kind: 'error', check, message: reason });
    else if (verdict === 'fail') problems.push({ kind: 'blamed', check, message: reason });
    else if (because !== undefined) problems.push({ kind: 'blamed', check, message: reason });
    else if (verdict === 'inconclusive' && result.level !== 'OBSERVES' && result.additional !== true) {
      const answers = forcing(choice, check);
      if (answers.length > 0) forced.push({ check, answers });
      else problems.push({ kind: 'undecided', check, message: reason });
    }
  }
  return { problems, forced, warned: results.filter(({ verdict }) => verdict === 'warn').map(({ id }) => id) };
}

/** The answers of a choice that declare, alone or together, that a check cannot be decided. */
function forcing(choice: Choice, check: string): string[] {
  const alone = [...choice]
    .filter(([, { undecides = [] }]) => undecides.some(({ checks }) => matchesAny(check, checks)))
    .map(([reading, answer]) => nameOf(reading, answer));
  if (alone.length > 0) return alone;
  const names = [...choice].map(([reading, answer]) => nameOf(reading, answer));
  const together = UNDECIDED_TOGETHER.find(
    ({ answers, checks }) => matchesAny(check, checks) && answers.every((answer) => names.includes(answer)),
  );
  return together === undefined ? [] : [...together.answers];
}
