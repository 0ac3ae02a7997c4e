/** `ctrf.json`: the run in the Common Test Report Format (ctrf.io), which dashboards and actions of many CI systems read. */
import type { Verdict } from '../../contracts/run/verdicts.ts';
import type { CheckOutcome, Results } from '../results/index.ts';
import { knownText } from '../words/baseline.ts';
import { clausesOfCheck, headlineOf } from '../words/summary.ts';
import { clip, sentence } from '../words/text.ts';

const SPEC_VERSION = '1.0.0';
const MAX_MESSAGE_CHARACTERS = 4000;

type Status = 'passed' | 'failed' | 'skipped' | 'pending' | 'other';

/** `other` is what was not decided: no reader takes it for passed. */
const STATUSES: Readonly<Record<Verdict, Status>> = {
  pass: 'passed',
  observed: 'passed',
  warn: 'passed',
  fail: 'failed',
  error: 'failed',
  inconclusive: 'other',
  'not-applicable': 'skipped',
};

/** The document as text, ending in a line feed. */
export function renderCtrf(results: Results): string {
  const tests = results.checks.map((check) => testOf(check, results));
  const of = (status: Status): number => tests.filter((one) => one.status === status).length;
  const start = Date.parse(results.startedAt);
  const document = {
    reportFormat: 'CTRF',
    specVersion: SPEC_VERSION,
    timestamp: new Date(start + results.durationMs).toISOString(),
    generatedBy: `proofmark ${results.proofmark}`,
    results: {
      tool: { name: 'proofmark', version: results.proofmark },
      summary: {
        tests: tests.length,
        passed: of('passed'),
        failed: of('failed'),
        skipped: of('skipped'),
        pending: of('pending'),
        other: of('other'),
        suites: new Set(results.checks.map(({ suite }) => suite)).size,
        start,
        stop: start + Math.round(results.durationMs),
        extra: { outcome: results.outcome, exitCode: results.exitCode, why: headlineOf(results).why },
      },
      tests,
      environment: { appName: results.target.name, extra: { contract: results.contract, run: results.run } },
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function testOf(check: CheckOutcome, results: Results) {
  const known = knownText(check);
  const isFailure = check.verdict === 'warn' && results.failOn === 'warn';
  const status = known !== undefined ? 'skipped' : isFailure ? 'failed' : STATUSES[check.verdict];
  const message = [known, check.reason === null ? undefined : sentence(check.reason)].filter(Boolean).join(' ');
  const [file, line] = check.source?.split(':') ?? [];
  return {
    name: `${check.id} ${check.title}`,
    status,
    rawStatus: check.verdict,
    duration: Math.round(check.durationMs),
    suite: check.suite.split('/'),
    ...(message === '' ? {} : { message: clip(message, MAX_MESSAGE_CHARACTERS) }),
    ...(check.curl === undefined ? {} : { snippet: clip(check.curl, MAX_MESSAGE_CHARACTERS) }),
    ...(file === undefined ? {} : { filePath: file }),
    ...(line === undefined ? {} : { line: Number(line) }),
    ...(check.confirmation === undefined ? {} : { retries: 1, flaky: check.confirmation.verdict !== check.verdict }),
    tags: [check.level],
    extra: {
      check: check.id,
      clauses: clausesOfCheck(results, check).map(({ id }) => id),
      level: check.level,
      ...(check.attribution === null ? {} : { attribution: check.attribution }),
    },
  };
}
