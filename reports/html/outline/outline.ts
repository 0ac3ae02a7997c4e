/** The contract as an outline: interface, section, clause, with the verdict of each and the checks that decided it. */

import { causesOf } from '../../findings/causes.ts';
import { INTERFACES, interfaceOf } from '../../findings/interfaces.ts';
import type { CheckOutcome, ClauseOutcome, Results } from '../../results/index.ts';
import { clip, count, duration, sentence } from '../../words/text.ts';
import type { Evidence } from '../exchanges/evidence.ts';
import { proof } from '../findings/proof.ts';
import { html, type Markup } from '../markup.ts';
import { badge, bar, section, sharesOf, tally } from '../pieces.ts';

const MAX_REASON_CHARACTERS = 1500;
/** Verdicts that a reader has to see without a click. */
const OPEN: ReadonlySet<string> = new Set(['fail', 'error', 'inconclusive']);

/** Every clause of the scope, and the checks that decide none. */
export function outlineSection(results: Results, evidence: Evidence): Markup {
  const outline = new Outline(results, evidence);
  const groups = INTERFACES.flatMap((name) => {
    const clauses = results.clauses.filter(({ id }) => interfaceOf(id) === name);
    if (clauses.length === 0) return [];
    const sections = [...Map.groupBy(clauses, (clause) => clause.section)].map(([title, own]) =>
      group('section', title, own, html`<div class="list">${own.map((clause) => outline.clause(clause))}</div>`),
    );
    return [group('interface', name, clauses, html`${sections}`)];
  });
  const rest = outline.remaining();
  const others =
    rest.length > 0 &&
    group(
      'interface',
      'Checks that decide no clause',
      rest,
      html`<div class="list">${rest.map((check) => outline.check(check))}</div>`,
    );
  const figure = `${count(results.clauses.length, 'clause')}, ${count(results.checks.length, 'check')}`;
  return section('contract', 'The contract', figure, html`${groups}${others}`);
}

function group(
  kind: string,
  title: string,
  rows: ReadonlyArray<ClauseOutcome | CheckOutcome>,
  content: Markup,
): Markup {
  const isOpen = rows.some(({ verdict }) => OPEN.has(verdict));
  return html`<details class="group ${kind}"${isOpen && html` open`}><summary><span class="title">${title}</span> <span class="quiet">${tally(rows)}</span>${bar('share', '', sharesOf(rows))}</summary>${content}</details>`;
}

/** Each check has its place once: in its finding, else under the first clause that it decides. */
class Outline {
  readonly #results: Results;
  readonly #evidence: Evidence;
  readonly #checks: ReadonlyMap<string, CheckOutcome>;
  readonly #placed: Set<string>;

  constructor(results: Results, evidence: Evidence) {
    this.#results = results;
    this.#evidence = evidence;
    this.#checks = new Map(results.checks.map((check) => [check.id, check]));
    const found = causesOf(results).flatMap(({ failed, waiting }) => [...failed, ...waiting]);
    const errors = results.checks.filter(({ verdict }) => verdict === 'error');
    this.#placed = new Set([...found, ...errors].map(({ id }) => id));
  }

  clause(clause: ClauseOutcome): Markup {
    const checks = clause.checks.map((id) => {
      const check = this.#checks.get(id);
      if (check === undefined) return html`<p><code>${id}</code></p>`;
      return this.#placed.has(id)
        ? html`<p class="elsewhere">${badge(check.verdict)} <a href="#check-${id}">${check.title}</a></p>`
        : this.check(check);
    });
    const excluded = clause.excluded !== undefined && html`<p class="quiet">Not checked: ${clause.excluded}</p>`;
    const open = clause.verdict === 'fail' || clause.verdict === 'error';
    return html`<details class="clause" id="clause-${clause.id}" data-row="${clause.verdict}"${open && html` open`}><summary>${badge(clause.verdict)}<span class="level">${clause.level}</span><span class="title">${clause.text}</span></summary><div class="inside"><p class="quiet"><code>${clause.id}</code></p>${excluded}${checks}</div></details>`;
  }

  check(check: CheckOutcome): Markup {
    this.#placed.add(check.id);
    const clauses =
      check.clauses.length > 1 &&
      html`<p class="quiet">Decides ${check.clauses.map((id) => html`<code>${id}</code> `)}</p>`;
    const said = check.verdict === 'warn' ? [] : (check.warnings ?? []);
    return html`<div class="check" id="check-${check.id}" data-row="${check.verdict}"><p>${badge(check.verdict)} ${check.title} <code class="quiet">${check.id}</code> <span class="quiet">${duration(check.durationMs)}</span></p>${[
      check.reason,
      ...said,
    ].map(
      (text) => text !== null && html`<p class="reason">${clip(sentence(text), MAX_REASON_CHARACTERS)}</p>`,
    )}${clauses}${proof(check, this.#results, this.#evidence, false)}</div>`;
  }

  /** Checks that no clause named. */
  remaining(): CheckOutcome[] {
    return this.#results.checks.filter(({ id }) => !this.#placed.has(id));
  }
}
