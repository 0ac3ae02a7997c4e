/** Plots as plain SVG: latency of each operation, and requests over time. Colours come from the style sheet. */
import { count, duration } from '../../words/text.ts';
import { html, type Markup } from '../markup.ts';
import type { OperationLatency, TimelineSegment } from './tally.ts';

const WIDTH = 1000;
const ROW = 26;
const LABEL = 390;
const TIME_HEIGHT = 160;
const MAX_LABEL_CHARACTERS = 46;

/** A row an operation: a bar to the 95th percentile, a line at the median, a dot at the maximum, on a logarithmic scale. */
export function latencyPlot(latencies: readonly OperationLatency[]): Markup | undefined {
  if (latencies.length === 0) return undefined;
  const most = Math.max(10, ...latencies.map(({ maxMs }) => maxMs));
  const x = (ms: number): number => LABEL + (Math.log10(Math.max(ms, 1)) / Math.log10(most)) * (WIDTH - LABEL - 90);
  const rows = latencies.map(({ operation, count: number, medianMs, p95Ms, maxMs }, at) => {
    const y = at * ROW;
    const name = labelOf(operation);
    return html`<g><title>${operation}: median ${duration(medianMs)}, 95 % within ${duration(p95Ms)}, longest ${duration(maxMs)}, ${count(number, 'request')}</title><text x="0" y="${y + 17}">${name}</text><rect class="range" x="${LABEL}" y="${y + 6}" width="${Math.max(2, x(p95Ms) - LABEL).toFixed(1)}" height="14"></rect><rect class="median" x="${x(medianMs).toFixed(1)}" y="${y + 3}" width="3" height="20"></rect><circle cx="${x(maxMs).toFixed(1)}" cy="${y + 13}" r="4"></circle><text class="figure" x="${(x(maxMs) + 10).toFixed(1)}" y="${y + 17}">${duration(p95Ms)}</text></g>`;
  });
  const label = `Latency of ${count(latencies.length, 'operation')}: bar to the 95th percentile, line at the median, dot at the maximum`;
  return html`<figure class="plot"><svg viewBox="0 0 ${WIDTH} ${latencies.length * ROW}" role="img" aria-label="${label}">${rows}</svg><figcaption>${label}. The scale is logarithmic; the figure beside each row is its 95th percentile.</figcaption></figure>`;
}

/** Operations of one object differ at their ends, so that a long one is cut in the middle. */
function labelOf(operation: string): string {
  if (operation.length <= MAX_LABEL_CHARACTERS) return operation;
  const half = Math.floor((MAX_LABEL_CHARACTERS - 1) / 2);
  return `${operation.slice(0, half)}…${operation.slice(-half)}`;
}

/** A column a stretch of time, stacked: served, refused (4XX), failed (5XX or no response). */
export function requestsPlot(stretches: readonly TimelineSegment[], stretchMs: number): Markup | undefined {
  if (stretches.length === 0) return undefined;
  const totalOf = ({ served, refused, failed }: TimelineSegment): number => served + refused + failed;
  const most = Math.max(1, ...stretches.map(totalOf));
  const width = WIDTH / stretches.length;
  const columns = stretches.map((stretch, at) => {
    let y = TIME_HEIGHT;
    const parts = (['served', 'refused', 'failed'] as const).map((kind) => {
      const height = (stretch[kind] / most) * TIME_HEIGHT;
      y -= height;
      return (
        height > 0 &&
        html`<rect class="${kind}" x="${(at * width).toFixed(1)}" y="${y.toFixed(1)}" width="${Math.max(1, width - 1).toFixed(1)}" height="${height.toFixed(1)}"></rect>`
      );
    });
    return html`<g><title>after ${duration(at * stretchMs)}: ${stretch.served} served, ${stretch.refused} refused, ${stretch.failed} failed</title>${parts}</g>`;
  });
  const label = `Requests in each ${duration(stretchMs)}, ${most} at most: served, refused with 4XX, failed with 5XX or without a response`;
  return html`<figure class="plot"><svg viewBox="0 0 ${WIDTH} ${TIME_HEIGHT}" role="img" aria-label="${label}">${columns}</svg><figcaption><span class="key served"></span>served <span class="key refused"></span>refused (4XX) <span class="key failed"></span>failed (5XX, no response); at most ${most} in ${duration(stretchMs)}, ${duration(stretches.length * stretchMs)} in all.</figcaption></figure>`;
}
