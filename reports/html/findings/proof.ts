/** What a check rests on: the difference, the place, the commands, pictures, the sequence and exchanges. */

import { isTraceFile } from '../../files.ts';
import { provingFaults, rerunCommand } from '../../findings/rerun.ts';
import type { CheckOutcome, Results } from '../../results/index.ts';
import { differenceOf, isComparable, isDescription, type Line } from '../../words/difference.ts';
import { clip, count, pretty } from '../../words/text.ts';
import { rangesOf } from '../exchanges/archive.ts';
import { type Evidence, shownExchanges } from '../exchanges/evidence.ts';
import { exchangeMarkup } from '../exchanges/exchange.ts';
import { timelineMarkup } from '../exchanges/hops.ts';
import { exactly, html, type Markup } from '../markup.ts';

const MAX_FAULTS = 3;

/** Everything that is needed to see, believe and repeat what a check found. */
export function proof(check: CheckOutcome, results: Results, evidence: Evidence, isFinding: boolean): Markup {
  const shown = shownExchanges(check).flatMap((n) => evidence.exchanges.get(n) ?? []);
  const decisive = shown.find((exchange) => exchange.n === check.decisive);
  const others = shown.filter((exchange) => exchange !== decisive);
  return html`${compared(check)}${facts(check)}${isFinding && commands(check, results)}${
    check.curl !== undefined && command('Repeat the decisive request', check.curl, 'Copy curl')
  }${decisive !== undefined && exchangeMarkup(decisive, isFinding, check.pointer)}${others.map((exchange) =>
    exchangeMarkup(exchange, decisive === undefined && isFinding, null),
  )}${shown.length < check.exchanges.length && allExchanges(check)}${sequence(check, results, evidence)}${trace(check)}${pictures(check, evidence)}`;
}

/** Numbers are there without the script, which puts a button in their place. */
function allExchanges(check: CheckOutcome): Markup | undefined {
  if (check.exchanges.length === 0) return undefined;
  const ranges = rangesOf(check.exchanges);
  return html`<p class="load quiet" data-numbers="${ranges}">${count(check.exchanges.length, 'exchange')} of this check: ${clip(`#${ranges.replaceAll(',', ', #').replaceAll('-', ' to #')}`, 300)}</p>`;
}

function sequence(check: CheckOutcome, results: Results, evidence: Evidence): Markup | undefined {
  // Checks of one installation share its exchanges, which carry the id of the check that met them first.
  const owner = check.decisive === undefined ? undefined : evidence.exchanges.get(check.decisive)?.check;
  const hops = evidence.sequences.get(check.id) ?? (owner === undefined ? undefined : evidence.sequences.get(owner));
  if (hops === undefined) return undefined;
  return html`<details class="sequence"><summary>Sequence of ${count(hops.length, 'hop')}</summary>${timelineMarkup(hops, results.party, `${check.pointer ?? ''} ${check.reason ?? ''}`)}</details>`;
}

function pictures(check: CheckOutcome, evidence: Evidence): Markup | undefined {
  const shown = evidence.screenshots.get(check.id) ?? [];
  if (shown.length === 0) return undefined;
  return html`<div class="pictures">${shown.map(({ title, png }) => html`<figure><img src="data:image/png;base64,${png}" alt="${title}"><figcaption>${title}</figcaption></figure>`)}</div>`;
}

