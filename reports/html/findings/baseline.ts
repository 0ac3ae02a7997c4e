/** Known findings, and what this run says of each. */
import type { Results } from '../../results/index.ts';
import { baselineLines } from '../../words/baseline.ts';
import { clip, count } from '../../words/text.ts';
import { html, type Markup } from '../markup.ts';
import { section } from '../pieces.ts';

const MAX_TEXT_CHARACTERS = 1500;

export function baselineSection(results: Results): Markup | undefined {
  const lines = baselineLines(results);
  if (lines.length === 0) return undefined;
  const items = lines.map(
    ({ status, pattern, text, fails }) =>
      html`<li data-row="${fails ? 'fail' : 'observed'}"><span class="badge tone-${fails ? 'fail' : 'observed'}">${status}</span> <code>${pattern}</code> ${clip(text, MAX_TEXT_CHARACTERS)}</li>`,
  );
  return section('baseline', 'Baseline', count(lines.length, 'entry', 'entries'), html`<ul class="list">${items}</ul>`);
}
