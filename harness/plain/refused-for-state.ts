/**
 * What becomes of a check that ends with the refusal of an update which neither what was sent nor a limit explains (`ServedUpdates`): it is
 * evidence, unless the service was only busy.
 */
import { becauseOf } from '../../contracts/run/evidence.ts';
import type { Check } from '../check/check.ts';
import type { Context } from '../check/context.ts';
import type { Ending } from '../check/ending.ts';
import { summary } from '../check/expect.ts';
import type { Resources } from '../resources/resources.ts';
import type { ServiceResponse } from '../target/client/types.ts';
import { type Attempt, isUndecided, type PlainRun, restsOnRefusal, runPlain } from './plain-run.ts';

/** How long a service may be busy with what a check has just changed. */
const BUSY_MS = 2_000;
/** Processes in which a pause changed nothing: another one is not worth its time. */
const pausedInVain = new WeakSet<Resources>();

/** Runs the check again after a pause where an update was refused for what is there; undefined where that decides nothing either. */
export async function afterPause(
  check: Check,
  resources: Resources,
  first: Attempt,
  last: PlainRun | undefined,
): Promise<PlainRun | undefined> {
  const refusal = refusalForState(first) ?? (last && refusalForState({ context: last.plain, ending: last.decided }));
  if (refusal === undefined || pausedInVain.has(resources)) return undefined;
  await resources.sleep(BUSY_MS);
  const again = await runPlain(check, resources);
  if (!isUndecided(again.decided)) return again;
  pausedInVain.add(resources);
  first.context.adopt(again.plain);
  return undefined;
}

/** The refusal that a run ended with, if neither what was sent nor a limit explains it, and the clause which that breaks. */
function refusalForState({ context, ending }: Attempt): { response: ServiceResponse; clause: string } | undefined {
  const response = restsOnRefusal(ending) ? ending.evidence?.response : undefined;
  const clause = response === undefined ? undefined : context.refusedForState.get(response);
  return response === undefined || clause === undefined ? undefined : { response, clause };
}

/** `undecided`, as evidence against a clause if the refusal that a run ended with is explained by nothing that was sent. */
export function refusedForState(undecided: Ending, ending: Ending, context: Context): Ending {
  const refusal = refusalForState({ context, ending });
  if (refusal === undefined) return undecided;
  const { response, clause } = refusal;
  const actual = summary(response);
  const reason = `an update was refused, although each part of it was accepted in other updates: ${actual}`;
  const evidence = { expected: 'a successful response, whatever was set before', actual, response, clauses: [clause] };
  return {
    ...{ verdict: 'inconclusive', attribution: 'target', because: clause },
    ...{ reason: becauseOf(clause, reason), evidence },
  };
}
