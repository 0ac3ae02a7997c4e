/** The part of the report that somebody acts on: failures in full, what is missing, what will hurt. */

import type { CheckOutcome, Results } from '../results/index.ts';
import { baselineLines, knownText } from '../words/baseline.ts';
import { differenceOf, type Line } from '../words/difference.ts';
import { clausesOfCheck, errorsOf, failuresOf, remediesOf, warningsOf } from '../words/summary.ts';
import { clip, count, pretty, sentence } from '../words/text.ts';
import { type Evidence, shownExchanges } from './evidence.ts';
import { exchangeMarkup } from './exchange.ts';
import { exactly, html, type Markup } from './markup.ts';
import { badge, checkLink, section } from './pieces.ts';

const MAX_REASON_CHARACTERS = 1500;
/** Cards shown in full; a target that refuses everything would fill hundreds with the same words. */
const MAX_CARDS = 60;

/** Failed checks, each with everything that is needed to see, believe and repeat it. */
export function failuresSection(results: Results, evidence: Evidence): Markup | undefined {
  return cardsSection('failures', 'Failed', failuresOf(results), results, evidence);
}

/** Errors of the harness itself: shown apart, because they say nothing about the target. */
export function errorsSection(results: Results, evidence: Evidence): Markup | undefined {
  return cardsSection('errors', 'Errors of Proofmark itself', errorsOf(results), results, evidence);
}

/** Known findings, and what this run says of each. */
export function baselineSection(results: Results): Markup | undefined {
  const lines = baselineLines(results);
  if (lines.length === 0) return undefined;
  const items = lines.map(
    ({ status, pattern, text, fails }) =>
      html`<li><span class="badge tone-${fails ? 'fail' : 'observed'}">${status}</span> <code>${pattern}</code> ${clip(text, MAX_REASON_CHARACTERS)}</li>`,
  );
  return section('baseline', 'Baseline', count(lines.length, 'entry', 'entries'), html`<ul class="list">${items}</ul>`);
}

function cardsSection(id: string, title: string, checks: CheckOutcome[], results: Results, evidence: Evidence) {
  if (checks.length === 0) return undefined;
  const cards = checks.slice(0, MAX_CARDS).map((check) => card(check, results, evidence));
  const rest = checks.slice(MAX_CARDS);
  const more =
    rest.length > 0 &&
    html`<ul class="list">${rest.map((check) => html`<li id="check-${check.id}">${badge(check.verdict)} ${check.title} <code>${check.id}</code><br>${clip(sentence(check.reason ?? ''), MAX_REASON_CHARACTERS)}</li>`)}</ul>`;
  return section(id, title, count(checks.length, 'check'), html`${cards}${more}`);
}

function card(check: CheckOutcome, results: Results, evidence: Evidence): Markup {
  const clauses = clausesOfCheck(results, check);
  return html`<article class="card tone-${check.verdict}" id="check-${check.id}">
<div class="head">${badge(check.verdict)}<h3>${check.title}</h3><code>${check.id}</code></div>
${check.reason !== null && html`<p class="reason">${clip(sentence(check.reason), MAX_REASON_CHARACTERS)}</p>`}
${check.known !== undefined && html`<p class="quiet">${knownText(check)}</p>`}
${clauses.map(
  (clause) =>
    html`<p class="clause-text"><span class="level">${clause.level}</span> ${clause.text} <span class="quiet">${clause.section} · <a href="#clause-${clause.id}"><code>${clause.id}</code></a></span></p>`,
)}
${check.source !== undefined && html`<p class="quiet">This check is written in <code>${check.source}</code>.</p>`}
${proof(check, evidence, true)}
</article>`;
}

/** What a check rests on: the difference, the place, the command, pictures and exchanges. */
export function proof(check: CheckOutcome, evidence: Evidence, openDecisive: boolean): Markup {
  const shown = shownExchanges(check).flatMap((n) => evidence.exchanges.get(n) ?? []);
  const decisive = shown.find((exchange) => exchange.n === check.decisive);
  const others = shown.filter((exchange) => exchange !== decisive);
  const hidden = check.exchanges.length - shown.length;
  const pictures = evidence.screenshots.get(check.id) ?? [];
  return html`${compared(check)}${facts(check)}${check.curl !== undefined && command(check.curl)}${
    decisive !== undefined && exchangeMarkup(decisive, openDecisive, check.pointer)
  }${
    others.length > 0 &&
    html`<details${decisive === undefined && openDecisive && html` open`}><summary>${decisive === undefined ? count(others.length, 'exchange') : `${count(others.length, 'other exchange')} of this check`}</summary>${others.map((exchange) => exchangeMarkup(exchange, false, null))}</details>`
  }${hidden > 0 && html`<p class="quiet">${count(hidden, 'more exchange')} of this check in events.ndjson.</p>`}${
    pictures.length > 0 &&
    html`<div>${pictures.map(({ title, png }) => html`<figure><img src="data:image/png;base64,${png}" alt="${title}"><figcaption>${title}</figcaption></figure>`)}</div>`
  }`;
}

