/** A received request as lines for the console. */
import { oneLine } from '../../../reports/words/text.ts';
import type { LogEntry } from './log.ts';

/** One line a request; below it the hint of a refusal, and what would be judged wrong. */
export function logLine({ exchange, hint, wrong }: LogEntry): string {
  const { request, response, at, durationMs } = exchange;
  const { pathname, search } = new URL(request.url);
  const line = `${at.slice(11, 23)} ${request.method.padEnd(6)} ${oneLine(pathname + search)} ${response?.status ?? 0} ${Math.round(durationMs)} ms`;
  return [
    line,
    ...(hint === undefined ? [] : [`  hint: ${oneLine(hint)}`]),
    ...wrong.map(
      ({ kind, clause, message }) =>
        `  ${kind === 'breaks' ? '\u2715 wrong' : '! lenient'}: ${oneLine(message)} (${clause})`,
    ),
  ].join('\n');
}
