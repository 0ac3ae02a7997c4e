/** `proofmark sweep` cleans up after a crash; Ctrl-C cleans up by itself. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { findBrowser } from '../../cli/common/browser.ts';
import {
  type CommandResult,
  folderFor,
  proofmark,
  resultsIn,
  type StartedMock,
  startMock,
} from '../../cli/common/command.fixture.ts';
import { until } from '../../harness/process/until.ts';
import { randomFrom } from '../../harness/runner/order/shuffle.ts';
import { arrivedCount, CONTROL_ENV, longTimeoutProfile, stateOf } from '../stability/mock-state.fixture.ts';

/** How many times a run is killed, at moments from the seed below. More with PROOFMARK_SOAK. */
const KILLS = process.env.PROOFMARK_SOAK === undefined ? 2 : 30;
const SEED = 20_261_120;
const POLL_MS = 50;
/** Checks without a browser that create, change and restore something of every kind. */
const CHANGING =
  process.env.PROOFMARK_SOAK === undefined
    ? ['delivery.method.*', 'apps.snippet*', 'reseller.settings*', 'reseller.domain*']
    : [
        ...['delivery.batch.*', 'delivery.method.*', 'apps.snippet*', 'apps.data*', 'reseller.settings*'],
        ...['reseller.p*', 'reseller.domain*', 'reseller.website*'],
      ];

/** How many times a run is killed during its browser steps; each time takes almost a minute. */
const BROWSER_KILLS = process.env.PROOFMARK_SOAK === undefined ? 0 : 6;
const IN_BROWSER = ['labels.*', 'install.*', 'apps.delete.*', 'apps.installed.*'];
const WORKERS = [2, 4, 1];

test(`kill -9 at ${KILLS} seeded moments with 1, 2 and 4 workers, also during the sweep: the state of the target is restored`, async (t) => {
  const folder = folderFor(t);
  const mock = await startMock(t, folder, ['--port', '0'], CONTROL_ENV);
  const profile = longTimeoutProfile(mock, folder);
  const before = await stateOf(mock);
  const random = randomFrom(SEED);
  let sweepsKilled = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const workers = String(WORKERS[kill % WORKERS.length]);
    const only = CHANGING.flatMap((glob) => ['--only', glob]);
    const args = ['run', '--target', profile, '--out', join(folder, 'out'), '--workers', workers, ...only];
    const requests = 50 + Math.floor(random() * (KILLS > 2 ? 500 : 200));
    await killedAfter(requests, mock, folder, args);
    if (kill % 2 === 1) {
      const early = await killedAfter(1 + Math.floor(random() * 6), mock, folder, ['sweep', '--target', profile]);
      if (early) sweepsKilled += 1;
    }
    await assertSwept(mock, profile, folder, before, `kill ${kill} after ${requests} requests with ${workers} workers`);
  }
  if (KILLS > 2)
    console.log(
      `kill -9: ${KILLS} runs and ${sweepsKilled} sweeps, nothing left and nothing changed after the last sweep`,
    );
});

test('kill -9 of the command alone also stops what it started, which cleans up and reports', async (t) => {
  const folder = folderFor(t);
  const mock = await startMock(t, folder, ['--port', '0'], CONTROL_ENV);
  const profile = longTimeoutProfile(mock, folder);
  const before = await stateOf(mock);
  const only = CHANGING.flatMap((glob) => ['--only', glob]);
  const args = ['run', '--target', profile, '--out', join(folder, 'out'), '--workers', '2', ...only];
  assert.ok(await killedAfter(100, mock, folder, args, (pid) => process.kill(pid, 'SIGKILL')));
  // The runner goes on for a moment: a sweep waits for it, and leaves its folder alone.
  await assertSwept(mock, profile, folder, before, 'at once');
  const isReported = (): true | undefined => existsSync(join(folder, 'out', 'results.json')) || undefined;
  assert.ok(await until(isReported, REPORTED_WITHIN_MS), 'the runner wrote its reports');
  const { checks } = resultsIn(join(folder, 'out'));
  assert.ok(checks.some(({ reason }) => /^stopped because its command was killed/.test(reason ?? '')));
  assert.deepEqual(await stateOf(mock), before, 'nothing was changed after the sweep');
});

