/** What a check's result does to its Playwright test: annotations, attachments, skipped with a reason, or failed. */
import type { TestInfo } from '@playwright/test';
import type { CheckResult, Exchange, ObservationSeen } from '../../contracts/run/events.ts';
import type { Verdict } from '../../contracts/run/verdicts.ts';

/** Thrown where failed checks fail their tests; the message is what a developer reads in a terminal. */
class CheckFailed extends Error {
  override readonly name = 'CheckFailed';
}

export interface TestReport {
  readonly result: CheckResult;
  readonly observed: readonly ObservationSeen[];
  /** The redacted exchanges that the result names, in order. */
  readonly exchanges: readonly Exchange[];
}

type Effect = 'pass' | 'skip' | 'fail';

/** Every verdict, once. A warning passes: what the contract only recommends must not break a build. */
const EFFECT_ON_TEST: Readonly<Record<Verdict, Effect>> = {
  pass: 'pass',
  observed: 'pass',
  warn: 'pass',
  inconclusive: 'skip',
  'not-applicable': 'skip',
  fail: 'fail',
  error: 'fail',
};

/** Longer values are in the attachments. */
const MAX_VALUE_CHARACTERS = 400;

/** Annotates the test, attaches the evidence, then skips it or throws `CheckFailed` where the verdict says so. */
export async function reportTest(info: TestInfo, { result, observed, exchanges }: TestReport): Promise<void> {
  for (const { question, seen } of observed)
    info.annotations.push({ type: 'observed', description: `${question} ${JSON.stringify(seen)}` });
  if (result.verdict === 'warn') info.annotations.push({ type: 'warning', description: result.reason ?? '' });
  const effect = EFFECT_ON_TEST[result.verdict];
  if (effect === 'fail' || result.verdict === 'warn') await attachEvidence(info, result, exchanges);
  if (effect === 'skip') info.skip(true, `${result.verdict}: ${result.reason ?? 'no reason was given'}`);
  if (effect === 'fail') {
    const failure = new CheckFailed(messageOf(result));
    // The place in the runner says nothing; the source of the check is an annotation.
    failure.stack = `${failure.name}: ${failure.message}`;
    throw failure;
  }
}

async function attachEvidence(info: TestInfo, result: CheckResult, exchanges: readonly Exchange[]): Promise<void> {
  const json = (value: unknown) => ({ body: JSON.stringify(value, null, 2), contentType: 'application/json' });
  if (result.expected !== undefined) await info.attach('expected.json', json(result.expected));
  if (result.actual !== undefined) await info.attach('actual.json', json(result.actual));
  if (result.curl !== undefined) await info.attach('curl.txt', { body: result.curl, contentType: 'text/plain' });
  for (const { title, png } of result.screenshots ?? [])
    await info.attach(title, { body: Buffer.from(png, 'base64'), contentType: 'image/png' });
  if (exchanges.length > 0) await info.attach('exchanges.json', json(exchanges));
}

/** A few lines: what the check asserts, what came, where to read on. */
export function messageOf(result: CheckResult): string {
  const lines = [
    `${result.title}`,
    result.reason ?? (result.verdict === 'error' ? 'an error of Proofmark itself' : 'the target does not'),
    ...lineOf('Expected', result.expected),
    ...lineOf('Actual', result.actual),
    ...(result.pointer === undefined ? [] : [`At:       ${result.pointer}`]),
    `Clause:   ${result.clauses.join(', ')}`,
  ];
  return lines.join('\n');
}

function lineOf(name: string, value: unknown): string[] {
  if (value === undefined) return [];
  const text = JSON.stringify(value) ?? String(value);
  const clipped = text.length > MAX_VALUE_CHARACTERS ? `${text.slice(0, MAX_VALUE_CHARACTERS)}… (attached)` : text;
  return [`${`${name}:`.padEnd(9)} ${clipped}`];
}
