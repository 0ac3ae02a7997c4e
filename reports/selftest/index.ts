/** `selftest.html`: the matrix of faults and checks as one page, offline, without a script. A pure fold over its file. */
import { createHash } from 'node:crypto';
import {
  CELL_OF,
  type MatrixCheck,
  type MatrixRow,
  ROW_KINDS,
  type RowKind,
  type SelftestFile,
} from '../../contracts/run/selftest.ts';
import type { Verdict } from '../../contracts/run/verdicts.ts';
import { html, Markup } from '../html/markup.ts';
import { bar } from '../html/pieces.ts';
import { STYLE } from '../html/style/index.ts';
import { count, duration } from '../words/text.ts';

const TITLES: Readonly<Record<RowKind, readonly [title: string, about: string]>> = {
  correct: ['The correct service', 'every check must pass'],
  independent: ['An independently written service', 'no check may blame it'],
  variant: [
    'Conformant variants',
    'other correct interpretations of what the contract leaves open: no check may blame them',
  ],
  combination: ['Combinations of variants', 'several interpretations at once'],
  control: ['Controls', 'services that serve nothing: the checks that may pass on them are listed'],
  fault: ['Faults', 'each breaks the clauses it names and is found by the checks of exactly these clauses'],
};

const PAGE_STYLE = `${STYLE}
.matrix td, .matrix th { padding: 0.3rem 0.7rem; }
.matrix td:first-child { width: 24rem; }
.strip { display: block; width: 100%; min-width: 24rem; height: 14px; background: var(--sunk); }
.strip path { fill: var(--fill); }
.found code { display: block; }
`;