const REPORTED_WITHIN_MS = 60_000;

test(`kill -9 at ${BROWSER_KILLS} seeded moments of the browser steps`, {
  skip:
    BROWSER_KILLS === 0 ? 'with PROOFMARK_SOAK=1' : (await findBrowser()) === undefined && 'there is no browser here',
}, async (t) => {
  const folder = folderFor(t);
  const mock = await startMock(t, folder, ['--port', '0'], CONTROL_ENV);
  const profile = longTimeoutProfile(mock, folder);
  // Orders and their label requests cannot be removed: the platform has no button for it.
  const before = await stateOf(mock, OF_ORDERS);
  const random = randomFrom(SEED);
  for (let kill = 0; kill < BROWSER_KILLS; kill += 1) {
    const only = IN_BROWSER.flatMap((glob) => ['--only', glob]);
    const requests = 60 + Math.floor(random() * 400);
    await killedAfter(requests, mock, folder, ['run', '--target', profile, '--out', join(folder, 'out'), ...only]);
    await assertSwept(mock, profile, folder, before, `browser kill ${kill} after ${requests} requests`, OF_ORDERS);
  }
  console.log(`kill -9: ${BROWSER_KILLS} runs in the midst of their browser steps, nothing left after the sweep`);
});

const OF_ORDERS = /^(orders|labelRequests|dynamicCheckouts|visits)$/;

async function assertSwept(
  mock: StartedMock,
  profile: string,
  folder: string,
  before: unknown,
  when: string,
  without?: RegExp,
): Promise<void> {
  const swept = await proofmark(['sweep', '--target', profile], { cwd: folder });
  assert.equal(swept.code, 0, `${when}: ${swept.stdout}${swept.stderr}`);
  assert.deepEqual(await stateOf(mock, without), before, when);
}

/**
 * Starts a command and kills it, by default with all that it started, when so many requests more have reached the mock; a command that ends
 * before is not killed. The moment is counted in requests, so that it is in the middle of the run on a slow machine too.
 */
async function killedAfter(
  requests: number,
  mock: StartedMock,
  folder: string,
  args: string[],
  kill = killTree,
): Promise<boolean> {
  const until = (await arrivedCount(mock)) + requests;
  let killed = false;
  await new Promise<void>((resolve, reject) => {
    const child = spawn(process.execPath, [join(import.meta.dirname, '../../cli/proofmark.mjs'), ...args], {
      cwd: folder,
      stdio: 'ignore',
      detached: true,
      env: { ...process.env, NODE_TEST_CONTEXT: '' },
    });
    let isOver = false;
    child.on('close', () => {
      isOver = true;
      resolve();
    });
    const watch = async (): Promise<void> => {
      while (!isOver && (await arrivedCount(mock)) < until) await pause(POLL_MS);
      if (isOver) return;
      killed = true;
      kill(child.pid!);
    };
    watch().catch(reject);
  });
  return killed;
}

/** Kills a process and all its descendants at once, as a power failure would. */
function killTree(pid: number): void {
  const children = spawnText('ps', ['-e', '-o', 'pid=,ppid='])
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const all = [pid];
  for (let i = 0; i < all.length; i += 1)
    for (const [child, parent] of children) if (parent === all[i] && child !== undefined) all.push(child);
  for (const one of all) {
    try {
      process.kill(one, 'SIGKILL');
    } catch {
      // It has ended already.
    }
  }
}

const spawnText = (command: string, args: readonly string[]): string =>
  spawnSync(command, [...args], { encoding: 'utf8' }).stdout;

/** The number of requests after which a run is interrupted, while it makes changes. */
const INTERRUPTED_AFTER = 300;

/** Starts a run and sends these signals to it while it makes changes. */
async function interruptedRun(
  mock: StartedMock,
  profile: string,
  folder: string,
  signals: readonly NodeJS.Signals[],
): Promise<CommandResult> {
  return await proofmark(['run', '--target', profile, '--out', join(folder, 'out')], {
    cwd: folder,
    severalWorkers: true,
    onStart: (child) => {
      let isOver = false;
      child.on('close', () => {
        isOver = true;
      });
      const watch = async (): Promise<void> => {
        while (!isOver && (await arrivedCount(mock)) < INTERRUPTED_AFTER) await pause(POLL_MS);
        for (const signal of signals) {
          if (isOver) return;
          child.kill(signal);
          await pause(2 * POLL_MS);
        }
      };
      watch().catch((error: unknown) => assert.fail(String(error)));
    },
  });
}