function compared(check: CheckOutcome): Markup | undefined {
  const { expected, actual } = check;
  if (expected === null && actual === null) return undefined;
  if (expected === null)
    return html`<div class="sides">${pane('Actual', [{ kind: 'same', text: clip(pretty(actual), 8000) }], 'got')}</div>`;
  const difference = differenceOf(expected, actual);
  return html`<div class="sides">${pane('Expected', difference.expected, 'wanted')}${pane('Actual', difference.actual, 'got')}</div>`;
}

function pane(title: string, lines: readonly Line[], kind: 'wanted' | 'got'): Markup {
  const rows = lines.map((line) => {
    if (line.kind === 'left-out') return html`<span class="row left-out">${line.text}</span>`;
    if (line.kind === 'same') return html`<span class="row"><span class="gutter"> </span>${line.text}</span>`;
    const sign = kind === 'wanted' ? '−' : '+';
    const [from, to] = line.mark ?? [0, 0];
    const text =
      from === to
        ? html`${line.text}`
        : html`${line.text.slice(0, from)}<mark>${line.text.slice(from, to)}</mark>${line.text.slice(to)}`;
    return html`<span class="row ${kind}"><span class="gutter">${sign}</span>${text}</span>`;
  });
  return html`<section><h4>${title}</h4><pre class="diff">${rows}</pre></section>`;
}

function facts(check: CheckOutcome): Markup | undefined {
  const rows: Markup[] = [];
  const row = (name: string, value: Markup): void => void rows.push(html`<dt>${name}</dt><dd>${value}</dd>`);
  if (check.pointer !== null) {
    const where = check.decisive === undefined ? '' : html` in the answer of exchange #${check.decisive}`;
    row('Where', html`<code>${check.pointer === '' ? '(the whole answer)' : check.pointer}</code>${where}`);
  }
  if (check.attribution !== null && check.verdict !== 'pass') row('Who has to act', html`${check.attribution}`);
  if (check.because !== undefined)
    row('Waits for', html`<a href="#clause-${check.because}"><code>${check.because}</code></a>`);
  if (check.restsOn !== undefined)
    row('Rests on', html`<a href="#clause-${check.restsOn}"><code>${check.restsOn}</code></a>`);
  if (check.undecided !== undefined && check.undecided.length > 0)
    row('Leaves undecided', html`<code>${check.undecided.join(', ')}</code>`);
  if (check.seed !== undefined) {
    const path = check.replay === undefined ? '' : html`, replay <code>${check.replay}</code>`;
    row('Seed', html`<code>${check.seed}</code>${path}`);
  }
  return rows.length === 0 ? undefined : html`<dl class="facts">${rows}</dl>`;
}

function command(curl: string): Markup {
  return html`<div class="command-box"><pre class="command"><code>${curl}</code></pre><button type="button" class="copy" data-text="${exactly(curl)}" hidden>Copy curl</button></div>`;
}

/** What could not be decided, by what would decide it: one line a missing thing. */
export function inconclusiveSection(results: Results): Markup | undefined {
  const remedies = remediesOf(results);
  if (remedies.length === 0) return undefined;
  const rows = remedies.map(({ attribution, text, checks, clauses }) => {
    const number = checks.length === 0 ? count(clauses.length, 'clause') : count(checks.length, 'check');
    return html`<details class="remedy"><summary><span class="what">${clip(text, MAX_REASON_CHARACTERS)}</span><span class="quiet">${number} · ${attribution}</span></summary><ul>${checks.map((check) => html`<li>${checkLink(check)}</li>`)}${clauses.map((clause) => html`<li><a href="#clause-${clause.id}">${clause.text}</a></li>`)}</ul></details>`;
  });
  return section(
    'inconclusive',
    'Inconclusive',
    count(results.counts.inconclusive, 'check'),
    html`<div class="list">${rows}</div>`,
  );
}

/** Legal, and it will hurt somebody. */
export function warningsSection(results: Results): Markup | undefined {
  const warnings = warningsOf(results);
  if (warnings.length === 0) return undefined;
  const rows = warnings.map(({ text, checks }) => {
    const links = checks.map((check) => html`<li>${checkLink(check)}</li>`);
    const sayings = html`<p class="reason">${clip(text, MAX_REASON_CHARACTERS)}</p>`;
    if (links.length <= 3) return html`<li>${sayings}<ul>${links}</ul></li>`;
    return html`<li>${sayings}<details><summary>${count(links.length, 'check')}</summary><ul>${links}</ul></details></li>`;
  });
  return section('warnings', 'Warnings', count(warnings.length, 'warning'), html`<ul class="list">${rows}</ul>`);
}
