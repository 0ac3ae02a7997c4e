/**
 * `junit.xml` for CI systems: a suite per folder of checks. A failure is a `failure`, an error of the harness an `error`,
 * what was not decided is `skipped` with its remedy, so that nothing undecided looks like a pass.
 */

import type { CheckOutcome, Results } from './results/index.ts';
import { firstDifference } from './words/difference.ts';
import { clausesOfCheck } from './words/summary.ts';
import { clip, compact, pretty, sentence, visible } from './words/text.ts';

/** CI systems show these texts in narrow columns and keep them for years. */
const MAX_TEXT_CHARACTERS = 8000;

export function renderJunit(results: Results): string {
  const suites = new Map<string, CheckOutcome[]>();
  for (const check of results.checks) suites.set(check.suite, [...(suites.get(check.suite) ?? []), check]);
  const blocks = [...suites].map(([name, checks]) => suiteXml(name, checks, results));
  const cut = endedEarly(results);
  if (cut !== undefined) blocks.push(cut);
  const { counts } = results;
  const extra = cut === undefined ? 0 : 1;
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${xml(`proofmark ${results.target.name}`)}" tests="${results.checks.length + extra}" failures="${counts.fail}" errors="${counts.error + extra}" skipped="${counts.inconclusive + counts.notApplicable}" time="${seconds(results.durationMs)}">
${blocks.join('\n')}
</testsuites>
`;
}

function suiteXml(name: string, checks: readonly CheckOutcome[], results: Results): string {
  const of = (...verdicts: string[]): number => checks.filter((check) => verdicts.includes(check.verdict)).length;
  const time = checks.reduce((sum, check) => sum + check.durationMs, 0);
  const cases = checks.map((check) => caseXml(check, results)).join('\n');
  return `  <testsuite name="${xml(name)}" tests="${checks.length}" failures="${of('fail')}" errors="${of('error')}" skipped="${of('inconclusive', 'not-applicable')}" time="${seconds(time)}" timestamp="${xml(results.startedAt)}">
${cases}
  </testsuite>`;
}

function caseXml(check: CheckOutcome, results: Results): string {
  const inside = insideOf(check, results);
  const open = `    <testcase classname="${xml(check.id)}" name="${xml(check.title)}"${sourceXml(check)} time="${seconds(check.durationMs)}"`;
  return inside === '' ? `${open}/>` : `${open}>\n${inside}    </testcase>`;
}

/** Where the check is written, in the two attributes that CI systems know. */
function sourceXml({ source }: CheckOutcome): string {
  if (source === undefined) return '';
  const [file = '', line = ''] = source.split(':');
  return ` file="${xml(file)}" line="${xml(line)}"`;
}

function insideOf(check: CheckOutcome, results: Results): string {
  const message = xml(clip(sentence(check.reason ?? check.title), 1000));
  switch (check.verdict) {
    case 'fail':
      return `      <failure type="fail" message="${message}">${content(proofText(check, results))}</failure>\n`;
    case 'error':
      return `      <error type="error" message="${message}">${content(proofText(check, results))}</error>\n`;
    case 'inconclusive':
      return `      <skipped message="${xml(`inconclusive (${check.attribution ?? 'harness'}): `)}${message}"/>\n`;
    case 'not-applicable':
      return `      <skipped message="${xml('not applicable: ')}${message}"/>\n`;
    case 'warn':
      return output(`WARNING: ${proofText(check, results)}`);
    case 'pass':
    case 'observed': {
      const warnings = (check.warnings ?? []).map((text) => `WARNING: ${sentence(text)}\n`).join('');
      return warnings === '' ? '' : output(warnings);
    }
  }
}

const output = (text: string): string => `      <system-out>${content(clip(text, MAX_TEXT_CHARACTERS))}</system-out>\n`;

/** Everything that a reader of a CI page needs to see and repeat a failure. */
function proofText(check: CheckOutcome, results: Results): string {
  const lines = [check.reason === null ? check.title : sentence(check.reason)];
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
  if (check.curl !== undefined) lines.push(check.curl);
  return clip(lines.join('\n'), MAX_TEXT_CHARACTERS);
}

/** A run that did not come to its end must not look green because the checks it reached did. */
function endedEarly(results: Results): string | undefined {
  if (!results.truncated && results.interrupted === undefined) return undefined;
  const message = results.truncated
    ? 'The run was cut off: its events have no footer.'
    : `The run was interrupted: ${sentence(results.interrupted ?? '')}`;
  return `  <testsuite name="proofmark" tests="1" failures="0" errors="1" skipped="0" time="0.000" timestamp="${xml(results.startedAt)}">
    <testcase classname="proofmark" name="the run comes to its end" time="0.000">
      <error type="interrupted" message="${xml(message)}"/>
    </testcase>
  </testsuite>`;
}

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
