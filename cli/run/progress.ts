/** Live progress: one changing line on a terminal, a quiet line a suite elsewhere. */

import type { Suite } from '../../harness/check/check.ts';
import type { SpooledEvent } from '../../harness/evidence/events/spool.ts';

import { count, duration } from '../../reports/words/text.ts';

export interface Progress {
  seen(event: SpooledEvent): void;
  /** Exchanges that left or arrived so far. */
  requests(): number;
  stop(): void;
}

/** What of a stream it needs. */
export interface ProgressOutput {
  readonly isTTY?: boolean;
  /** Width of the terminal: a line that wraps can't be replaced. */
  readonly columns?: number;
  write(text: string): unknown;
}

const MARKS: Readonly<Record<string, string>> = {
  fail: 'failed',
  error: 'harness errors',
  warn: 'warnings',
  inconclusive: 'inconclusive',
};

/** On a terminal what is well, too, after what is not: a narrow one cuts the end off. */
const LIVE_MARKS: Readonly<Record<string, string>> = {
  ...MARKS,
  pass: 'passed',
  observed: 'observed',
  'not-applicable': 'not applicable',
};

const DEFAULT_COLUMNS = 80;
/** Before this share of the checks the pace says little. */
const MIN_SHARE = 0.05;

/** The time that the rest takes at the pace so far; empty while that is not known. */
function timeLeft(elapsedMs: number, done: number, total: number): string {
  if (done === 0 || done === total || done / total < MIN_SHARE) return '';
  return `, ${duration(Math.ceil(((elapsedMs / done) * (total - done)) / 1000) * 1000)} left`;
}

/** On a terminal one line: done of total, time left, requests, verdicts so far and the check of the last request. */
export function showProgress(
  suites: readonly Suite[],
  selected: readonly string[],
  out: ProgressOutput = process.stderr,
  now: () => number = Date.now,
): Progress {
  const chosen = new Set(selected);
  const total = selected.length;
  const live = out.isTTY === true;
  const waiting = new Map(
    suites.map((suite) => [suite.name, suite.checks.filter((check) => chosen.has(check.id)).length]),
  );
  const verdicts = new Map<string, Map<string, number>>();
  const startedAt = now();
  let current = '';
  let done = 0;
  let requests = 0;

  const lineOf = (counts: ReadonlyMap<string, number>, marks = MARKS): string => {
    const parts = Object.entries(marks).flatMap(([verdict, word]) => {
      const count = counts.get(verdict) ?? 0;
      return count === 0 ? [] : [`${count} ${word}`];
    });
    return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
  };
  const allVerdicts = (): Map<string, number> => {
    const sum = new Map<string, number>();
    for (const counts of verdicts.values())
      for (const [verdict, n] of counts) sum.set(verdict, (sum.get(verdict) ?? 0) + n);
    return sum;
  };

  const show = (): void => {
    const line = `${done}/${total} checks${timeLeft(now() - startedAt, done, total)}, ${count(requests, 'request')}${lineOf(allVerdicts(), LIVE_MARKS)}${current === '' ? '' : ` ${current}`}`;
    // A terminal that does not know its width says 0.
    out.write(`\r\x1b[2K${line.slice(0, Math.max(20, (out.columns || DEFAULT_COLUMNS) - 1))}`);
  };

  return {
    seen(event) {
      if (event.type === 'exchange') {
        requests += 1;
        const isNew = event.check !== current;
        current = event.check;
        if (live && isNew) show();
      }
      if (event.type !== 'check') return;
      done += 1;
      const counts = verdicts.get(event.suite) ?? new Map<string, number>();
      counts.set(event.verdict, (counts.get(event.verdict) ?? 0) + 1);
      verdicts.set(event.suite, counts);
      const left = (waiting.get(event.suite) ?? 0) - 1;
      waiting.set(event.suite, left);
      if (live) show();
      else if (left === 0)
        out.write(
          `${event.suite}: ${count(
            [...counts.values()].reduce((a, b) => a + b, 0),
            'check',
          )}${lineOf(counts)}\n`,
        );
    },
    requests: () => requests,
    stop() {
      if (live) out.write('\r\x1b[2K');
    },
  };
}
