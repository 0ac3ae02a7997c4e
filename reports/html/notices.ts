/** What the reader has to know beside the verdict: what was left behind, and what happened on the way. */
import { sweepCommand } from '../findings/rerun.ts';
import type { Results } from '../results/index.ts';
import { count, leftoverLines, ordersPlaced, sentence } from '../words/text.ts';
import { html, type Markup } from './markup.ts';

export function notices(results: Results): Markup | undefined {
  const { orphans, created, removed, restored, changed, orders = [] } = results.ledger;
  const texts = results.notices.map((text) => html`<li>${sentence(text)}</li>`);
  const left = leftoverLines(orphans).map(
    ({ objects, reason }) =>
      html`<li>Left behind on the target: ${objects}${reason !== undefined && html` (${reason})`}. Run <code>${sweepCommand(results)}</code>.</li>`,
  );
  const effects = [
    created > 0 && `created ${count(created, 'object')} and removed ${removed}`,
    changed + restored > 0 && `changed ${count(changed, 'value')} and put ${restored} back`,
    orders.length > 0 && ordersPlaced(orders),
  ].filter((deed) => deed !== false);
  const touched = effects.length > 0 && html`<li class="quiet">On the target the run ${effects.join(', ')}.</li>`;
  if (texts.length === 0 && left.length === 0 && touched === false) return undefined;
  const tone = orphans.length > 0 || results.truncated ? 'fail' : 'observed';
  return html`<section aria-label="Notices"><ul class="notices tone-${tone}">${left}${texts}${touched}</ul></section>`;
}
