import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { JOB_FILE, JOB_VARIABLE } from '../../../../harness/runner/job.ts';
import { folderFor } from '../../../common/command.fixture.ts';
import { waitOf } from './load-in-turn.ts';

const LOAD_IN_TURN = new URL('load-in-turn.ts', import.meta.url).href;

/** Processes that begin as the workers of a run do, all at the same time. */
async function startWorkers(folder: string, workers: number): Promise<void> {
  const empty = join(folder, 'empty.mjs');
  writeFileSync(empty, 'process.disconnect();');
  const env = { ...process.env, [JOB_VARIABLE]: join(folder, JOB_FILE) };
  const started = Array.from({ length: workers }, () => fork(empty, { execArgv: ['--import', LOAD_IN_TURN], env }));
  const codes = await Promise.all(started.map(async (worker) => (await once(worker, 'exit'))[0] as unknown));
  assert.deepEqual(codes, Array(workers).fill(0));
}
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