/** The browser steps, to be opened beside the report. */
function trace({ trace: kept }: CheckOutcome): Markup | undefined {
  if (kept === undefined) return undefined;
  if ('omitted' in kept) return html`<p class="trace quiet">${sentence(kept.omitted)}</p>`;
  if (!isTraceFile(kept.file)) return undefined;
  return html`<div class="trace command-box"><p class="caption">Browser steps: the trace <a href="${kept.file}" download>${kept.file}</a> in the folder of this report, opened there with</p><pre class="command"><code>npx playwright show-trace ${kept.file}</code></pre></div>`;
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

function compared(check: CheckOutcome): Markup | undefined {
  const { expected, actual } = check;
  if (expected === null && actual === null) return undefined;
  const plain = (value: unknown): Line[] => [{ kind: 'same', text: clip(words(value), 8000) }];
  if (expected === null) return html`<div class="sides">${pane('Actual', plain(actual), 'got')}</div>`;
  if (!isComparable(expected, actual)) {
    return html`<div class="sides">${pane('Expected', plain(expected), 'wanted')}${pane('Actual', plain(actual), 'got')}</div>`;
  }
  const difference = differenceOf(expected, actual);
  return html`<div class="sides">${pane('Expected', difference.expected, 'wanted')}${pane('Actual', difference.actual, 'got')}</div>`;
}

/** A description in words needs no quotes, which would make it a text that was received. */
function words(value: unknown): string {
  return isDescription(value) ? value : pretty(value);
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
  return html`<div class="pane"><p class="caption">${title}</p><pre class="diff">${rows}</pre></div>`;
}

function facts(check: CheckOutcome): Markup | undefined {
  const rows: Markup[] = [];
  const row = (name: string, value: Markup): void => void rows.push(html`<dt>${name}</dt><dd>${value}</dd>`);
  if (check.pointer !== null) {
    const where =
      check.decisive === undefined
        ? ''
        : html` in <a href="#exchange-${check.decisive}">exchange #${check.decisive}</a>`;
    row('Where', html`<code>${check.pointer === '' ? '(the whole body)' : check.pointer}</code>${where}`);
  }
  if (check.because !== undefined) row('Waits for', html`<code>${check.because}</code>`);
  if (check.restsOn !== undefined) row('Rests on', html`<code>${check.restsOn}</code>`);
  if (check.undecided !== undefined && check.undecided.length > 0)
    row('Leaves undecided', html`<code>${check.undecided.join(', ')}</code>`);
  if (check.seed !== undefined) {
    const path = check.replay === undefined ? '' : html`, replay <code>${check.replay}</code>`;
    row('Seed', html`<code>${check.seed}</code>${path}`);
  }
  return rows.length === 0 ? undefined : html`<dl class="facts">${rows}</dl>`;
}

/** How to run this check again, how to see that it can fail, and where it is described. */
function commands(check: CheckOutcome, results: Results): Markup {
  const rerun = rerunCommand(results, check.id);
  // The fault of a faulty mock is what this run shows already.
  const faults = provingFaults(check).sort(
    (a, b) => Number(results.target.name.endsWith(`=${a}`)) - Number(results.target.name.endsWith(`=${b}`)),
  );
  const [first] = faults;
  const proven =
    first === undefined
      ? undefined
      : results.party === 'service'
        ? html`<code>npx proofmark run --target mock:fault=${first} --only ${check.id}</code>`
        : html`the faulty example <code>${first}</code>`;
  const more =
    faults.length > 1 &&
    html` <span class="quiet">also ${faults.slice(1, MAX_FAULTS).join(', ')}${faults.length > MAX_FAULTS && ` and ${faults.length - MAX_FAULTS} more`}</span>`;
  return html`<dl class="facts">${rerun !== undefined && html`<dt>Run it again</dt><dd><code>${rerun}</code></dd>`}${
    proven !== undefined && html`<dt>See it fail</dt><dd>${proven}${more}</dd>`
  }<dt>Described in</dt><dd><code>docs/catalogue.md</code>, entry <code>${check.clauses[0] ?? check.id}</code>${
    check.source !== undefined && html`; written in <code>${check.source}</code>`
  }</dd></dl>`;
}

function command(title: string, text: string, label: string): Markup {
  return html`<div class="command-box"><p class="caption">${title}</p><pre class="command"><code>${text}</code></pre><button type="button" class="copy" data-text="${exactly(text)}" hidden>${label}</button></div>`;
}
