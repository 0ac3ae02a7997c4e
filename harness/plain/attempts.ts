/**
 * A refusal of a value that a check chose decides nothing. A check that ends with one runs once more with plain stand-ins for its
 * values; only what it comes to then counts, if it comes to anything.
 */
import type { Check } from '../check/check.ts';
import { Context } from '../check/context.ts';
import { type Ending, endingOf } from '../check/ending.ts';
import { summary } from '../check/expect.ts';
import type { Resources } from '../resources/resources.ts';
import { isRefused } from '../target/response/judge-response.ts';
import { StandIns } from './stand-ins.ts';

export interface Attempt {
  readonly context: Context;
  readonly ending: Ending;
}

/** Runs the body of a check, and once more in plain values where it ended with a refusal of its own ones. Cleans up after each. */
export async function attempt(check: Check, resources: Resources): Promise<Attempt> {
  const context = new Context(check, resources, { watch: standInsOf(resources) });
  const ending = await endingOf(check, context);
  await context.cleanUp();
  if (!restsOnRefusal(ending) || !context.sentOwnValues) return { context, ending };
  const plain = new Context(check, resources, { standIns: standInsOf(resources) });
  const decided = await endingOf(check, plain);
  await plain.cleanUp();
  if (decided.verdict === 'error' || decided.verdict === 'inconclusive' || restsOnRefusal(decided)) {
    context.adopt(plain);
    return { context, ending };
  }
  plain.adopt(context);
  const refused = ending.evidence?.answer;
  const why = refused === undefined ? '' : ` (${summary(refused)})`;
  const note = `in plain values, for the target refused others that the check chose${why}`;
  return {
    context: plain,
    ending: { ...decided, reason: decided.reason === undefined ? `decided ${note}` : `${decided.reason} (${note})` },
  };
}

/** Whether a refusal is all that a check ended with: of its precondition, or of the call that it is about. */
function restsOnRefusal({ restsOn, verdict, evidence }: Ending): boolean {
  if (restsOn !== undefined) return true;
  const answer = evidence?.answer;
  return (verdict === 'fail' || verdict === 'warn') && answer !== undefined && isRefused(answer) === 'refused';
}

const standInsOf = (resources: Resources): StandIns => {
  const { website } = resources.profile;
  const languages = website?.languages ?? [];
  return new StandIns({ mark: resources.newMark(), languages, country: website?.country ?? 'LV' });
};
