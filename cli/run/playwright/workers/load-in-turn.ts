/**
 * The workers of a run load in turn, as many at a time as there are cores; further ones run at a lower priority. If all loaded at once,
 * none would be ready earlier, and the first one, which has the longest serial group of checks, would be ready as late as the last.
 *
 * `proofmark run` has Node import this before Playwright, which gives a worker its number only after it has loaded. So each takes
 * the next number that is free.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { availableParallelism, constants, getPriority, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { JOB_VARIABLE } from '../../../../harness/runner/job.ts';

/** What a worker calculates before its first check, to load Playwright and the suites. */
const LOADING_MS = 800;

/** What is added to the niceness of the workers beyond the cores: the others go first where several have something to calculate. */
const GIVING_WAY = 5;

/** How long the worker with a number, from 0, waits before it loads, in milliseconds. */
export function waitOf(number: number, cores: number): number {
  return (Math.max(0, number - cores + 1) * LOADING_MS) / cores;
}

/** The next number that no worker of a run has taken: 0 where none can be. */
function takeNumber(folder: string): number {
  for (let number = 0; ; number += 1) {
    try {
      mkdirSync(join(folder, `worker-${number}`));
      return number;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return 0;
    }
  }
}

const { [JOB_VARIABLE]: job } = process.env;
const isWorker = process.send !== undefined && job !== undefined;
// Where the job is there, the others have loaded: this one takes the place of a worker that has ended.
if (isWorker && !existsSync(job)) {
  const number = takeNumber(dirname(job));
  const cores = availableParallelism();
  // More workers than cores wait for a distant target nearly all the time. The end of a run waits for the first one.
  if (number >= cores) setPriority(Math.min(getPriority() + GIVING_WAY, constants.priority.PRIORITY_LOW));
  const wait = waitOf(number, cores);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0, wait);
}
