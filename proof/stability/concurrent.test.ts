/** Two runs at the same time: on one target they do not blame each other's changes; only one may write into a folder. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type CommandResult, folderFor, proofmark, resultsIn, startMock } from '../../cli/common/command.fixture.ts';
import type { Results } from '../../reports/results/index.ts';
import { arrivedCount, CONTROL_ENV, longTimeoutProfile, stateOf } from './mock-state.fixture.ts';

/** How many times two whole runs start together, with PROOFMARK_SOAK. */
const TIMES = process.env.PROOFMARK_SOAK === undefined ? 0 : 5;
const POLL_MS = 20;
/** Checks of every kind: with their own methods, and with singletons. */
const ONLY = ['delivery.batch.*', 'apps.data*', 'reseller.settings*'];
const SCOPE = ['--workers', '1', ...ONLY.flatMap((glob) => ['--only', glob])];

const bad = ({ checks }: Results): string[] =>
  checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'error').map(({ id, reason }) => `${id}: ${reason}`);

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(POLL_MS);
}

test('a second run names the run that holds a singleton, decides the rest, and neither run fails', async (t) => {
  const folder = folderFor(t);
  const mock = await startMock(t, folder, ['--port', '0'], CONTROL_ENV);
  const profile = longTimeoutProfile(mock, folder);
  const before = await stateOf(mock);
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  const claimFile = join(first, '.proofmark-run');
  const running = proofmark(['run', '--target', profile, '--out', first, ...SCOPE], {
    cwd: folder,
  });
  await until(async () => existsSync(claimFile) && (await arrivedCount(mock)) > 20);
  const { pid } = JSON.parse(readFileSync(claimFile, 'utf8')) as { pid: number };
  // Its workers continue; it must not end and release its singletons before the other run is over.
  process.kill(pid, 'SIGSTOP');
  let other: CommandResult;
  let intruder: CommandResult;
  try {
    intruder = await proofmark(['run', '--target', profile, '--out', first, '--only', 'delivery.settings*'], {
      cwd: folder,
    });
    other = await proofmark(['run', '--target', profile, '--out', second, ...SCOPE], {
      cwd: folderFor(t),
    });
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  const ran = await running;

  assert.equal(intruder.code, 2, intruder.stdout + intruder.stderr);
  assert.match(intruder.stderr, new RegExp(`Another run \\(process ${pid} on \\S+\\) is writing into .*--out`));
  assert.equal(ran.code, 0, ran.stdout + ran.stderr);
  assert.equal(other.code, 3, other.stdout + other.stderr);
  assert.deepEqual([...bad(resultsIn(first)), ...bad(resultsIn(second))], []);
  for (const { id, verdict, reason } of resultsIn(second).checks) {
    // Checks that only read an installation do no harm.
    const isOnce = /^(apps|reseller)\./.test(id) && verdict !== 'observed';
    assert.equal(verdict === 'inconclusive', isOnce, `${id}: ${verdict} ${reason}`);
    if (isOnce) assert.match(reason ?? '', new RegExp(`run \\w+ \\(process ${pid} on .* uses .* wait until it ends`));
  }
  assert.equal(existsSync(claimFile), false, 'the folder is free again');
  assert.deepEqual(await stateOf(mock), before, 'the target holds what it held');
});

test(`two whole runs at once, ${TIMES} times`, { skip: TIMES === 0 && 'with PROOFMARK_SOAK=1' }, async (t) => {
  const folder = folderFor(t);
  const mock = await startMock(t, folder, ['--port', '0'], CONTROL_ENV);
  const profile = longTimeoutProfile(mock, folder);
  const before = await stateOf(mock);
  for (let time = 1; time <= TIMES; time += 1) {
    const outs = [1, 2].map((n) => join(folder, `run-${time}-${n}`));
    await Promise.all(outs.map((out) => proofmark(['run', '--target', profile, '--out', out], { cwd: folder })));
    for (const out of outs) assert.deepEqual(bad(resultsIn(out)), [], out);
    assert.deepEqual(await stateOf(mock), before);
  }
  console.log(`two runs at once on one target: ${TIMES} times, no check failed and the target was as before`);
});
