/** `npm run bench`: where the time goes. Machines are shared and noisy, so things are compared within one run. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clientCost } from './client.ts';
import { judgeCost } from './judge.ts';
import { portionCost } from './portions.ts';
import { reportCosts } from './report.ts';

const PROOFMARK = join(import.meta.dirname, '../cli/proofmark.mjs');

interface Timed {
  readonly seconds: number;
  readonly exitCode: number | null;
  readonly requests: number;
  readonly timings: Record<string, number>;
  readonly suites: Record<string, number>;
}

/** One whole run on the mock, by the clock of the shell. */
function timedRun(env: Record<string, string>): Timed {
  const out = mkdtempSync(join(tmpdir(), 'proofmark-bench-'));
  const started = performance.now();
  const done = spawnSync(process.execPath, [PROOFMARK, 'run', '--out', out], { env: { ...process.env, ...env } });
  const seconds = (performance.now() - started) / 1000;
  const results = JSON.parse(readFileSync(join(out, 'results.json'), 'utf8'));
  const suites: Record<string, number> = {};
  for (const check of results.checks) {
    const name = String(check.id).split('.')[0]!;
    suites[name] = (suites[name] ?? 0) + check.durationMs;
  }
  rmSync(out, { recursive: true, force: true });
  return { seconds, exitCode: done.status, requests: results.requests, timings: results.timings, suites };
}

const line = (name: string, text: string): void => console.log(`${name.padEnd(44)}${text}`);

for (const [name, env] of [
  ['whole run on the mock', {}],
  ['the same without a browser', { PROOFMARK_BROWSER: 'none' }],
] as const) {
  const run = timedRun(env);
  line(name, `${run.seconds.toFixed(1)} s, ${run.requests} requests, exit ${run.exitCode}`);
  line(
    '  of it',
    Object.entries(run.timings)
      .map(([part, ms]) => `${part} ${ms} ms`)
      .join(', '),
  );
  line(
    '  time in checks',
    Object.entries(run.suites)
      .map(([part, ms]) => `${part} ${Math.round(ms)} ms`)
      .join(', '),
  );
}
const client = await clientCost();
line(
  'a request, recorded and redacted',
  `${client.ours} us; bare undici ${client.undici} us (x ${(client.ours / client.undici).toFixed(1)}); Playwright's ${client.playwright} us (x ${(client.ours / client.playwright).toFixed(2)})`,
);
for (const stored of [false, true]) {
  const cost = await portionCost(stored);
  line(
    `a portion of 100,000 points, ${stored ? 'in SQLite' : 'in memory'}`,
    `first hundred ${cost.firstMs.toFixed(2)} ms, last hundred ${cost.lastMs.toFixed(2)} ms: x ${cost.ratio.toFixed(2)} over ${cost.portions} portions`,
  );
}
for (const cost of await judgeCost()) {
  line(
    `judging ${cost.exchanges} recorded exchanges`,
    `${cost.seconds.toFixed(1)} s for ${cost.megabytes.toFixed(0)} MB, at most ${cost.heapMiB.toFixed(0)} MiB of heap`,
  );
}
for (const cost of await reportCosts([100, 1000, 10_000])) {
  const opened =
    cost.openMs === undefined
      ? 'no browser'
      : `opened in ${cost.openMs} ms, an exchange unpacked in ${cost.unpackMs} ms`;
  line(`a report of ${cost.exchanges} exchanges`, `${cost.kilobytes} kB, made in ${cost.renderMs} ms, ${opened}`);
}
