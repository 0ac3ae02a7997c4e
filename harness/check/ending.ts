/** How a check ended, as one result: the only place where a verdict of a check is decided, for either judged party. */

import type { Breach, CheckResult } from '../../contracts/run/events.ts';
import { becauseOf } from '../../contracts/run/evidence.ts';
import { optional } from '../../contracts/run/optional.ts';
import type { Attribution, Verdict } from '../../contracts/run/verdicts.ts';
import { evidenceOf, sentenceOf } from '../evidence/bounded.ts';
import { curlOf } from '../evidence/curl.ts';
import type { Redaction } from '../evidence/redaction/index.ts';
import { asRedacted, type Redacted } from '../evidence/redaction/redacted.ts';
import { NoResponse } from '../target/client/no-response.ts';
import type { ServiceResponse } from '../target/client/types.ts';
import { Unsendable } from '../target/client/unsendable.ts';
import { AssertionFailure, type Evidence, GivenFailure, Inconclusive, Skipped } from './failures.ts';
import type { CheckSummary, Findings } from './findings/index.ts';

export interface Ending {
  readonly verdict: Verdict;
  readonly attribution?: Attribution;
  readonly reason?: string;
  readonly because?: string;
  readonly restsOn?: string;
  readonly evidence?: Evidence;
  /** A connection was lost in a request that may have been carried out. */
  readonly isLost?: boolean;
}

/** Whether a check that ended so has something to explain. */
export const isFinding = ({ verdict }: Pick<Ending, 'verdict'>): boolean =>
  verdict === 'fail' || verdict === 'warn' || verdict === 'inconclusive' || verdict === 'error';

interface Body<C> {
  readonly body: (context: C) => Promise<void>;
}

/** When a check began: for its result. */
export interface CheckStart {
  readonly at: Date;
  /** Of `performance.now()`. */
  readonly ms: number;
}

export const startCheck = (): CheckStart => ({ at: new Date(), ms: performance.now() });

/** The result of a check, with every secret taken out. */
export function resultOf(
  check: CheckSummary,
  suite: string,
  context: Findings,
  ending: Ending,
  began: CheckStart,
  redaction: Redaction,
): Redacted<CheckResult> {
  const evidence = ending.evidence ?? {};
  const response = decisiveResponse(ending, context);
  const breaches = breachesOf(context, ending.verdict, redaction);
  const result: CheckResult = {
    type: 'check',
    id: check.id,
    title: check.title,
    level: check.level,
    suite,
    clauses: clausesOf(check, context, ending),
    ...optional('additional', check.additional),
    verdict: ending.verdict,
    ...optional('attribution', ending.attribution),
    ...optional('reason', ending.reason === undefined ? undefined : sentenceOf(ending.reason, redaction)),
    ...optional('because', ending.because),
    ...optional('restsOn', ending.restsOn),
    ...(breaches.length === 0 ? {} : { breaches }),
    ...optional('expected', evidenceOf(evidence.expected, redaction)),
    ...optional('actual', evidenceOf(evidence.actual, redaction)),
    ...optional('pointer', evidence.pointer === undefined ? undefined : sentenceOf(evidence.pointer, redaction)),
    ...(context.warnings.length === 0
      ? {}
      : { warnings: context.warnings.map((warning) => sentenceOf(warning, redaction)) }),
    exchanges: context.exchanges,
    ...optional('decisive', response?.exchange ?? evidence.exchange),
    ...optional('curl', evidence.curl ?? (response === undefined ? undefined : curlOf(response.request, redaction))),
    startedAt: began.at.toISOString(),
    durationMs: Math.round((performance.now() - began.ms) * 10) / 10,
    ...optional('seed', context.seed),
    ...optional('replay', context.replay),
    ...optional('counterexample', context.counterexample),
  };
  // Words and numbers of our own stay as they are: a secret called "installed" must not break ids. Nothing else is in the
  // result of a check that passed, so that most results need no search for secrets.
  const { type, id, title, level, suite: ofSuite, clauses, verdict, because, restsOn, breaches: _, ...texts } = result;
  const { attribution, exchanges, decisive, startedAt, durationMs, ...others } = texts;
  const found = breaches.length === 0 ? {} : { breaches };
  const named = { ...optional('because', because), ...optional('restsOn', restsOn), ...found };
  const counted = { exchanges, ...optional('decisive', decisive), startedAt, durationMs };
  const own = {
    type,
    id,
    title,
    level,
    suite: ofSuite,
    clauses,
    verdict,
    ...optional('attribution', attribution),
    ...named,
  };
  // Pictures are masked where they are taken: base64 of pixels holds no text.
  const screenshots = context.screenshots.length === 0 ? {} : { screenshots: [...context.screenshots] };
  const traced = optional('trace', context.trace);
  return asRedacted({ ...own, ...redaction.value(others), ...counted, ...screenshots, ...traced });
}

