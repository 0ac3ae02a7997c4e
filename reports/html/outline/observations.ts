/** What the target does where the contract is silent, by suite; collapsed, because none of it counts. */
import type { Results } from '../../results/index.ts';
import { clip, compact, count, pretty } from '../../words/text.ts';
import { html, type Markup } from '../markup.ts';
import { section } from '../pieces.ts';

const MAX_SEEN_CHARACTERS = 1500;
const MAX_LINE_CHARACTERS = 60;
const MAX_NUMBERS = 6;

export function observationsSection(results: Results): Markup | undefined {
  if (results.observations.length === 0) return undefined;
  const checks = new Map(results.checks.map((check) => [check.id, check]));
  const bySuite = Map.groupBy(results.observations, ({ check }) => checks.get(check)?.suite ?? check);
  const groups = [...bySuite].map(([suite, observations]) => {
    const rows = observations.map(({ id, question, seen, check, exchanges }) => {
      const text = clip(typeof seen === 'string' ? seen : readable(seen), MAX_SEEN_CHARACTERS);
      const numbers = exchanges.slice(0, MAX_NUMBERS).map((n) => html` <a href="#exchange-${n}">#${n}</a>`);
      const by = checks.has(check) ? html`<a href="#check-${check}">${check}</a>` : check;
      return html`<div class="observation" data-row="observed"><dt>${question} <code class="quiet">${id}</code></dt><dd><pre>${text}</pre><span class="quiet">${by}${numbers}</span></dd></div>`;
    });
    return html`<details class="group section"><summary><span class="title">${suite}</span> <span class="quiet">${count(observations.length, 'observation')}</span></summary><dl class="list">${rows}</dl></details>`;
  });
  return section(
    'observations',
    'Observations',
    `${results.observations.length} where the contract is silent; none of them affects the verdict`,
    html`${groups}`,
  );
}

/** On one line where it fits. */
function readable(value: unknown): string {
  const line = compact(value);
  return line.length <= MAX_LINE_CHARACTERS ? line : pretty(value);
}
