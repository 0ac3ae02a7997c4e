/** Registers the checks of one lane with Playwright: one test a check, all in one worker, in one order. */
import { test as base } from '@playwright/test';
import type { Suite } from '../check/check.ts';
import { jobOf } from './job.ts';
import { shuffled } from './shuffle.ts';
import { Worker } from './worker.ts';

const test = base.extend<object, { worker: Worker }>({
  worker: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright demands a destructured first argument
    async ({}, use, info) => {
      const job = jobOf();
      if (job === undefined) throw new Error('The suites are run by `proofmark run`.');
      const worker = await Worker.start(job, `worker-${info.workerIndex}`);
      await use(worker);
      await worker.close();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

/** A check waits for the target's timeouts, not for the runner's: this only ends what hangs for good. */
const CHECK_TIMEOUT_MS = 10 * 60_000;

export function runLane(suites: readonly Suite[], lane: string): void {
  test.setTimeout(CHECK_TIMEOUT_MS);
  const job = jobOf();
  const selected = new Set(job?.run.selected ?? []);
  const checks = suites
    .filter((suite) => suite.lane === lane)
    .flatMap((suite) =>
      suite.checks.filter((check) => selected.has(check.id)).map((check) => ({ check, suite: suite.name })),
    );
  for (const { check, suite } of shuffled(checks, job?.run.shuffle)) {
    test(`${check.id} ${check.title}`, async ({ worker }) => worker.run(check, suite));
  }
}