/** The whole page. */
export function renderSelftest(file: SelftestFile): string {
  const tone = file.ok ? 'pass' : 'fail';
  const style = createHash('sha256').update(PAGE_STYLE, 'utf8').digest('base64');
  const kinds = ROW_KINDS.filter((kind) => file.rows.some((row) => row.kind === kind)).toReversed();
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${style}'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${file.ok ? 'Every fault found' : 'Problems'}: Proofmark selftest</title>
<style>${new Markup(PAGE_STYLE)}</style>
</head>
<body>
<header class="top wide"><span class="brand">Proofmark selftest</span><span class="run">${began(file)} · ${duration(file.durationMs)}</span></header>
<div class="wide">${hero(file, tone)}</div>
<main id="main" class="wide">
${problems(file)}
${kinds.map((kind) => rowsSection(file, kind))}
${checksSection(file)}
</main>
<footer class="wide">Proofmark ${file.proofmark}, contract ${file.contract}, Node ${file.node}, seed ${file.seed}. The same as data: selftest.json.</footer>
</body>
</html>
`.text;
}

const began = ({ startedAt }: SelftestFile): string => startedAt.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');

function hero({ counts, problems: found, workers }: SelftestFile, tone: string): Markup {
  const [share, untried] =
    counts.faults === 0 ? [0, 0] : [counts.found / counts.faults, counts.untried / counts.faults];
  const left = counts.untried === 0 ? '' : ` (${counts.untried} not tried: no check of this run covers them)`;
  return html`<section class="hero tone-${tone}" aria-labelledby="verdict">
<h1 id="verdict">${found.length === 0 ? 'No problems' : count(found.length, 'problem')}</h1>
<p class="why">${counts.found} of ${count(counts.faults, 'fault')} found${left}; ${counts.killing} of ${count(counts.mustChecks, 'MUST check')} seen to fail.</p>
${bar('bar', `Faults found: ${counts.found} of ${counts.faults}`, [
  { tone: 'tone-pass', share },
  { tone: 'tone-fail', share: 1 - share - untried },
])}
<p class="also">A check that was not run on a row is not drawn there: it sends no call that the fault affects, or needs a browser and none was available.</p>
<p class="also">${count(counts.variants, 'variant')}, ${count(counts.combinations, 'combination')}, ${count(counts.controls, 'control')}; ${count(counts.verdicts, 'verdict')} in ${count(workers, 'process', 'processes')}.</p>
</section>`;
}

function problems({ problems: found }: SelftestFile): Markup | false {
  if (found.length === 0) return false;
  const rows = found.map(({ kind, message }) => html`<li><b>${kind}</b>: ${message}</li>`);
  return html`<section aria-labelledby="problems"><h2 id="problems">Problems</h2><ul class="notices tone-fail">${rows}</ul></section>`;
}

function rowsSection(file: SelftestFile, kind: RowKind): Markup {
  const [title, about] = TITLES[kind];
  const rows = file.rows.filter((row) => row.kind === kind);
  const head = kind === 'fault' ? 'Found by' : kind === 'control' ? 'Passed' : 'Not passed';
  return html`<section aria-labelledby="rows-${kind}"><h2 id="rows-${kind}">${title} <span class="quiet">${rows.length}: ${about}</span></h2>
<div class="scroll"><table class="matrix"><thead><tr><th scope="col">Service</th><th scope="col">${head}</th><th scope="col">Checks, in order</th></tr></thead>
<tbody>${rows.map((row) => html`<tr><td>${row.about}<br><code class="quiet">${row.id}</code>${row.clauses.map((clause) => html`<br><code>${clause}</code>`)}</td><td class="found">${named(file.checks, row)}</td><td>${strip(row.cells)}</td></tr>`)}</tbody></table></div></section>`;
}

/** The checks worth naming on a row: those that failed, on a control those that passed. */
function named(checks: readonly MatrixCheck[], row: MatrixRow): Markup[] {
  const ranked = row.kind === 'control' ? 'p' : 'fwe';
  return checks
    .filter(({ level }, at) => ranked.includes(row.cells[at] ?? '-') && !(row.kind === 'fault' && level === 'OBSERVES'))
    .map(({ id }) => html`<code>${id}</code>`);
}

const DRAWN: readonly Verdict[] = ['fail', 'warn', 'error', 'inconclusive', 'pass'];

/** One rectangle a check, one path a verdict: a row of some hundred checks stays small. */
function strip(cells: string): Markup {
  const drawn = DRAWN.map((verdict) => ({
    verdict,
    places: [...cells.matchAll(new RegExp(CELL_OF[verdict], 'g'))].map(({ index }) => index),
  })).filter(({ places }) => places.length > 0);
  const label = drawn.map(({ verdict, places }) => `${places.length} ${verdict}`).join(', ');
  const paths = drawn.map(
    ({ verdict, places }) =>
      html`<path class="tone-${verdict}" d="${places.map((at) => `M${at * 4} 0h3v10h-3z`).join('')}"></path>`,
  );
  return html`<svg class="strip" viewBox="0 0 ${cells.length * 4} 10" preserveAspectRatio="none" role="img" aria-label="${label}">${paths}</svg>`;
}

/** The matrix the other way round: what has been seen to make each check fail. */
function checksSection({ checks, rows }: SelftestFile): Markup {
  const faults = rows.filter(({ kind }) => kind === 'fault');
  const list = checks
    .map((check, at) => ({ check, by: faults.filter(({ cells }) => 'fw'.includes(cells[at] ?? '-')) }))
    .filter(({ check }) => check.level !== 'OBSERVES')
    .map(
      ({ check, by }) =>
        html`<tr><td>${check.title}<br><code class="quiet">${check.id}</code></td><td class="number">${by.length}</td><td class="found">${by.map(({ id }) => html`<code>${id}</code>`)}</td></tr>`,
    );
  return html`<section aria-labelledby="checks"><h2 id="checks">Checks <span class="quiet">and the faults that make each fail</span></h2>
<div class="scroll"><table class="matrix"><thead><tr><th scope="col">Check</th><th scope="col" class="number">Faults</th><th scope="col">Which</th></tr></thead><tbody>${list}</tbody></table></div></section>`;
}
