/** Findings, each with everything that is needed to see, believe and repeat it, and what waits for it. */

import { confirmationText } from '../../events/confirmation.ts';
import { type Cause, causesOf } from '../../findings/causes.ts';
import type { CheckOutcome, ClauseOutcome, Results } from '../../results/index.ts';
import { knownText } from '../../words/baseline.ts';
import { clausesOfCheck, errorsOf } from '../../words/summary.ts';
import { clip, count, sentence } from '../../words/text.ts';
import type { Evidence } from '../exchanges/evidence.ts';
import { html, type Markup } from '../markup.ts';
import { badge, section } from '../pieces.ts';
import { proof } from './proof.ts';

const MAX_REASON_CHARACTERS = 1500;
/** Cards shown in full; a target that refuses everything would fill hundreds with the same words. */
const MAX_CARDS = 60;

/** Failed checks: one card a cause. */
export function failuresSection(results: Results, evidence: Evidence): Markup | undefined {
  const causes = causesOf(results);
  if (causes.length === 0) return undefined;
  const cards = causes.slice(0, MAX_CARDS).map((cause) => causeCard(cause, results, evidence));
  const rest = causes.slice(MAX_CARDS).flatMap(({ failed, waiting }) => [...failed, ...waiting]);
  const failed = count(results.counts.fail, 'failed check');
  const figure = causes.length === results.counts.fail ? failed : `${count(causes.length, 'cause')}, ${failed}`;
  return section('failures', 'Findings', figure, html`${cards}${remainder(rest)}`);
}

/** Errors of the harness itself: shown apart, because they say nothing about the target. */
export function errorsSection(results: Results, evidence: Evidence): Markup | undefined {
  const checks = errorsOf(results);
  if (checks.length === 0) return undefined;
  const cards = checks
    .slice(0, MAX_CARDS)
    .map((check) => causeCard({ failed: [check], waiting: [] }, results, evidence));
  const more = remainder(checks.slice(MAX_CARDS));
  return section('errors', 'Errors of Proofmark itself', count(checks.length, 'check'), html`${cards}${more}`);
}

function remainder(checks: readonly CheckOutcome[]): Markup | undefined {
  if (checks.length === 0) return undefined;
  return html`<details class="group"><summary>${count(checks.length, 'more check')}</summary><ul class="list">${checks.map(
    (check) =>
      html`<li id="check-${check.id}" data-row="${check.verdict}">${badge(check.verdict)} ${check.title} <code>${check.id}</code><br>${clip(sentence(check.reason ?? ''), MAX_REASON_CHARACTERS)}</li>`,
  )}</ul></details>`;
}

function causeCard({ failed, waiting }: Cause, results: Results, evidence: Evidence): Markup {
  const [check, ...others] = failed;
  const clauses = clausesOfCheck(results, check);
  return html`<article class="card tone-${check.verdict}" id="check-${check.id}" data-row="${check.verdict}" data-stop tabindex="-1" aria-labelledby="title-${check.id}">
<div class="head">${badge(check.verdict)}<h3 id="title-${check.id}">${check.title}</h3><code>${check.id}</code></div>
${reason(check)}
${known(check)}
${repeated(check)}
${clauses.map(clauseText)}
<div class="evidence">${proof(check, results, evidence, true)}</div>
${others.map((other) => alsoFailed(other, results, evidence))}
${waitingList(waiting)}
</article>`;
}

function reason(check: CheckOutcome): Markup | undefined {
  return check.reason === null
    ? undefined
    : html`<p class="reason">${clip(sentence(check.reason), MAX_REASON_CHARACTERS)}</p>`;
}

function known(check: CheckOutcome): Markup | undefined {
  return check.known === undefined ? undefined : html`<p class="quiet">${knownText(check)}</p>`;
}

/** Both results: the one that counts is above. */
function repeated(check: CheckOutcome): Markup | undefined {
  const text = confirmationText(check);
  if (text === undefined) return undefined;
  const [first] = check.confirmation?.exchanges ?? [];
  const link = first === undefined ? undefined : html` <a href="#exchange-${first}">exchange ${first}</a>`;
  return html`<p class="quiet">${clip(text, MAX_REASON_CHARACTERS)}${link}</p>`;
}

function clauseText(clause: ClauseOutcome): Markup {
  return html`<p class="clause-text"><span class="level">${clause.level}</span> ${clause.text} <span class="quiet">${clause.section} · <a href="#clause-${clause.id}"><code>${clause.id}</code></a></span></p>`;
}

/** Another check that found the same clause broken. */
function alsoFailed(check: CheckOutcome, results: Results, evidence: Evidence): Markup {
  return html`<details class="also-failed" id="check-${check.id}"><summary>${badge(check.verdict)} ${check.title} <code class="quiet">${check.id}</code></summary>${reason(check)}${known(check)}${repeated(check)}<div class="evidence">${proof(check, results, evidence, true)}</div></details>`;
}

function waitingList(waiting: readonly CheckOutcome[]): Markup | undefined {
  if (waiting.length === 0) return undefined;
  const rows = waiting.map(
    (check) =>
      html`<li id="check-${check.id}">${badge(check.verdict)} ${check.title} <code class="quiet">${check.id}</code>${reason(check)}</li>`,
  );
  return html`<details class="waiting"><summary>${count(waiting.length, 'check')} ${waiting.length === 1 ? 'waits' : 'wait'} for this</summary><ul>${rows}</ul></details>`;
}
