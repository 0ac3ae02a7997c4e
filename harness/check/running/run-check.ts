/** Runs one check on the target of a run. */
import type { CheckResult } from '../../../contracts/run/events.ts';
import type { Redacted } from '../../evidence/redaction/redacted.ts';
import type { Resources } from '../../resources/resources.ts';
import type { Check } from '../check.ts';
import { Context } from '../context.ts';
import { type Ending, isFinding, resultOf, startCheck } from '../ending.ts';
import { missingFor } from '../needs/index.ts';
import { attemptInstalled, missingInstallation, withInstallation } from './replaced-installation.ts';
import { type UnselectedChecks, withLeftOut } from './unselected.ts';

export interface CheckRun {
  readonly result: Redacted<CheckResult>;
  readonly context: Context;
}

/**
 * Runs a check on the target of `resources`: scope and needs first, then its body, then its clean-up.
 * Where it fails, `leftOut` gives the checks of what it rests on that the run does not have. Never throws; what the harness itself
 * got wrong is the verdict `error`.
 */
export async function runCheck(
  check: Check,
  suite: string,
  resources: Resources,
  leftOut: UnselectedChecks,
): Promise<CheckRun> {
  const began = startCheck();
  resources.steps?.begin(check.id);
  const missing = missingFor(check, resources) ?? missingInstallation(check, resources);
  const ran =
    missing === undefined
      ? await attemptInstalled(check, resources)
      : { context: new Context(check, resources), ending: missing };
  const judged = await withReach(check, await withLeftOut(check, ran, resources, leftOut), resources);
  const ending = await withInstallation(check, judged, resources);
  const { context } = ran;
  context.trace = await resources.steps?.end(isFinding(ending));
  return { result: resultOf(check, suite, context, ending, began, resources.redaction), context };
}

/** Parts whose checks wait for requests of the target. */
const LISTENING: ReadonlySet<string> = new Set(['labels', 'checkout', 'install']);

/** A target is not blamed for requests that could not arrive. */
async function withReach(check: Check, ending: Ending, resources: Resources): Promise<Ending> {
  if (ending.attribution !== 'target' || !isFinding(ending)) return ending;
  if (!check.partList.some((part) => LISTENING.has(part))) return ending;
  const reason = await resources.unreached();
  return reason === undefined ? ending : { verdict: 'inconclusive', attribution: 'configuration', reason };
}
