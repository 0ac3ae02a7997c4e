/** Live progress: one changing line on a terminal, a quiet line a suite elsewhere. */

import type { Suite } from '../../harness/check/check.ts';
import type { SpooledEvent } from '../../harness/evidence/events/spool.ts';

export interface Progress {
  seen(event: SpooledEvent): void;
  /** Exchanges that left or arrived so far. */
  requests(): number;
  stop(): void;
}

/** What of a stream it needs. */
export interface ProgressOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const MARKS: Readonly<Record<string, string>> = {
  fail: 'failed',
  error: 'harness errors',
  warn: 'warnings',
  inconclusive: 'inconclusive',
};

export function showProgress(
  suites: readonly Suite[],
  selected: readonly string[],
  out: ProgressOutput = process.stderr,
): Progress {
  const chosen = new Set(selected);
  const total = selected.length;
  const live = out.isTTY === true;
  const waiting = new Map(
    suites.map((suite) => [suite.name, suite.checks.filter((check) => chosen.has(check.id)).length]),
  );
  const verdicts = new Map<string, Map<string, number>>();
  let done = 0;
  let requests = 0;

  const lineOf = (counts: ReadonlyMap<string, number>): string => {
    const parts = Object.entries(MARKS).flatMap(([verdict, word]) => {
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

  return {
    seen(event) {
      if (event.type === 'exchange') requests += 1;
      if (event.type !== 'check') return;
      done += 1;
      const counts = verdicts.get(event.suite) ?? new Map<string, number>();
      counts.set(event.verdict, (counts.get(event.verdict) ?? 0) + 1);
      verdicts.set(event.suite, counts);
      const left = (waiting.get(event.suite) ?? 0) - 1;
      waiting.set(event.suite, left);
      if (live) out.write(`\r\x1b[2K${done}/${total} checks, ${requests} requests${lineOf(allVerdicts())}`);
      else if (left === 0)
        out.write(`${event.suite}: ${[...counts.values()].reduce((a, b) => a + b, 0)} checks${lineOf(counts)}\n`);
    },
    requests: () => requests,
    stop() {
      if (live) out.write('\r\x1b[2K');
    },
  };
}