/**
 * The clauses that a result is about. An assertion that names none is about the rule in the title of its check, which is its first
 * clause: the others are not broken by it.
 */
export function clausesOf(
  { clauses }: Pick<CheckSummary, 'clauses'>,
  { decided }: Pick<Findings, 'decided'>,
  { verdict, evidence }: Pick<Ending, 'verdict' | 'evidence'>,
): readonly string[] {
  if (evidence?.clauses !== undefined) return evidence.clauses;
  const all = decided ?? clauses;
  return verdict === 'fail' || (verdict === 'warn' && evidence !== undefined) ? all.slice(0, 1) : all;
}

/**
 * The response that a finding rests on. Most checks compare what several calls have read, and name none: then it is the latest one that
 * shows the value in question.
 */
function decisiveResponse(
  { verdict, because, evidence = {} }: Ending,
  { latest }: Findings,
): ServiceResponse | undefined {
  const { response, exchange, curl, actual } = evidence;
  const isAboutTarget = verdict === 'fail' || verdict === 'warn' || because !== undefined;
  const isNamed = response !== undefined || exchange !== undefined || curl !== undefined;
  return isNamed || !isAboutTarget ? response : latest.showing(actual);
}

/**
 * The breaches that responses show by themselves and together, in a bounded size. If the check failed or warned, those that its calls
 * show together are left out, because its own verdict already reports them.
 */
function breachesOf({ breaches, shown }: Findings, verdict: Verdict, redaction: Redaction): Breach[] {
  const isReported = verdict === 'fail' || verdict === 'warn' || verdict === 'error';
  const all = isReported ? breaches : new Map([...shown, ...breaches]);
  return [...all.values()].map(({ clause, exchange, reason, pointer, expected, actual }) => ({
    clause,
    exchange,
    reason: sentenceOf(reason, redaction),
    ...optional('pointer', pointer === undefined ? undefined : sentenceOf(pointer, redaction)),
    ...optional('expected', evidenceOf(expected, redaction)),
    ...optional('actual', evidenceOf(actual, redaction)),
  }));
}

/** Runs the body of a check and says how it ended. Never throws; what the harness itself got wrong is the verdict `error`. */
export async function endingOf<C extends Findings>(check: CheckSummary & Body<C>, context: C): Promise<Ending> {
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

function endingOfThrown(check: CheckSummary, thrown: unknown): Ending {
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
    const { clause, evidence, message } = thrown;
    const undecided = { verdict: 'inconclusive', attribution: 'target', evidence } as const;
    if (thrown.shows === 'refusal')
      return {
        ...undecided,
        restsOn: clause,
        reason: `not decided, because it rests on ${clause}: ${message}`,
      };
    return { ...undecided, because: clause, reason: becauseOf(clause, message) };
  }
  if (thrown instanceof Inconclusive)
    return { verdict: 'inconclusive', attribution: thrown.attribution, reason: thrown.message };
  if (thrown instanceof Skipped)
    return { verdict: 'not-applicable', attribution: 'configuration', reason: thrown.message };
  if (thrown instanceof NoResponse)
    return {
      ...{ verdict: 'inconclusive', attribution: thrown.attribution, reason: thrown.message },
      ...(thrown.isLost ? { isLost: true } : {}),
    };
  // Ids of our own can be sent: this one is the target's.
  if (thrown instanceof Unsendable)
    return {
      verdict: 'inconclusive',
      attribution: 'target',
      reason: `the target returned a value that a request can't contain: ${thrown.message}`,
    };
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  // Playwright's errors are about the target's pages: a button that is not there is not our crash.
  if (/Timeout|locator|page\.|net::ERR|Target (page|closed)|browserContext/.test(error.message)) {
    const line = error.message.split('\n', 1)[0]!;
    return {
      verdict: 'inconclusive',
      attribution: 'target',
      reason: `a page of the target did not behave as the driver expects: ${line}`,
    };
  }
  const where =
    error.stack
      ?.split('\n')
      .find((line) => /(suites|harness)\//.test(line))
      ?.trim() ?? '';
  return { verdict: 'error', attribution: 'harness', reason: `${error.name}: ${error.message} ${where}`.trim() };
}
