/** Small pieces that every section of the report uses. */
import type { ClauseVerdict } from '../../contracts/run/verdicts.ts';
import type { CheckOutcome } from '../results/index.ts';
import { VERDICT_WORDS } from '../words/summary.ts';
import { grouped } from '../words/text.ts';
import { html, type Markup } from './markup.ts';

/** A sign beside the colour, for those who see no colours. */
export const VERDICT_SYMBOLS: Readonly<Record<ClauseVerdict, string>> = {
  fail: '✕',
  error: '‼',
  inconclusive: '?',
  warn: '!',
  pass: '✓',
  observed: '○',
  'not-applicable': '–',
  excluded: '–',
};

/** Verdicts as filters and figures list them. */
export const VERDICT_ORDER: readonly ClauseVerdict[] = [
  'fail',
  'error',
  'inconclusive',
  'warn',
  'pass',
  'observed',
  'not-applicable',
  'excluded',
];

export function badge(verdict: ClauseVerdict): Markup {
  return html`<span class="badge tone-${verdict}">${VERDICT_SYMBOLS[verdict]} ${VERDICT_WORDS[verdict]}</span>`;
}

/** The title of a check, as a link to it, with its id. */
export function checkLink(check: CheckOutcome): Markup {
  return html`<a href="#check-${check.id}">${check.title}</a> <code class="quiet">${check.id}</code>`;
}

/** A section of the report under a heading with a figure. */
export function section(id: string, title: string, figure: string, content: Markup): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title} <span class="quiet">${figure}</span></h2>${content}</section>`;
}

/** `3 passed, 1 failed`. */
export function tally(rows: ReadonlyArray<{ verdict: ClauseVerdict }>): string {
  return VERDICT_ORDER.flatMap((verdict) => {
    const number = rows.filter((row) => row.verdict === verdict).length;
    return number === 0 ? [] : [`${grouped(number)} ${VERDICT_WORDS[verdict]}`];
  }).join(', ');
}

/** The same as parts of a bar. */
export function sharesOf(rows: ReadonlyArray<{ verdict: ClauseVerdict }>): Array<{ tone: string; share: number }> {
  return VERDICT_ORDER.flatMap((verdict) => {
    const number = rows.filter((row) => row.verdict === verdict).length;
    return number === 0 ? [] : [{ tone: `tone-${verdict}`, share: number / rows.length }];
  });
}

/**
 * A bar of rectangles whose lengths are shares of the whole; drawn without a style attribute, which the page forbids.
 * Without a label it only repeats a figure beside it.
 */
export function bar(className: string, label: string, parts: ReadonlyArray<{ tone: string; share: number }>): Markup {
  let x = 0;
  const rectangles = parts.map(({ tone, share }) => {
    const width = Math.max(share * 1000, 0);
    const rectangle = html`<rect class="${tone}" x="${x.toFixed(1)}" y="0" width="${width.toFixed(1)}" height="10"></rect>`;
    x += width;
    return rectangle;
  });
  const said = label === '' ? html`aria-hidden="true"` : html`role="img" aria-label="${label}"`;
  return html`<svg class="${className}" viewBox="0 0 1000 10" preserveAspectRatio="none" ${said}>${rectangles}</svg>`;
}
