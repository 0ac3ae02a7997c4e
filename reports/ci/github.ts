/**
 * What GitHub Actions shows of a run: the job summary, and the checks that deserve a reader as annotations. Both come by
 * themselves where GITHUB_ACTIONS is set, whatever started the run.
 */
import { appendFileSync } from 'node:fs';
import type { Verdict } from '../../contracts/run/verdicts.ts';
import { renderMarkdown } from '../markdown.ts';
import type { CheckOutcome, Results } from '../results/index.ts';
import { baselineLines } from '../words/baseline.ts';
import { compact } from '../words/text.ts';

/** GitHub shows ten annotations of a kind for a step. */
const SHOWN_OF_A_KIND = 10;
const LEVELS: Readonly<Partial<Record<Verdict, string>>> = {
  fail: 'error',
  error: 'error',
  warn: 'warning',
  inconclusive: 'notice',
};
/** GitHub refuses a larger summary of a step. */
const MAX_SUMMARY_BYTES = 1024 * 1024;

// These texts may contain what a target sent: nothing in them may begin or end a command.
const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
const shown = (value: unknown): string => (typeof value === 'string' ? value : compact(value));

/** One line for each check that deserves one, and for each entry of a baseline that fails the run. */
export function annotationsOf(results: Pick<Results, 'checks' | 'baseline'>): string[] {
  const ofChecks = Object.entries(LEVELS).flatMap(([verdict, level]) =>
    results.checks
      .filter((check) => check.verdict === verdict && check.known === undefined)
      .slice(0, SHOWN_OF_A_KIND)
      .map((check) => `::${level} title=${property(`${check.id} ${check.title}`)}::${data(messageOf(check))}`),
  );
  const outdated = baselineLines(results)
    .filter(({ fails }) => fails)
    .slice(0, SHOWN_OF_A_KIND)
    .map(({ pattern, text }) => `::error title=${property(`baseline ${pattern}`)}::${data(text)}`);
  return [...ofChecks, ...outdated];
}

function messageOf({ reason, expected, actual, verdict }: CheckOutcome): string {
  const parts = [
    ...(reason === null ? [] : [reason]),
    ...(expected === null ? [] : [`expected: ${shown(expected)}`]),
    ...(actual === null ? [] : [`actual: ${shown(actual)}`]),
  ];
  return parts.join('\n') || verdict;
}

/** Prints the annotations and adds to the job summary; does nothing outside of GitHub Actions. */
export function showOnGithub(
  results: Results,
  env: Readonly<Record<string, string | undefined>>,
  print: (line: string) => void,
): void {
  if (env.GITHUB_ACTIONS !== 'true') return;
  for (const line of annotationsOf(results)) print(line);
  const file = env.GITHUB_STEP_SUMMARY;
  if (file === undefined || file === '') return;
  const text = renderMarkdown(results);
  if (Buffer.byteLength(text) <= MAX_SUMMARY_BYTES) appendFileSync(file, `${text}\n`);
}
