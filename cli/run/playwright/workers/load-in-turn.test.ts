import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, getPriority } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { JOB_FILE, JOB_VARIABLE } from '../../../../harness/runner/job.ts';
import { folderFor } from '../../../common/command.fixture.ts';
import { waitOf } from './load-in-turn.ts';

const LOAD_IN_TURN = new URL('load-in-turn.ts', import.meta.url).href;

const PRIORITIES = 'priorities.txt';

/** Processes that begin as the workers of a run do, all at the same time. */
async function startWorkers(folder: string, workers: number): Promise<void> {
  const empty = join(folder, 'empty.mjs');
  const note = "import { appendFileSync } from 'node:fs'; import { getPriority } from 'node:os';";
  writeFileSync(
    empty,
    `${note} appendFileSync(${JSON.stringify(join(folder, PRIORITIES))}, getPriority() + ' '); process.disconnect();`,
  );
  const env = { ...process.env, [JOB_VARIABLE]: join(folder, JOB_FILE) };
  const started = Array.from({ length: workers }, () => fork(empty, { execArgv: ['--import', LOAD_IN_TURN], env }));
  const codes = await Promise.all(started.map(async (worker) => (await once(worker, 'exit'))[0] as unknown));
  assert.deepEqual(codes, Array(workers).fill(0));
}
const prioritiesIn = (folder: string): number[] =>
  readFileSync(join(folder, PRIORITIES), 'utf8').trim().split(' ').map(Number);
const numbersIn = (folder: string): string[] => readdirSync(folder).filter((name) => name.startsWith('worker-'));

test('as many workers load at a time as there are cores, and the others after them', () => {
  const waits = (cores: number) => [0, 1, 2, 7].map((number) => waitOf(number, cores));
  assert.deepEqual(waits(1), [0, 800, 1600, 5600]);
  assert.deepEqual(waits(2), [0, 0, 400, 2400]);
  assert.deepEqual(waits(8), [0, 0, 0, 0]);
});

test('each worker of a run takes another number, until the run has its job', async (t) => {
  const folder = folderFor(t);
  await startWorkers(folder, 3);
  assert.deepEqual(numbersIn(folder).toSorted(), ['worker-0', 'worker-1', 'worker-2']);
  writeFileSync(join(folder, JOB_FILE), '{}');
  await startWorkers(folder, 1);
  assert.equal(numbersIn(folder).length, 3);
});

test('the workers beyond the cores give way to the others', async (t) => {
  const folder = folderFor(t);
  for (let number = 1; number < availableParallelism(); number += 1) mkdirSync(join(folder, `worker-${number}`));
  await startWorkers(folder, 2);
  const usual = getPriority();
  assert.deepEqual(
    prioritiesIn(folder).toSorted((one, other) => one - other),
    [usual, Math.min(usual + 5, 19)],
  );
});
