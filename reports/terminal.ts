/** What a run says when it ends: verdict, who has to act, each failure in a few lines, what is missing, where the files are. */
import { join } from 'node:path';
import type { Outcome, Verdict } from '../contracts/run/verdicts.ts';
import { VERDICTS } from '../contracts/run/verdicts.ts';
import { showOnGithub } from './ci/github.ts';
import { confirmationText } from './events/confirmation.ts';
import { EVENTS_FILE, REPORT_FILES } from './files.ts';
import { rerunFailuresCommand, sweepCommand } from './findings/rerun.ts';
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
import { clip, compact, count, duration, leftoverLines, oneLine, ordersPlaced, sentence } from './words/text.ts';

export interface TerminalOptions {
  readonly colors: boolean;
  /** Files that the run wrote, named at the end. */
  readonly files?: readonly string[];
  /** Only the end: what was left behind, files, verdict and counts. */
  readonly quiet?: boolean;
  /** The folder of the reports, as it was given. */
  readonly out?: string;
  /** The arguments that name the target, as they were given; by default as the results have them, which name no folder outside the working one. */
  readonly given?: readonly string[];
}

/** More than this scrolls the verdict away; the report has them all. */
const MAX_FAILURES = 10;
const MAX_REMEDIES = 12;
const MAX_WARNINGS = 8;
const MAX_VALUE_CHARACTERS = 160;
/** Room for a text to compute a hash over, and the result. */
const MAX_REASON_CHARACTERS = 700;
const MAX_WAITING_CHARACTERS = 300;
/** A longer command can't be read or copied from a terminal. */
const MAX_CURL_CHARACTERS = 700;
/** A sequence that was made as short as it goes is hardly longer than this. */
const MAX_CURL_LINES = 16;

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'magenta' | 'blue';
const CODES: Readonly<Record<Style, number>> = {
  bold: 1,
  dim: 2,
  red: 31,
  green: 32,
  yellow: 33,
  magenta: 35,
  blue: 34,
};
const TONE: Readonly<Record<Outcome, Style>> = {
  conformant: 'green',
  'non-conformant': 'red',
  inconclusive: 'yellow',
  error: 'magenta',
};
const VERDICT_TONE: Readonly<Record<Verdict, Style>> = {
  fail: 'red',
  error: 'magenta',
  inconclusive: 'yellow',
  warn: 'yellow',
  pass: 'green',
  observed: 'blue',
  'not-applicable': 'dim',
};

/**
 * Colours for a person at a terminal, unless they are turned off (NO_COLOR, https://no-color.org; TERM=dumb). FORCE_COLOR
 * decides first, as in Node: 0 or false for none, anything else for colours.
 */
export function wantsColors(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  const forced = env.FORCE_COLOR ?? '';
  if (forced !== '') return forced !== '0' && forced !== 'false';
  return stream.isTTY === true && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb';
}

/** The summary, ending in a line feed. Texts of the target can't steer the terminal: their controls are written out. */
export function renderTerminal(results: Results, options: TerminalOptions): string {
  const paint = (style: Style, text: string): string =>
    options.colors ? `\u001b[${CODES[style]}m${text}\u001b[0m` : text;
  if (options.quiet === true) return `${closing(results, options, paint).join('\n').replace(/^\n+/, '')}\n`;
  const lines = ['', ...failedLines(results, paint), ...baselineSection(results, paint)];
  lines.push(...remedyLines(results, paint), ...warningLines(results, paint), ...closing(results, options, paint));
  return `${lines.join('\n').replace(/^\n+/, '\n')}\n`;
}

/** Prints the summary, and in GitHub Actions annotations, of a run that wrote its files to the folder `out`. */
export function printSummary(
  results: Results,
  { out, quiet = false, ...more }: Pick<TerminalOptions, 'quiet' | 'given'> & { readonly out: string },
  stream: NodeJS.WriteStream = process.stdout,
): void {
  const files = [...REPORT_FILES, EVENTS_FILE].map((name) => join(out, name));
  stream.write(renderTerminal(results, { colors: wantsColors(stream, process.env), files, quiet, out, ...more }));
  // As bytes: the gate before the terminal breaks up what a CI system takes for a command, and these are ours.
  showOnGithub(results, process.env, (line) => void stream.write(Buffer.from(`${line}\n`)));
}

type Paint = (style: Style, text: string) => string;

