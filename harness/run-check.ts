/** Runs one check and turns however it ended into one result: the only place where a verdict of a check is decided. */
import type { CheckResult } from '../contracts/events.ts';
import type { Attribution, Verdict } from '../contracts/verdicts.ts';
import type { Check } from './check.ts';
import { Context } from './context.ts';
import { curlOf } from './curl.ts';
import { AssertionFailure, type Evidence, GivenFailure, Inconclusive, Skipped } from './failures.ts';
import { missingFor } from './needs.ts';
import type { Resources } from './resources.ts';
import { NoAnswer } from './target/client.ts';

export interface Ran {
  readonly result: CheckResult;
  readonly context: Context;
}

interface Ending {
  readonly verdict: Verdict;
  readonly attribution?: Attribution;
  readonly reason?: string;
  readonly because?: string;
  readonly evidence?: Evidence;
}

/**
 * Runs a check on the target of `resources`: scope and needs first, then its body, then its clean-up.
 * Never throws; what the harness itself got wrong is the verdict `error`.
 */
export async function runCheck(check: Check, suite: string, resources: Resources): Promise<Ran> {
  const startedAt = new Date();
  const started = performance.now();
  const context = new Context(check, resources);
  const missing = missingFor(check, resources);
  const ending: Ending = missing ?? (await endingOf(check, context));
  await context.cleanUp();
  const evidence = ending.evidence ?? {};
  const result: CheckResult = {
    type: 'check',
    id: check.id,
    title: check.title,
    level: check.level,
    suite,
    clauses: evidence.clauses ?? check.clauses,
    verdict: ending.verdict,
    ...optional('attribution', ending.attribution),
    ...optional('reason', ending.reason),
    ...optional('because', ending.because),
    ...optional('expected', evidence.expected),
    ...optional('actual', evidence.actual),
    ...optional('pointer', evidence.pointer),
    ...(context.warnings.length === 0 ? {} : { warnings: [...context.warnings] }),
    exchanges: context.exchanges,
    ...optional('decisive', evidence.answer?.exchange ?? evidence.exchange),
    ...optional(
      'curl',
      evidence.curl ??
        (evidence.answer === undefined ? undefined : curlOf(evidence.answer.request, resources.redaction)),
    ),
    startedAt: startedAt.toISOString(),
    durationMs: Math.round((performance.now() - started) * 10) / 10,
    ...optional('seed', context.seed),
    ...optional('replay', context.replay),
  };
  return { result: resources.redaction.value(result), context };
}

async function endingOf(check: Check, context: Context): Promise<Ending> {
  try {
    await check.body(context);
  } catch (thrown) {
    return endingOfThrown(check, thrown);
  }
  if (check.level === 'OBSERVES') {
    if (context.warnings.length > 0)
      return { verdict: 'warn', attribution: 'target', reason: context.warnings.join(' ') };
    if (context.observed.length === 0)
      return { verdict: 'error', attribution: 'harness', reason: 'The check ended without an observation.' };
    return { verdict: 'observed' };
  }
  if (context.warnings.length > 0)
    return { verdict: 'warn', attribution: 'target', reason: context.warnings.join(' ') };
  // A check that asserted nothing proves nothing; passing it would be a lie.
  if (context.expect.asserted === 0)
    return { verdict: 'error', attribution: 'harness', reason: 'The check ended without an assertion.' };
  return { verdict: 'pass' };
}

function endingOfThrown(check: Check, thrown: unknown): Ending {
  if (thrown instanceof AssertionFailure) {
    if (check.level === 'OBSERVES') {
      return {
        verdict: 'error',
        attribution: 'harness',
        reason: `An observation made an assertion: ${thrown.message}`,
        evidence: thrown.evidence,
      };
    }
    const verdict = check.level === 'MUST' ? 'fail' : 'warn';
    return { verdict, attribution: 'target', reason: thrown.message, evidence: thrown.evidence };
  }
  if (thrown instanceof GivenFailure) {
    const reason = `not decided, because ${thrown.clause} is not kept: ${thrown.message}`;
    return {
      verdict: 'inconclusive',
      attribution: 'target',
      reason,
      because: thrown.clause,
      evidence: thrown.evidence,
    };
  }
  if (thrown instanceof Inconclusive)
    return { verdict: 'inconclusive', attribution: thrown.attribution, reason: thrown.message };
  if (thrown instanceof Skipped)
    return { verdict: 'not-applicable', attribution: 'configuration', reason: thrown.message };
  if (thrown instanceof NoAnswer)
    return { verdict: 'inconclusive', attribution: thrown.attribution, reason: thrown.message };
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  // Playwright's errors are about the target's pages: a button that is not there is not our crash.
  if (/Timeout|locator|page\.|net::ERR|Target (page|closed)|browserContext/.test(error.message)) {
    const line = error.message.split('\n', 1)[0]!;
    return {
      verdict: 'inconclusive',
      attribution: 'target',
      reason: `a page of the target did not do what the driver expects: ${line}`,
    };
  }
  const where =
    error.stack
      ?.split('\n')
      .find((line) => /(suites|harness)\//.test(line))
      ?.trim() ?? '';
  return { verdict: 'error', attribution: 'harness', reason: `${error.name}: ${error.message} ${where}`.trim() };
}

const optional = <K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } =>
  (value === undefined ? {} : { [key]: value }) as { [P in K]?: V };
