/**
 * What the first try of a check found and its second one did not. A target that loses a write now and then is seen once: the second
 * try passes, or something else keeps it from a decision, and what was seen stays true. It counts where nothing else of the interface
 * failed (`contracts/run/evidence.ts`), since the first try may rest on methods that other checks have used.
 */

import type { Breach } from '../../contracts/run/events.ts';
import { becauseOf } from '../../contracts/run/evidence.ts';
import { clausesOf, type Ending } from '../check/ending.ts';
import type { CheckSummary, Findings } from '../check/findings/index.ts';
import { needsPages } from '../check/needs/index.ts';
import { isServed } from '../target/response/judge-response.ts';

/** What is judged of a check. */
interface Tried extends CheckSummary {
  readonly needs: readonly string[];
}

interface FirstTry {
  readonly context: Pick<Findings, 'decided' | 'exchanges'> & { readonly wasAway: boolean };
  readonly ending: Ending;
}

/**
 * The breach that a first try found; undefined where it met a refusal, which the target may have reasons for, where the target was away,
 * or where pages took part, which may be slow once.
 */
export function breachOfFirstTry(check: Tried, { context, ending }: FirstTry): Breach | undefined {
  const { verdict, evidence = {}, reason = '', because } = ending;
  const { response, pointer, expected, actual } = evidence;
  const isFound = verdict === 'fail' || (verdict === 'inconclusive' && because !== undefined);
  const isRefused = evidence.refusedChoice === true || (response !== undefined && !isServed(response));
  if (!isFound || isRefused || context.wasAway || ending.isLost === true || needsPages(check)) return undefined;
  const clause = because ?? clausesOf(check, context, ending)[0];
  const exchange = response?.exchange ?? evidence.exchange ?? context.exchanges.at(-1);
  if (clause === undefined || exchange === undefined) return undefined;
  return {
    clause,
    reason: `${reason.replace(becauseOf(clause, ''), '')} (only in the first of two tries)`,
    exchange,
    ...(pointer === undefined ? {} : { pointer }),
    ...(expected === undefined ? {} : { expected }),
    ...(actual === undefined ? {} : { actual }),
  };
}
