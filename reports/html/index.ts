/**
 * `report.html`: one file that says in five seconds what the run came to and who has to act, and holds the proof below.
 * It works offline and without its script; it loads nothing; whatever a target sent is in it as text.
 */
import { createHash } from 'node:crypto';
import type { Results } from '../results/index.ts';
import { headlineOf, VERDICT_WORDS } from '../words/summary.ts';
import { grouped } from '../words/text.ts';
import { archiveMarkup } from './exchanges/archive.ts';
import type { Evidence } from './exchanges/evidence.ts';
import { baselineSection } from './findings/baseline.ts';
import { errorsSection, failuresSection } from './findings/cards.ts';
import { inconclusiveSection, warningsSection } from './findings/undecided.ts';
import { nextSteps } from './first-screen/actors.ts';
import { hero } from './first-screen/hero.ts';
import { html, Markup } from './markup.ts';
import { notices } from './notices.ts';
import { observationsSection } from './outline/observations.ts';
import { outlineSection } from './outline/outline.ts';
import { section, VERDICT_ORDER } from './pieces.ts';
import { SCRIPT } from './script/index.ts';
import { STYLE } from './style/index.ts';
import { timingsSection } from './timing/timings.ts';

/** The whole page. */
export function renderHtml(results: Results, evidence: Evidence): string {
  const sections: Array<readonly [id: string, title: string, content: Markup | undefined]> = [
    ['failures', 'Findings', failuresSection(results, evidence)],
    ['baseline', 'Baseline', baselineSection(results)],
    ['errors', 'Errors', errorsSection(results, evidence)],
    ['inconclusive', 'Not decided', inconclusiveSection(results)],
    ['warnings', 'Warnings', warningsSection(results)],
    ['contract', 'The contract', outlineSection(results, evidence)],
    ['observations', 'Observations', observationsSection(results)],
    ['exchanges', 'Exchanges', exchangesSection(evidence)],
    ['timings', 'Timings', timingsSection(results, evidence.tally)],
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
<header class="top wide"><span class="brand"><svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="10"></circle><path d="M7.5 12.5l3 3 6-7"></path></svg>Proofmark</span></header>
<div class="wide first" role="region" aria-label="Summary">${hero(results, new Set(present.map(([id]) => id)))}${nextSteps(results)}</div>
<nav class="sections" aria-label="Sections"><div class="wide"><ul>${present.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>${filter(results)}</div></nav>
<main id="main" class="wide" tabindex="-1">
${notices(results)}
${present.map(([, , content]) => content)}
</main>
${bottom(results)}
${archiveMarkup(evidence.archive)}
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

/** Hidden until the script makes it work. */
function filter(results: Results): Markup {
  const verdicts = new Set<string>([...results.clauses, ...results.checks].map(({ verdict }) => verdict));
  const boxes = VERDICT_ORDER.filter((verdict) => verdicts.has(verdict)).map(
    (verdict) => html`<label><input type="checkbox" value="${verdict}"> ${VERDICT_WORDS[verdict]}</label>`,
  );
  return html`<form class="filter" id="find" role="search" hidden><input type="search" name="find" placeholder="Find an id, a path, a number, a word" aria-label="Find in the report and its exchanges" autocomplete="off"><fieldset><legend class="only-read">Verdicts</legend>${boxes}</fieldset><button type="button">Show all</button><output class="quiet" aria-live="polite"></output><span class="quiet keys">Keys: <kbd>n</kbd> next, <kbd>p</kbd> previous finding, <kbd>/</kbd> find</span></form>`;
}

function exchangesSection({ archive }: Evidence): Markup | undefined {
  if (archive.count === 0) return undefined;
  const left = archive.left > 0 && html` Another ${grouped(archive.left)} are in events.ndjson only.`;
  return section(
    'exchanges',
    'Exchanges',
    `${grouped(archive.count)} in this file`,
    html`<p class="quiet">Compressed, and shown on request: search above, follow a number, or browse in the order of the run.${left}</p><div id="exchange-list"></div><p><button type="button" id="browse" hidden>Show the first 50</button></p>`,
  );
}

function bottom(results: Results): Markup {
  const { proofmark, contract, node, run, seed, command, party } = results;
  return html`<footer class="wide"><p>Proofmark ${proofmark}, contract ${contract}, judging the ${party}. Run <code>${run}</code>, seed <code>${seed}</code>, Node ${node}, command <code>${command}</code>.</p><p>Every exchange in full: events.ndjson. The same findings as data: results.json. As HAR: <code>proofmark report --har</code>. As PDF: <code>proofmark report --pdf</code>. <button type="button" id="print-all" hidden>Print with evidence</button></p></footer>`;
}
