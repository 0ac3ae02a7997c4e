/** Where the time went: plots, stages, suites, and the slowest responses. */
import type { Results } from '../../results/index.ts';
import { clip, count, duration } from '../../words/text.ts';
import { html, type Markup } from '../markup.ts';
import { section } from '../pieces.ts';
import { latencyPlot, requestsPlot } from './plots.ts';
import type { Tally } from './tally.ts';

const MAX_URL_CHARACTERS = 160;

export function timingsSection(results: Results, tally: Tally): Markup {
  const stages = Object.entries(results.timings).sort(([, a], [, b]) => b - a);
  const suites = [...Map.groupBy(results.checks, ({ suite }) => suite)]
    .map(([suite, checks]) => [suite, checks.reduce((sum, { durationMs }) => sum + durationMs, 0)] as const)
    .sort(([, a], [, b]) => b - a);
  const slow = results.slowest.map(
    ({ n, check, method, url, status, durationMs }) =>
      html`<tr><td class="number"><a href="#exchange-${n}">#${n}</a></td><td><code>${method} ${clip(url, MAX_URL_CHARACTERS)}</code><br><code class="quiet">${check}</code></td><td class="number">${status ?? 'none'}</td><td class="number">${duration(durationMs)}</td></tr>`,
  );
  const content = html`${plot('Requests over time', requestsPlot(tally.stretches, tally.stretchMs))}${plot('Latency by operation', latencyPlot(tally.latencies))}
<details class="group section"><summary><span class="title">Tables</span> <span class="quiet">stages, suites, slowest responses</span></summary><div class="sides">${table('Stage', stages)}${table('Checks of a suite, added up', suites)}</div>${
    slow.length > 0 &&
    html`<table><thead><tr><th scope="col" class="number">Exchange</th><th scope="col">Request</th><th scope="col" class="number">Status</th><th scope="col" class="number">Time</th></tr></thead><tbody>${slow}</tbody></table>`
  }</details>`;
  return section(
    'timings',
    'Timings',
    `${duration(results.durationMs)}, ${count(results.requests, 'request')}`,
    content,
  );
}

function plot(title: string, drawn: Markup | undefined): Markup | undefined {
  return drawn === undefined ? undefined : html`<h3>${title}</h3>${drawn}`;
}

function table(title: string, rows: ReadonlyArray<readonly [string, number]>): Markup | undefined {
  if (rows.length === 0) return undefined;
  return html`<table><thead><tr><th scope="col">${title}</th><th scope="col" class="number">Time</th></tr></thead><tbody>${rows.map(([name, ms]) => html`<tr><td>${name}</td><td class="number">${duration(ms)}</td></tr>`)}</tbody></table>`;
}