/** Ids of the orders in the mock. */
async function ordersOn(mock: StartedMock): Promise<string[]> {
  const { orders } = (await stateOf(mock)) as { orders?: Record<string, unknown> };
  return Object.keys(orders ?? {});
}

/** A terminal that closes reports it twice: by the shell and by itself. */
const STOPS = {
  'Ctrl-C': { signals: ['SIGINT'], says: 'stopped with Ctrl-C' },
  'a terminal that closes': { signals: ['SIGHUP', 'SIGHUP'], says: 'stopped by SIGHUP, since the terminal was closed' },
} as const;

for (const [name, { signals, says }] of Object.entries(STOPS))
  test(`${name} cleans up, writes the reports, ends inconclusive, and leaves nothing for a sweep`, async (t) => {
    const folder = folderFor(t);
    const mock = await startMock(t, folder, ['--port', '0'], CONTROL_ENV);
    const profile = longTimeoutProfile(mock, folder);
    const before = await stateOf(mock, OF_ORDERS);
    const ordersBefore = await ordersOn(mock);
    const ran = await interruptedRun(mock, profile, folder, signals);
    assert.equal(ran.code, 3, ran.stdout + ran.stderr);
    assert.ok(ran.stderr.includes(`${says}: letting`), ran.stderr);
    const results = resultsIn(join(folder, 'out'));
    assert.ok((results.counts.pass ?? 0) > 0, 'what was decided is kept');
    assert.ok(
      results.checks.some((check) => check.reason?.startsWith(`${says}: run again`)),
      'the rest says why it is undecided',
    );
    assert.ok(results.ledger.created > 0, 'the run had begun to change the target');
    assert.deepEqual(results.ledger.orphans, []);
    assert.deepEqual(await stateOf(mock, OF_ORDERS), before);
    const placed = (await ordersOn(mock)).filter((uuid) => !ordersBefore.includes(uuid));
    assert.deepEqual(
      [...(results.ledger.orders ?? [])].sort(),
      placed.sort(),
      'every order that the run placed is named',
    );
    const swept = await proofmark(['sweep', '--target', profile], { cwd: folder });
    assert.equal(swept.code, 0, swept.stdout + swept.stderr);
    assert.match(swept.stdout, /Nothing to sweep/);
  });

test('a second Ctrl-C ends the run at once, and what it left is restored or listed for the sweep', async (t) => {
  const folder = folderFor(t);
  const mock = await startMock(t, folder, ['--port', '0'], CONTROL_ENV);
  const profile = longTimeoutProfile(mock, folder);
  const before = await stateOf(mock, OF_ORDERS);
  const ran = await interruptedRun(mock, profile, folder, ['SIGINT', 'SIGINT']);
  assert.equal(ran.code, 3, ran.stdout + ran.stderr);
  const { ledger, checks, counts, requests } = resultsIn(join(folder, 'out'));
  assert.ok((counts.pass ?? 0) > 0, 'what was decided is kept');
  const waiting = checks.filter(({ verdict }) => verdict === 'inconclusive');
  assert.deepEqual([...new Set(waiting.map(({ attribution }) => attribution))], ['configuration']);
  assert.ok(requests > 0);
  const swept = await proofmark(['sweep', '--target', profile], { cwd: folder });
  assert.equal(swept.code, 0, swept.stdout + swept.stderr);
  // The report and the sweep agree: if the report lists nothing, there is nothing to sweep.
  assert.equal(ledger.orphans.length === 0, /Nothing to sweep/.test(swept.stdout), swept.stdout);
  assert.deepEqual(await stateOf(mock, OF_ORDERS), before);
  console.log(
    `double Ctrl-C: created ${ledger.created}, removed ${ledger.removed}, changed ${ledger.changed}, restored ${ledger.restored}, left to the sweep ${ledger.orphans.length}`,
  );
});
