/**
 * `report.html`: one file that says in five seconds what the run came to and who has to act, and holds the proof below.
 * It works offline and without its script; it asks nobody for anything; whatever a target sent stands in it as text.
 */
import { createHash } from 'node:crypto';
import { type Outcome, VERDICTS } from '../../contracts/run/verdicts.ts';
import type { Results } from '../results/index.ts';
import { actorsOf, countOf, headlineOf, VERDICT_WORDS } from '../words/summary.ts';
import { count, duration, sentence } from '../words/text.ts';
import type { Evidence } from './evidence.ts';
import { baselineSection, errorsSection, failuresSection, inconclusiveSection, warningsSection } from './findings.ts';
import { checksSection, clausesSection, observationsSection, timingsSection } from './listings.ts';
import { html, Markup } from './markup.ts';
import { bar, SIGNS } from './pieces.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

const TONES = {
  conformant: 'pass',
  'non-conformant': 'fail',
  inconclusive: 'inconclusive',
  error: 'error',
} as const satisfies Record<Outcome, string>;

/** Sections that verdicts in the counts lead to. */
const SECTION_OF = {
  fail: 'failures',
  error: 'errors',
  inconclusive: 'inconclusive',
  warn: 'warnings',
  observed: 'observations',
} as const;

/** The whole page. */
export function renderHtml(results: Results, evidence: Evidence): string {
  const sections: Array<readonly [id: string, title: string, content: Markup | undefined]> = [
    ['failures', 'Failed', failuresSection(results, evidence)],
    ['baseline', 'Baseline', baselineSection(results)],
    ['errors', 'Errors', errorsSection(results, evidence)],
    ['inconclusive', 'Inconclusive', inconclusiveSection(results)],
    ['warnings', 'Warnings', warningsSection(results)],
    ['observations', 'Observations', observationsSection(results)],
    ['clauses', 'Clauses', clausesSection(results)],
    ['checks', 'Checks', checksSection(results, evidence)],
    ['timings', 'Timings', timingsSection(results)],
  ];
  const present = sections.filter(([, , content]) => content !== undefined);
  const { verdict } = headlineOf(results);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy()}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${verdict}: ${results.target.name}, Proofmark</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the findings</a>
${top(results)}
<div class="wide">${hero(results)}</div>
<nav class="sections" aria-label="Sections"><ul class="wide">${present.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>
<main id="main" class="wide">
${notices(results)}
${present.map(([, , content]) => content)}
</main>
${bottom(results)}
<script>${new Markup(SCRIPT)}</script>
</body>
</html>
`;
  return page.text;
}

/** Nothing may be loaded, sent, framed or run but this page's own style and script, known by their digests. */
function policy(): string {
  const digest = (text: string): string => `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;
  return `default-src 'none'; script-src ${digest(SCRIPT)}; style-src ${digest(STYLE)}; img-src data:; base-uri 'none'; form-action 'none'`;
}

function top(results: Results): Markup {
  const { target, startedAt, durationMs, requests } = results;
  const began = startedAt.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');
  return html`<header class="top wide"><span class="brand"><svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="10"></circle><path d="M7.5 12.5l3 3 6-7"></path></svg>Proofmark</span><span class="run"><b>${target.name}</b> · ${began} · ${duration(durationMs)} · ${count(requests, 'request')}</span></header>`;
}

function hero(results: Results): Markup {
  const { verdict, why } = headlineOf(results);
  const tone = TONES[results.outcome];
  const total = Math.max(1, results.checks.length);
  const found = VERDICTS.map((one) => ({ verdict: one, number: countOf(results, one) })).filter(
    ({ number }) => number > 0,
  );
  const label = found.map(({ verdict: one, number }) => `${number} ${VERDICT_WORDS[one]}`).join(', ');
  const clauses = results.clauseCounts;
  const figures = [
    `${clauses.pass} kept`,
    `${clauses.fail} broken`,
    `${clauses.inconclusive + clauses.error} not decided`,
    clauses.warn > 0 && `${clauses.warn} with a warning`,
    clauses.observed > 0 && `${clauses.observed} observed`,
    clauses.notApplicable > 0 && `${clauses.notApplicable} of parts not there`,
    clauses.excluded > 0 && `${clauses.excluded} not checked`,
  ].filter((figure) => figure !== false);
  const actors = actorsOf(results).map(
    ({ attribution, checks, toDo }) =>
      html`<li><b>${attribution}</b>: ${toDo} <span class="quiet">(${count(checks, 'check')})</span></li>`,
  );
  return html`<section class="hero tone-${tone}" aria-labelledby="verdict">
<h1 id="verdict"><span class="sign" aria-hidden="true">${SIGNS[tone]}</span>${verdict}</h1>
<p class="why">${why}</p>
${actors.length > 0 && html`<ul class="actors" aria-label="Who has to act">${actors}</ul>`}
${bar(
  'bar',
  `Checks: ${label}`,
  found.map(({ verdict: one, number }) => ({ tone: `tone-${one}`, share: number / total })),
)}
<ul class="counts" aria-label="Checks">${found.map(({ verdict: one, number }) => html`<li class="tone-${one}"><a href="#${one in SECTION_OF ? SECTION_OF[one as keyof typeof SECTION_OF] : 'checks'}"><span class="dot"></span><b>${number}</b> ${VERDICT_WORDS[one]}</a></li>`)}</ul>
<p class="also">Clauses: ${figures.join(', ')}. Exit code ${results.exitCode}.</p>
</section>`;
}

function notices(results: Results): Markup | undefined {
  const { orphans, created, removed, restored, changed } = results.ledger;
  const texts = results.notices.map((text) => html`<li>${sentence(text)}</li>`);
  const left = orphans.map(
    ({ object, reason }) =>
      html`<li>Left behind on the target: ${object}${reason !== undefined && html` (${reason})`}. Run <code>proofmark sweep ${results.run}</code>.</li>`,
  );
  const deeds = [
    created > 0 && `created ${count(created, 'object')} and removed ${removed}`,
    changed + restored > 0 && `changed ${count(changed, 'value')} and put ${restored} back`,
  ].filter((deed) => deed !== false);
  const touched = deeds.length > 0 && html`<li class="quiet">On the target the run ${deeds.join(', ')}.</li>`;
  if (texts.length === 0 && left.length === 0 && touched === false) return undefined;
  const tone = orphans.length > 0 || results.truncated ? 'fail' : 'observed';
  return html`<section aria-label="Notices"><ul class="notices tone-${tone}">${left}${texts}${touched}</ul></section>`;
}

function bottom(results: Results): Markup {
  const { proofmark, contract, node, run, seed, command, party } = results;
  return html`<footer class="wide">Proofmark ${proofmark}, contract ${contract}, judging the ${party}. Run <code>${run}</code>, seed <code>${seed}</code>, Node ${node}.<br><code>${command}</code><br>Every exchange in full: events.ndjson. The same findings as data: results.json.</footer>`;
}
