/** Runs one check on the target of a run. */
import type { CheckResult } from '../../contracts/run/events.ts';
import type { Redacted } from '../evidence/redaction/redacted.ts';
import { attempt } from '../plain/attempts.ts';
import type { Resources } from '../resources/resources.ts';
import type { Check } from './check.ts';
import { Context } from './context.ts';
import { beginning, resultOf } from './ending.ts';
import { missingFor } from './needs.ts';

export interface Ran {
  readonly result: Redacted<CheckResult>;
  readonly context: Context;
}

/**
 * Runs a check on the target of `resources`: scope and needs first, then its body, then its clean-up.
 * Never throws; what the harness itself got wrong is the verdict `error`.
 */
export async function runCheck(check: Check, suite: string, resources: Resources): Promise<Ran> {
  const began = beginning();
  const missing = missingFor(check, resources);
  const { context, ending } =
    missing === undefined
      ? await attempt(check, resources)
      : { context: new Context(check, resources), ending: missing };
  return { result: resultOf(check, suite, context, ending, began, resources.redaction), context };
}
