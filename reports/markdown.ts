/**
 * `summary.md`: the run in one screen, for the summary page of a CI job. What a target sent is in code spans and
 * blocks that it can't leave; nothing of it becomes a link, a picture, a mention or HTML.
 */
import { VERDICTS } from '../contracts/run/verdicts.ts';
import { confirmationText } from './events/confirmation.ts';
import { sweepCommand } from './findings/rerun.ts';
import type { CheckOutcome, Results } from './results/index.ts';
import { baselineLines } from './words/baseline.ts';
import { firstDifference } from './words/difference.ts';
import {
  actorsOf,
  clausesOfCheck,
  countOf,
  errorsOf,
  failuresOf,
  headlineOf,
  otherRemediesOf,
  VERDICT_WORDS,
  waitingFor,
  warningsOf,
} from './words/summary.ts';
import { clip, compact, count, duration, oneLine, ordersPlaced, sentence, visible } from './words/text.ts';

const MAX_FAILURES = 20;
const MAX_LINES_OF_A_LIST = 15;
const MAX_VALUE_CHARACTERS = 300;
const MAX_CURL_CHARACTERS = 1500;
const SIGNS = { conformant: '✅', 'non-conformant': '❌', inconclusive: '❔', error: '💥' } as const;

/** `summary.md`: the verdict, who has to act, what failed, and the counts. */
export function renderMarkdown(results: Results): string {
  const { verdict, why } = headlineOf(results);
  const parts = [
    `## ${SIGNS[results.outcome]} ${verdict}: ${words(results.target.name)}`,
    words(why),
    figures(results),
    ...actorsOf(results).map(({ actor, toDo, checks }) => `- **${actor}**: ${words(toDo)} (${count(checks, 'check')})`),
    ...leftBehind(results),
    ...failed(
      'Failed',
      failuresOf(results).filter(({ known }) => known === undefined),
      results,
    ),
    ...expected(results),
    ...failed('Errors of Proofmark itself', errorsOf(results), results),
    ...inconclusive(results),
    ...warned(results),
    `${duration(results.durationMs)}, ${count(results.requests, 'request')}, seed ${results.seed}, Proofmark ${words(results.proofmark)}, contract ${words(results.contract)}. The proof is in report.html.`,
  ];
  return `${joined(parts)}\n`;
}

/** Paragraphs apart, items of a list together. */
function joined(parts: readonly string[]): string {
  let text = '';
  for (const [index, part] of parts.entries()) {
    const together = part.startsWith('- ') && parts[index - 1]?.startsWith('- ');
    text += index === 0 ? part : `${together ? '\n' : '\n\n'}${part}`;
  }
  return text;
}

function figures(results: Results): string {
  const found = VERDICTS.filter((verdict) => countOf(results, verdict) > 0);
  const cells = (texts: readonly string[]): string => `| ${texts.join(' | ')} |`;
  const heads = ['', ...found.map((verdict) => VERDICT_WORDS[verdict])];
  return [
    cells(heads),
    cells(heads.map((_, index) => (index === 0 ? '---' : '---:'))),
    cells(['checks', ...found.map((verdict) => String(countOf(results, verdict)))]),
    cells([
      'clauses',
      ...found.map((verdict) => String(results.clauseCounts[verdict === 'not-applicable' ? 'notApplicable' : verdict])),
    ]),
  ].join('\n');
}

function leftBehind(results: Results): string[] {
  const { orders = [], orphans } = results.ledger;
  const lines = results.notices.slice(0, MAX_LINES_OF_A_LIST).map((text) => `- ${words(sentence(text))}`);
  lines.push(...more(results.notices.length));
  if (orphans.length > 0)
    lines.unshift(
      `- **Left behind on the target: ${count(orphans.length, 'object')}.** Run \`${sweepCommand(results)}\`.`,
    );
  if (orders.length > 0) lines.push(`- On the target the run ${words(ordersPlaced(orders))}.`);
  return lines;
}

function failed(title: string, checks: readonly CheckOutcome[], results: Results): string[] {
  if (checks.length === 0) return [];
  const shown = checks.slice(0, MAX_FAILURES).map((check) => failure(check, results));
  const rest = checks.length - shown.length;
  return [`### ${title}`, ...shown, ...(rest > 0 ? [`… and ${rest} more in report.html.`] : [])];
}

