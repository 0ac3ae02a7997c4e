/** The part of the report for looking things up: observations, every clause, every check, and where the time went. */
import type { ClauseVerdict } from '../../contracts/run/verdicts.ts';
import type { CheckOutcome, ClauseOutcome, Results } from '../results/index.ts';
import { VERDICT_WORDS } from '../words/summary.ts';
import { clip, compact, count, duration, pretty, sentence } from '../words/text.ts';
import type { Evidence } from './evidence.ts';
import { proof } from './findings.ts';
import { html, type Markup } from './markup.ts';
import { badge, bar, checkLink, section } from './pieces.ts';

const FILTER_ORDER: readonly ClauseVerdict[] = [
  'fail',
  'error',
  'inconclusive',
  'warn',
  'pass',
  'observed',
  'not-applicable',
  'excluded',
];
const MAX_SEEN_CHARACTERS = 1500;

/** What the target does where the contract is silent. */
export function observationsSection(results: Results): Markup | undefined {
  if (results.observations.length === 0) return undefined;
  const checks = new Map(results.checks.map((check) => [check.id, check]));
  const rows = results.observations.map(({ id, question, seen, check, exchanges }) => {
    const by = checks.get(check);
    const text = clip(typeof seen === 'string' ? seen : readable(seen), MAX_SEEN_CHARACTERS);
    const numbers =
      exchanges.length === 0
        ? ''
        : ` · ${exchanges
            .slice(0, 6)
            .map((n) => `#${n}`)
            .join(' ')}`;
    return html`<tr><td>${question}<br><code class="quiet">${id}</code></td><td><pre>${text}</pre></td><td>${by === undefined ? check : html`<a href="#check-${check}">${by.title}</a>`}<span class="quiet">${numbers}</span></td></tr>`;
  });
  return section(
    'observations',
    'Observations',
    'where the contract is silent; none of them counts',
    html`<div class="scroll"><table><thead><tr><th scope="col">Question</th><th scope="col">Seen</th><th scope="col">By</th></tr></thead><tbody>${rows}</tbody></table></div>`,
  );
}

/** On one line where it fits. */
function readable(value: unknown): string {
  const line = compact(value);
  return line.length <= 60 ? line : pretty(value);
}

/** Every clause of the scope under the section of the contract that it comes from. */
export function clausesSection(results: Results): Markup {
  const checks = new Map(results.checks.map((check) => [check.id, check]));
  const groups = groupBy(results.clauses, (clause) => clause.section).map(
    ([title, clauses]) =>
      html`<div class="group"><h3>${title} <span class="quiet">${tally(clauses)}</span></h3><ul class="list">${clauses.map((clause) => clauseRow(clause, checks))}</ul></div>`,
  );
  const content = html`${filter('clauses', 'Find a clause', results.clauses)}${groups}`;
  return section('clauses', 'Clauses', count(results.clauses.length, 'clause'), content);
}

function clauseRow(clause: ClauseOutcome, checks: ReadonlyMap<string, CheckOutcome>): Markup {
  const by = clause.checks.map((id) => {
    const check = checks.get(id);
    return check === undefined
      ? html`<br><code>${id}</code>`
      : html`<br><a href="#check-${id}">${check.title}</a>${check.verdict !== clause.verdict && html` (${VERDICT_WORDS[check.verdict]})`}`;
  });
  const excluded = clause.excluded !== undefined && html`<br>Not checked: ${clause.excluded}`;
  return html`<li class="clause" id="clause-${clause.id}" data-verdict="${clause.verdict}">${badge(clause.verdict)}<span class="level">${clause.level}</span><div><p>${clause.text}</p><p class="by"><code>${clause.id}</code>${excluded}${by}</p></div></li>`;
}

/** Every check with what it did; those that failed stand above in full. */
export function checksSection(results: Results, evidence: Evidence): Markup {
  const groups = groupBy(results.checks, (check) => check.suite).map(
    ([title, checks]) =>
      html`<div class="group"><h3>${title} <span class="quiet">${tally(checks)} · ${duration(sum(checks))}</span></h3><div class="list">${checks.map((check) => checkRow(check, evidence))}</div></div>`,
  );
  const content = html`${filter('checks', 'Find a check', results.checks)}${groups}`;
  return section('checks', 'Checks', count(results.checks.length, 'check'), content);
}

function checkRow(check: CheckOutcome, evidence: Evidence): Markup {
  const search = `${check.id} ${check.title} ${check.clauses.join(' ')} ${check.suite}`;
  const row = html`data-verdict="${check.verdict}" data-search="${search}"`;
  if (check.verdict === 'fail' || check.verdict === 'error') {
    return html`<div class="item check" ${row}>${badge(check.verdict)}<span class="title">${checkLink(check)}</span></div>`;
  }
  const clauses = check.clauses.map((id) => html` <a href="#clause-${id}"><code>${id}</code></a>`);
  return html`<details class="check" id="check-${check.id}" ${row}><summary>${badge(check.verdict)}<span class="title">${check.title} <code>${check.id}</code></span><span class="quiet">${duration(check.durationMs)}</span></summary><div class="inside">${
    check.reason !== null && html`<p class="reason">${clip(sentence(check.reason), MAX_SEEN_CHARACTERS)}</p>`
  }${check.verdict !== 'warn' && (check.warnings ?? []).map((text) => html`<p class="reason">${clip(sentence(text), MAX_SEEN_CHARACTERS)}</p>`)}${
    clauses.length > 0 && html`<p>Decides${clauses}</p>`
  }${check.source !== undefined && html`<p class="quiet">Written in <code>${check.source}</code></p>`}${proof(check, evidence, false)}</div></details>`;
}

/** Where the time went, and the slowest answers. */
export function timingsSection(results: Results): Markup {
  const stages = Object.entries(results.timings).sort(([, a], [, b]) => b - a);
  const suites = groupBy(results.checks, (check) => check.suite).map(
    ([suite, checks]) => [suite, sum(checks)] as const,
  );
  const longest = Math.max(1, ...stages.map(([, ms]) => ms), ...suites.map(([, ms]) => ms));
  const row = ([name, ms]: readonly [string, number]): Markup =>
    html`<tr><td>${name}</td><td class="number">${duration(ms)}</td><td>${bar('share', '', [{ tone: 'plain', share: ms / longest }])}</td></tr>`;
  const table = (title: string, rows: Markup[]) =>
    rows.length > 0 &&
    html`<div class="scroll"><table><thead><tr><th scope="col">${title}</th><th scope="col" class="number">Time</th><th><span class="quiet">Share</span></th></tr></thead><tbody>${rows}</tbody></table></div>`;
  const slow = results.slowest.map(
    ({ n, check, method, url, status, durationMs }) =>
      html`<tr><td class="number">#${n}</td><td><code>${method} ${clip(url, 160)}</code><br><a href="#check-${check}"><code>${check}</code></a></td><td class="number">${status ?? 'none'}</td><td class="number">${duration(durationMs)}</td></tr>`,
  );
  return section(
    'timings',
    'Timings',
    `${duration(results.durationMs)}, ${count(results.requests, 'request')}`,
    html`<div class="sides">${table('Stage', stages.map(row))}${table('Checks of a suite, added up', suites.map(row))}</div>${
      slow.length > 0 &&
      html`<div class="group"><h3>Slowest answers</h3><div class="scroll"><table><thead><tr><th scope="col" class="number">Exchange</th><th scope="col">Request</th><th scope="col" class="number">Status</th><th scope="col" class="number">Time</th></tr></thead><tbody>${slow}</tbody></table></div></div>`
    }`,
  );
}

function filter(id: string, label: string, rows: ReadonlyArray<{ verdict: ClauseVerdict }>): Markup {
  const present = FILTER_ORDER.filter((verdict) => rows.some((row) => row.verdict === verdict));
  const boxes = present.map(
    (verdict) => html`<label><input type="checkbox" value="${verdict}"> ${VERDICT_WORDS[verdict]}</label>`,
  );
  return html`<form class="filter" role="search" data-for="${id}" hidden><input type="search" name="find" placeholder="${label}" aria-label="${label}" autocomplete="off"><fieldset aria-label="Verdicts">${boxes}</fieldset><button type="reset">Show all</button><output class="quiet" aria-live="polite"></output></form>`;
}

/** `3 passed, 1 failed`. */
function tally(rows: ReadonlyArray<{ verdict: ClauseVerdict }>): string {
  return FILTER_ORDER.flatMap((verdict) => {
    const number = rows.filter((row) => row.verdict === verdict).length;
    return number === 0 ? [] : [`${number} ${VERDICT_WORDS[verdict]}`];
  }).join(', ');
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Array<[string, T[]]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups];
}

function sum(checks: readonly CheckOutcome[]): number {
  return checks.reduce((total, check) => total + check.durationMs, 0);
}
