/** What a crash leaves is put right by `proofmark sweep`; Ctrl-C cleans up by itself. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { randomFrom } from '../harness/runner/shuffle.ts';
import { folderFor, proofmark, resultsIn, type StartedMock, startMock } from './testing.ts';

const TOKEN = 'control-token-of-this-test';
const CONTROL = { headers: { 'x-proofmark-control': TOKEN } };
/** Moments of the kill, from the seed below. More of them with PROOFMARK_SOAK. */
const KILLS = process.env.PROOFMARK_SOAK === undefined ? 2 : 30;
const SEED = 20_261_120;
/** Checks that make, change and put back something of every kind, without a browser. */
const CHANGING = [
  'delivery.batch.*',
  'delivery.method.*',
  'apps.snippet*',
  'apps.data*',
  'reseller.settings*',
  'reseller.p*',
  'reseller.domain*',
  'reseller.website*',
];

/**
 * The state of the mock, without what a call may change in passing (when something was last touched, how many were made, links issued). The interface has
 * no call that takes a snippet or data away, so an empty one stands for one that was never set.
 */
async function stateOf(mock: StartedMock): Promise<unknown> {
  const state = await (await fetch(`${mock.origin}/_control/state`, CONTROL)).json();
  return JSON.parse(JSON.stringify(state), function (this: Record<string, unknown>, key, value) {
    if (/modified|accessed|^counters$|^loginLinks$/i.test(key)) return undefined;
    if (key === 'data' && value === '' && 'authCode' in this) return undefined;
    return key === 'snippets' ? Object.fromEntries(Object.entries(value).filter(([, text]) => text !== '')) : value;
  });
}

const arrivedCount = async (mock: StartedMock): Promise<number> =>
  ((await (await fetch(`${mock.origin}/_control/arrived`, CONTROL)).json()) as unknown[]).length;

test(`kill -9 at ${KILLS} seeded moments, then sweep: the target holds what it held`, async (t) => {
  const folder = folderFor(t);
  const mock = await startMock(t, folder, ['--port', '0'], { PROOFMARK_CONTROL_TOKEN: TOKEN });
  const before = await stateOf(mock);
  const random = randomFrom(SEED);
  for (let kill = 0; kill < KILLS; kill += 1) {
    // Counted in requests, so that a slow machine kills in the middle of a run all the same.
    const after = (await arrivedCount(mock)) + 50 + Math.floor(random() * 500);
    const only = CHANGING.flatMap((glob) => ['--only', glob]);
    const ended = new Promise<void>((resolve) => {
      const child = spawn(
        process.execPath,
        [
          join(import.meta.dirname, 'proofmark.mjs'),
          'run',
          '--target',
          mock.profile,
          '--out',
          join(folder, 'out'),
          ...only,
        ],
        {
          cwd: folder,
          stdio: 'ignore',
          detached: true,
          env: { ...process.env, NODE_TEST_CONTEXT: '' },
        },
      );
      child.on('close', () => resolve());
      const watch = setInterval(async () => {
        if ((await arrivedCount(mock)) < after) return;
        clearInterval(watch);
        killTree(child.pid!);
      }, 20);
      child.on('close', () => clearInterval(watch));
    });
    await ended;
    const swept = await proofmark(['sweep', '--target', mock.profile], { cwd: folder });
    assert.equal(swept.code, 0, `kill ${kill}: ${swept.stdout}${swept.stderr}`);
    assert.deepEqual(await stateOf(mock), before, `kill ${kill} after ${after} requests`);
  }
});

/** Kills a process and all that it started, children first found, as a machine that loses power would. */
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

test('Ctrl-C cleans up, writes what is known, and ends inconclusive', async (t) => {
  const folder = folderFor(t);
  const mock = await startMock(t, folder, ['--port', '0'], { PROOFMARK_CONTROL_TOKEN: TOKEN });
  const before = await stateOf(mock);
  const ran = await proofmark(['run', '--target', mock.profile, '--out', join(folder, 'out')], {
    cwd: folder,
    onStart: (child) => {
      let pressed = false;
      const watch = setInterval(async () => {
        // Once only: a second Ctrl-C ends a run at once, and leaves the rest to a sweep.
        if ((await arrivedCount(mock)) < 300 || pressed) return;
        pressed = true;
        clearInterval(watch);
        child.kill('SIGINT');
      }, 20);
      child.on('close', () => clearInterval(watch));
    },
  });
  assert.equal(ran.code, 3, ran.stdout + ran.stderr);
  assert.match(ran.stderr, /interrupted/);
  const results = resultsIn(join(folder, 'out'));
  assert.ok((results.counts.pass ?? 0) > 0, 'what was decided is kept');
  assert.ok(
    results.checks.some((check) => /interrupted/.test(check.reason ?? '')),
    'the rest says why it is undecided',
  );
  assert.deepEqual(await stateOf(mock), before);
});