function failure(check: CheckOutcome, results: Results): string {
  const lines = [`**${words(check.title)}** ${span(check.id)}`, words(clip(sentence(check.reason ?? ''), 800))];
  for (const clause of clausesOfCheck(results, check)) {
    lines.push(`${clause.level}: ${words(clause.text)} (${words(clause.section)}, ${span(clause.id)})`);
  }
  if (check.expected !== null || check.actual !== null) {
    const spot = firstDifference(check.expected, check.actual);
    const at = spot === undefined || spot.pointer === '' ? '' : `, first different at ${span(spot.pointer)}`;
    const [expected, actual] = spot === undefined ? [check.expected, check.actual] : [spot.expected, spot.actual];
    lines.push(`Expected ${span(value(expected))}, actual ${span(value(actual))}${at}`);
  }
  const where = [
    check.pointer === null ? '' : `at ${span(check.pointer)}`,
    check.decisive === undefined ? '' : `exchange #${check.decisive}`,
  ].filter((text) => text !== '');
  if (where.length > 0) lines.push(where.join(', '));
  const confirmation = confirmationText(check);
  if (confirmation !== undefined) lines.push(words(clip(confirmation, 400)));
  const waiting = waitingFor(results, check).length;
  if (waiting > 0) lines.push(`${count(waiting, 'check')} not decided until this is fixed`);
  const text = lines.filter((line) => line.trim() !== '').join('<br>\n');
  return check.curl === undefined ? text : `${text}\n\n${block(curlText(check.curl))}`;
}

function value(of: unknown): string {
  return of === undefined ? 'nothing' : clip(compact(of), MAX_VALUE_CHARACTERS);
}

function curlText(curl: string): string {
  return curl.length > MAX_CURL_CHARACTERS ? `# ${curl.length} characters of curl: see report.html` : curl;
}

function expected(results: Results): string[] {
  const found = baselineLines(results);
  if (found.length === 0) return [];
  const lines = found
    .slice(0, MAX_LINES_OF_A_LIST)
    .map(({ fails, pattern, text }) => `- ${fails ? '❌ ' : ''}${span(pattern)}: ${words(clip(text, 400))}`);
  return [`### Baseline ${span(results.baseline?.file ?? '')}`, ...lines, ...more(found.length)];
}

function inconclusive(results: Results): string[] {
  const remedies = otherRemediesOf(results);
  if (remedies.length === 0) return [];
  const lines = remedies.slice(0, MAX_LINES_OF_A_LIST).map(({ actor, text, checks, clauses }) => {
    const number = checks.length === 0 ? count(clauses.length, 'clause') : count(checks.length, 'check');
    return `- ${words(clip(text, 400))} (${number}, ${actor})`;
  });
  return ['### Inconclusive, and what would decide it', ...lines, ...more(remedies.length)];
}

function warned(results: Results): string[] {
  const warnings = warningsOf(results);
  if (warnings.length === 0) return [];
  const lines = warnings
    .slice(0, MAX_LINES_OF_A_LIST)
    .map(({ text, checks }) => `- ${words(clip(text, 400))} ${places(checks)}`);
  return ['### Warnings', ...lines, ...more(warnings.length)];
}

/** The check, or how many. */
function places(checks: readonly CheckOutcome[]): string {
  const [first, ...others] = checks;
  if (first === undefined) return '';
  return others.length === 0 ? span(first.id) : `(${count(checks.length, 'check')}, such as ${span(first.id)})`;
}

function more(number: number): string[] {
  const rest = number - MAX_LINES_OF_A_LIST;
  return rest > 0 ? [`- … and ${rest} more in report.html`] : [];
}

/** Running text: every character that Markdown or HTML could take for its own is a reference; addresses and mentions are broken. */
function words(text: string): string {
  return oneLine(text)
    .replace(/[\\`*_{}[\]<>&|~#$]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replaceAll('@', '@<!-- -->')
    .replace(/:(?=\/\/)/g, ':<!-- -->')
    .replace(/\bwww\./gi, (found) => `${found.slice(0, 3)}<!-- -->.`);
}

/** A code span that its text can't leave: the fence is longer than any run of backticks in it. */
function span(text: string): string {
  const inside = oneLine(text);
  const fence = '`'.repeat(longestRun(inside) + 1);
  const space = inside.startsWith('`') || inside.endsWith('`') || inside.trim() === '' ? ' ' : '';
  return `${fence}${space}${inside}${space}${fence}`;
}

function block(text: string): string {
  const inside = visible(text);
  const fence = '`'.repeat(Math.max(3, longestRun(inside) + 1));
  return `${fence}sh\n${inside}\n${fence}`;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