/** The first `most` items under a heading, and how many more there are; nothing without items. */
function section<T>(
  heading: string,
  items: readonly T[],
  most: number,
  linesOf: (item: T) => readonly string[],
): string[] {
  if (items.length === 0) return [];
  const more = items.length > most ? [`  … and ${items.length - most} more in the report`] : [];
  return ['', heading, ...items.slice(0, most).flatMap(linesOf), ...more];
}

function failedLines(results: Results, paint: Paint): string[] {
  const failures = failuresOf(results).filter(({ known }) => known === undefined);
  const errors = errorsOf(results);
  const failed = paint('bold', `Failed: ${count(failures.length, 'check')}`);
  const broken = paint('bold', `Errors of Proofmark itself: ${count(errors.length, 'check')}`);
  return [
    ...section(failed, failures, MAX_FAILURES, (check) => finding(check, results, 'red', paint)),
    ...section(broken, errors, MAX_FAILURES, (check) => finding(check, results, 'magenta', paint)),
  ];
}

function baselineSection(results: Results, paint: Paint): string[] {
  const entries = baselineLines(results);
  const file = oneLine(results.baseline?.file ?? '');
  const heading = paint('bold', `Baseline: ${count(entries.length, 'entry', 'entries')} of ${file}`);
  return section(heading, entries, MAX_REMEDIES, ({ fails, pattern, text }) => [
    `  ${fails ? paint('red', '✕') : paint('dim', '·')} ${oneLine(pattern)}: ${oneLine(clip(text, 300))}`,
  ]);
}

function remedyLines(results: Results, paint: Paint): string[] {
  const heading = paint('bold', 'Inconclusive, and what would decide it');
  return section(heading, otherRemediesOf(results), MAX_REMEDIES, ({ actor, text, checks, clauses }) => {
    const number = checks.length === 0 ? count(clauses.length, 'clause') : count(checks.length, 'check');
    const line = `  ${paint('yellow', '?')} ${oneLine(clip(text, 300))} ${paint('dim', `(${number}, ${actor})`)}`;
    const ids = clauses.map(({ id }) => id).join(', ');
    return clauses.length === 0 ? [line] : [line, `    ${oneLine(clip(ids, 300))}`];
  });
}

function warningLines(results: Results, paint: Paint): string[] {
  return section(paint('bold', 'Warnings'), warningsOf(results), MAX_WARNINGS, ({ text, checks }) => {
    const more = checks.length > 1 ? ` and ${count(checks.length - 1, 'more check')}` : '';
    const where = paint('dim', `(${oneLine(checks[0]?.id ?? '')}${more})`);
    return [`  ${paint('yellow', '!')} ${oneLine(clip(text, 300))} ${where}`];
  });
}

/** Five to eight lines: check, reason, clause, expected, actual, where, command. */
function finding(check: CheckOutcome, results: Results, tone: Style, paint: Paint): string[] {
  const lines = ['', `  ${paint(tone, '✕')} ${paint('bold', oneLine(check.title))} ${paint('dim', oneLine(check.id))}`];
  const add = (name: string, text: string): void => void lines.push(`    ${paint('dim', name.padEnd(9))}${text}`);
  if (check.reason !== null) lines.push(`    ${oneLine(clip(sentence(check.reason), MAX_REASON_CHARACTERS))}`);
  const confirmation = confirmationText(check);
  if (confirmation !== undefined) lines.push(`    ${oneLine(clip(confirmation, MAX_REASON_CHARACTERS))}`);
  const [clause, ...others] = clausesOfCheck(results, check);
  if (clause !== undefined) {
    const more = others.length === 0 ? '' : `, and ${count(others.length, 'other clause')}`;
    add('clause', `${clause.level}: ${oneLine(clause.text)} (${oneLine(clause.section)}, ${clause.id}${more})`);
  }
  addComparison(check, add, paint);
  const where = whereOf(check);
  if (where !== '') add('where', where);
  if (check.source !== undefined) add('check', oneLine(check.source));
  const waiting = waitingFor(results, check);
  if (waiting.length > 0) {
    const ids = clip(waiting.map(({ id }) => id).join(', '), MAX_WAITING_CHARACTERS);
    add('waiting', `${count(waiting.length, 'check')}, not decided until this is fixed: ${oneLine(ids)}`);
  }
  for (const line of repeatLines(check)) add('repeat', line);
  return lines;
}

