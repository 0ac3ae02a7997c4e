/**
 * `junit.xml` for CI systems: a suite for each file of checks. A failure is a `failure`, an error of the harness an `error`,
 * what was not decided or is known is `skipped` with its remedy, so that nothing undecided looks like a pass. Valid against
 * the schema of Jenkins' xUnit plugin (`junit-schema.test.ts` has its rules), and within what GitLab reads.
 */

import { EXIT } from '../../contracts/run/verdicts.ts';
import { confirmationText } from '../events/confirmation.ts';
import { rerunCommand } from '../findings/rerun.ts';
import type { CheckOutcome, Results } from '../results/index.ts';
import { baselineLines, knownText } from '../words/baseline.ts';
import { firstDifference } from '../words/difference.ts';
import { clausesOfCheck, headlineOf } from '../words/summary.ts';
import { clip, compact, oneLine, pretty, sentence, visible } from '../words/text.ts';

/** CI systems show these texts in narrow columns and keep them for years. */
const MAX_TEXT_CHARACTERS = 8000;

/** `junit.xml`: a suite for each suite of checks, a case for each check. */
export function renderJunit(results: Results): string {
  const groups = new Map<string, { suite: string; file: string | undefined; cases: Case[] }>();
  for (const check of results.checks) {
    const file = check.source === undefined ? undefined : fileOf(check.source);
    const key = `${check.suite} ${file ?? ''}`;
    const group = groups.get(key) ?? { suite: check.suite, file, cases: [] };
    group.cases.push(caseOf(check, results));
    groups.set(key, group);
  }
  const names = [...groups.values()].map(({ suite }) => suite);
  const suites = [...groups.values()].map(({ suite, file, cases }) => {
    const isSplit = names.filter((name) => name === suite).length > 1 && file !== undefined;
    return suiteXml(isSplit ? `${suite} (${file})` : suite, file, cases, results);
  });
  const own = ownCases(results);
  if (own.length > 0) suites.push(suiteXml('proofmark', undefined, own, results));
  const all = [...[...groups.values()].flatMap(({ cases }) => cases), ...own];
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${xml(`proofmark ${results.target.name}`)}" ${figures(all)} time="${seconds(results.durationMs)}">
${suites.join('\n')}
</testsuites>
`;
}

/** How CI systems count a case: a plain one passed. */
type Kind = 'failure' | 'error' | 'skipped' | 'passed';

interface Case {
  readonly classname: string;
  readonly name: string;
  readonly durationMs: number;
  readonly kind: Kind;
  /** The word that CI systems show for a failure or an error. */
  readonly type: string;
  readonly message: string;
  /** Text of the failure or error. */
  readonly text?: string;
  /** Standard output. */
  readonly output: string;
}

const numberOf = (cases: readonly Case[], kind: Kind): number => cases.filter((one) => one.kind === kind).length;

/** The schemas of Jenkins know no `skipped` for all suites together. */
const figures = (cases: readonly Case[]): string =>
  `tests="${cases.length}" failures="${numberOf(cases, 'failure')}" errors="${numberOf(cases, 'error')}"`;

/** Jenkins' schema knows the file of a suite and not that of a case, and properties of a suite alone. */
function suiteXml(name: string, file: string | undefined, cases: readonly Case[], results: Results): string {
  const time = cases.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const fileXml = file === undefined ? '' : ` file="${xml(file)}"`;
  const { target, contract, proofmark, run, seed } = results;
  const properties = Object.entries({ target: target.name, contract, proofmark, run, seed: String(seed) })
    .map(([key, value]) => `      <property name="${key}" value="${xml(value)}"/>\n`)
    .join('');
  return `  <testsuite name="${xml(name)}"${fileXml} ${figures(cases)} skipped="${numberOf(cases, 'skipped')}" time="${seconds(time)}" timestamp="${xml(results.startedAt)}">
    <properties>
${properties}    </properties>
${cases.map(caseXml).join('\n')}
  </testsuite>`;
}

function caseXml({ classname, name, durationMs, kind, type, message, text, output }: Case): string {
  const open = `    <testcase classname="${xml(classname)}" name="${xml(name)}" time="${seconds(durationMs)}"`;
  const about = message === '' ? '' : ` message="${xml(message)}"`;
  const found =
    kind === 'passed'
      ? ''
      : kind === 'skipped'
        ? `      <skipped${about}/>\n`
        : `      <${kind} type="${xml(type)}"${about}>${content(text ?? '')}</${kind}>\n`;
  const printed = output === '' ? '' : `      <system-out>${content(clip(output, MAX_TEXT_CHARACTERS))}</system-out>\n`;
  return found + printed === '' ? `${open}/>` : `${open}>\n${found}${printed}    </testcase>`;
}

function caseOf(check: CheckOutcome, results: Results): Case {
  const message = clip(sentence(check.reason ?? check.title), 1000);
  const base = { classname: check.id, name: check.title, durationMs: check.durationMs, type: check.verdict };
  const output = (...texts: string[]): string => [...texts, ...propertiesOf(check, results)].join('\n');
  const warnings = (check.warnings ?? []).map((text) => `WARNING: ${sentence(text)}`);
  const known = knownText(check);
  if (known !== undefined)
    return { ...base, kind: 'skipped', message: `${known} ${message}`, output: output(proofText(check, results)) };
  switch (check.verdict) {
    case 'fail':
      return { ...base, kind: 'failure', message, text: proofText(check, results), output: output(...warnings) };
    case 'error':
      return { ...base, kind: 'error', message, text: proofText(check, results), output: output(...warnings) };
    case 'inconclusive': {
      const text = `inconclusive (${check.attribution ?? 'harness'}): ${message}`;
      return { ...base, kind: 'skipped', message: text, output: output(...warnings) };
    }
    case 'not-applicable':
      return { ...base, kind: 'skipped', message: `not applicable: ${message}`, output: output() };
    case 'warn': {
      const text = `WARNING: ${proofText(check, results)}`;
      const isFailure = results.failOn === 'warn';
      return { ...base, kind: isFailure ? 'failure' : 'passed', message, text, output: output(isFailure ? '' : text) };
    }
    case 'pass':
    case 'observed':
      return { ...base, kind: 'passed', message: '', output: output(...warnings) };
  }
}

/** No schema allows properties in a case, so they are lines of its output, in the form that several CI tools read. */
function propertiesOf(check: CheckOutcome, results: Results): string[] {
  const line = (name: string, value: string): string => `[[PROPERTY|${name}=${oneLine(value)}]]`;
  return [
    ...clausesOfCheck(results, check).map(({ id }) => line('clause', id)),
    line('level', check.level),
    line('verdict', check.verdict),
    ...(check.confirmation === undefined ? [] : [line('repeated', check.confirmation.verdict)]),
    ...(check.attribution === null ? [] : [line('attribution', check.attribution)]),
    ...(check.source === undefined ? [] : [line('file', fileOf(check.source)), line('source', check.source)]),
  ];
}

/** What fails a run although no check failed: a red job has at least one red case. */
function ownCases(results: Results): Case[] {
  const own = (kind: Kind, type: string, name: string, message: string): Case => ({
    classname: 'proofmark',
    name,
    durationMs: 0,
    kind,
    type,
    message,
    output: '',
  });
  const end = 'the run finishes';
  const interrupted = results.truncated
    ? [own('error', 'interrupted', end, 'The run was cut off: its events have no footer.')]
    : results.interrupted !== undefined
      ? [own('error', 'interrupted', end, `The run was interrupted: ${sentence(results.interrupted)}`)]
      : [];
  const outdated = baselineLines(results)
    .filter(({ fails }) => fails)
    .map(({ pattern, text }) => own('failure', 'baseline', `the baseline entry ${pattern} still applies`, text));
  const undecided =
    results.exitCode === EXIT.inconclusive && interrupted.length === 0
      ? [own('failure', 'inconclusive', 'every MUST clause in scope is decided', headlineOf(results).why)]
      : [];
  return [...interrupted, ...outdated, ...undecided];
}

/** Everything that a reader of a CI page needs to see and repeat a failure. */
function proofText(check: CheckOutcome, results: Results): string {
  const lines = [check.reason === null ? check.title : sentence(check.reason)];
  const confirmation = confirmationText(check);
  if (confirmation !== undefined) lines.push(confirmation);
  for (const clause of clausesOfCheck(results, check)) {
    lines.push(`Clause ${clause.id} (${clause.level}, ${clause.section}): ${clause.text}`);
  }
  if (check.expected !== null || check.actual !== null) {
    lines.push(`Expected: ${clip(pretty(check.expected), 2000)}`, `Actual: ${clip(pretty(check.actual), 2000)}`);
    const spot = firstDifference(check.expected, check.actual);
    if (spot !== undefined && spot.pointer !== '') {
      lines.push(
        `First difference at ${spot.pointer}: ${clip(compact(spot.expected), 300)} / ${clip(compact(spot.actual), 300)}`,
      );
    }
  }
  if (check.pointer !== null) lines.push(`Where: ${check.pointer}`);
  if (check.source !== undefined) lines.push(`Check: ${check.id}, written in ${check.source}`);
  if (check.decisive !== undefined) lines.push(`Exchange: #${check.decisive} in events.ndjson`);
  if (check.seed !== undefined)
    lines.push(`Seed: ${check.seed}${check.replay === undefined ? '' : `, replay ${check.replay}`}`);
  const again = rerunCommand(results, check.id);
  if (again !== undefined) lines.push(`Run it again: ${again}`);
  if (check.curl !== undefined) lines.push(check.curl);
  return clip(lines.join('\n'), MAX_TEXT_CHARACTERS);
}

/** A source is written as `file:line`. */
const fileOf = (source: string): string => source.split(':')[0] ?? source;

const seconds = (ms: number): string => (Math.max(0, ms) / 1000).toFixed(3);

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/**
 * Text for an attribute of XML 1.0. Hidden characters are written out, and what the standard forbids even as a reference
 * (U+FFFE and the like) becomes U+FFFD.
 */
function xml(text: string): string {
  return content(text).replace(/[\n\t]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The same between tags, where line feeds stay. */
function content(text: string): string {
  return visible(text)
    .replace(/[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}
