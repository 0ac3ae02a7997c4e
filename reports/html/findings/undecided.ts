/** What could not be decided, by what would decide it, and what is legal but harmful. */

import { causesOf } from '../../findings/causes.ts';
import type { CheckOutcome, Results } from '../../results/index.ts';
import { otherRemediesOf, warningsOf } from '../../words/summary.ts';
import { clip, count } from '../../words/text.ts';
import { actorOf } from '../first-screen/actors.ts';
import { html, type Markup } from '../markup.ts';
import { badge, checkLink, section } from '../pieces.ts';

const MAX_REASON_CHARACTERS = 1500;
/** More links than this are folded away. */
const MAX_OPEN_LINKS = 3;

/** One line a missing thing. Checks that wait for a finding are listed there. */
export function inconclusiveSection(results: Results): Markup | undefined {
  const waiting = new Set(causesOf(results).flatMap((cause) => cause.waiting.map(({ id }) => id)));
  const rows = otherRemediesOf(results).map(({ actor, text, checks, clauses }) => {
    const number = checks.length === 0 ? count(clauses.length, 'clause') : count(checks.length, 'check');
    return html`<details class="remedy" data-row="inconclusive" data-stop><summary><span class="what">${clip(text, MAX_REASON_CHARACTERS)}</span><span class="quiet">${number} · ${actorOf(actor, results.party)}</span></summary><ul>${checks.map((check) => html`<li>${checkLink(check)}</li>`)}${clauses.map((clause) => html`<li><a href="#clause-${clause.id}">${clause.text}</a></li>`)}</ul></details>`;
  });
  if (rows.length === 0) return undefined;
  const figure = count(results.counts.inconclusive - waiting.size, 'check');
  return section('inconclusive', 'Not decided', figure, html`<div class="list">${rows}</div>`);
}

/** Legal, but harmful to a party. */
export function warningsSection(results: Results): Markup | undefined {
  const warnings = warningsOf(results);
  if (warnings.length === 0) return undefined;
  const rows = warnings.map(({ text, checks }) => {
    const saying = html`<p class="reason">${badge('warn')} ${clip(text, MAX_REASON_CHARACTERS)}</p>`;
    return html`<li data-row="warn" data-stop tabindex="-1">${saying}${linksTo(checks)}</li>`;
  });
  return section('warnings', 'Warnings', count(warnings.length, 'warning'), html`<ul class="list">${rows}</ul>`);
}

function linksTo(checks: readonly CheckOutcome[]): Markup {
  const links = html`<ul>${checks.map((check) => html`<li>${checkLink(check)}</li>`)}</ul>`;
  if (checks.length <= MAX_OPEN_LINKS) return links;
  return html`<details><summary>${count(checks.length, 'check')}</summary>${links}</details>`;
}