function addComparison(
  { expected, actual }: CheckOutcome,
  add: (name: string, text: string) => void,
  paint: Paint,
): void {
  if (expected === null && actual === null) return;
  const spot = firstDifference(expected, actual) ?? { pointer: '', expected, actual };
  const at = spot.pointer === '' ? '' : paint('dim', ` at ${oneLine(clip(spot.pointer, 80))}`);
  add('expected', `${paint('green', valueText(spot.expected))}${at}`);
  add('actual', paint('red', valueText(spot.actual)));
}

/** Member, exchange and seed; '' where there is none of them. */
function whereOf({ pointer, decisive, seed, replay }: CheckOutcome): string {
  const where: string[] = [];
  if (pointer !== null && pointer !== '') where.push(oneLine(clip(pointer, 120)));
  if (decisive !== undefined) where.push(`exchange #${decisive}`);
  if (seed !== undefined) where.push(`seed ${seed}`);
  if (seed !== undefined && replay !== undefined) where.push(`replay ${oneLine(clip(replay, 200))}`);
  return where.join(', ');
}

/** The commands that repeat the requests, or where they are: one that had to be changed to be shown would not repeat its request. */
function repeatLines({ curl }: CheckOutcome): string[] {
  if (curl === undefined) return [];
  const commands = curl.split('\n');
  const isShown = (line: string) => line.length <= MAX_CURL_CHARACTERS && oneLine(line) === line;
  if (commands.length <= MAX_CURL_LINES && commands.every(isShown)) return commands;
  const what = commands.length === 1 ? 'a curl command' : `${commands.length} lines with curl commands`;
  return [`${what} of ${curl.length} characters, in the report`];
}

function valueText(value: unknown): string {
  const isNothing = value === undefined || value === 'nothing';
  return isNothing ? 'nothing' : clip(compact(value), MAX_VALUE_CHARACTERS);
}

/** The end is what stays on the screen: notices, what was left behind, files, counts, verdict. */
function closing(results: Results, options: TerminalOptions, paint: Paint): string[] {
  const lines: string[] = [''];
  const { given } = options;
  const asGiven =
    given === undefined ? results : { ...results, profile: { permissions: [], ...results.profile, arguments: given } };
  for (const { objects, reason } of leftoverLines(results.ledger.orphans)) {
    const why = reason === undefined ? '' : ` (${oneLine(clip(reason, 200))})`;
    lines.push(
      `${paint('red', 'Left behind on the target:')} ${oneLine(objects)}${why}. Run \`${sweepCommand(asGiven)}\`.`,
    );
  }
  const { orders = [] } = results.ledger;
  if (orders.length > 0) lines.push(`${paint('dim', 'Note:')} the run ${oneLine(ordersPlaced(orders))}.`);
  for (const notice of results.notices) lines.push(`${paint('dim', 'Note:')} ${oneLine(clip(sentence(notice), 500))}`);
  const again = failuresOf(results).length > 0 ? rerunFailuresCommand(asGiven, options.out) : undefined;
  if (again !== undefined) lines.push(`${paint('dim', 'Run the failed checks again:')} ${oneLine(again)}`);
  if (options.files !== undefined && options.files.length > 0)
    lines.push(`${paint('dim', 'Files:')} ${options.files.join(' ')}`);
  if (lines.length > 1) lines.push('');
  const counts = VERDICTS.filter((verdict) => countOf(results, verdict) > 0).map((verdict) =>
    paint(VERDICT_TONE[verdict], `${countOf(results, verdict)} ${VERDICT_WORDS[verdict]}`),
  );
  const { verdict, why } = headlineOf(results);
  const byInterface = Object.entries(results.requestsByInterface ?? {});
  const before = results.requests - byInterface.reduce((sum, [, many]) => sum + many, 0);
  // Requests of no check: those of the preflight.
  const all = byInterface.length > 0 && before > 0 ? [...byInterface, ['preflight', before] as const] : byInterface;
  const by = all.map(([name, many]) => `${name} ${many}`);
  const requests = `${count(results.requests, 'request')}${by.length === 0 ? '' : `: ${by.join(', ')}`}`;
  const time = `${duration(results.durationMs)}, ${requests}`;
  lines.push(
    `${paint('bold', paint(TONE[results.outcome], verdict.toUpperCase()))}  ${oneLine(results.target.name)}: ${oneLine(why)}`,
    `${counts.join(', ') || 'no checks'} ${paint('dim', `(${time}, exit ${results.exitCode})`)}`,
  );
  for (const { actor, toDo, checks } of actorsOf(results)) {
    lines.push(`  ${paint('bold', actor)}: ${oneLine(toDo)} ${paint('dim', `(${count(checks, 'check')})`)}`);
  }
  return lines;
}
