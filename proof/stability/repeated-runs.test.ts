/** The verdicts do not depend on the order of checks, on the number of workers, or on the load of the machine. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { findBrowser } from '../../cli/common/browser.ts';
import { folderFor, proofmark, resultsIn } from '../../cli/common/command.fixture.ts';
import { CHECKS } from '../../suites/index.ts';

const SOAK = process.env.PROOFMARK_SOAK !== undefined;
const number = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);
/** The number of runs without a browser. Runs with a browser are fewer, because each takes a minute. */
const RUNS = SOAK ? number('PROOFMARK_SOAK_RUNS', 200) : 2;
const BROWSER_RUNS = SOAK ? number('PROOFMARK_SOAK_BROWSER_RUNS', 20) : 0;
const WORKERS = [4, 1, 2];
/** The seed of the first order; another series uses another one (`PROOFMARK_SOAK_SEED`). */
const SEED = number('PROOFMARK_SOAK_SEED', 4_711);
/** The long run takes most of an hour, so it prints its progress. */
const PROGRESS_EVERY = 20;
/** In `npm test`: a few of each serial group. */
const SOME = ['apps.snippet*', 'reseller.settings*'];

const browser = await findBrowser();

/** Keeps one core busy until the test ends. */
function busy(t: { after(end: () => void): void }): void {
  const child = spawn(
    process.execPath,
    [
      '-e',
      'process.stdin.on("close", () => process.exit()).resume(); (function work() { const until = Date.now() + 50; while (Date.now() < until); setImmediate(work); })()',
    ],
    {
      stdio: ['pipe', 'ignore', 'ignore'],
    },
  );
  t.after(() => void child.kill('SIGKILL'));
}

type Scope = Parameters<typeof folderFor>[0];

/** Runs this many times with 4, 1 and 2 workers in turn, each time shuffled, and compares every verdict with the first run. */
async function assertSteady(
  t: Scope,
  runs: number,
  only: readonly string[],
  env: Record<string, string>,
): Promise<number> {
  const folder = folderFor(t);
  let expected: Map<string, string> | undefined;
  for (let at = 0; at < runs; at += 1) {
    const workers = String(WORKERS[at % WORKERS.length]);
    const args = ['--workers', workers, '--shuffle', String(SEED + at), '--out', join(folder, 'out')];
    const ran = await proofmark(['run', ...args, ...only.flatMap((glob) => ['--only', glob])], { env, cwd: folder });
    assert.ok(ran.code === 0 || ran.code === 3, `run ${at}: ${ran.stdout}${ran.stderr}`);
    const { checks } = resultsIn(join(folder, 'out'));
    const verdicts = new Map(checks.map(({ id, verdict }) => [id, verdict]));
    expected ??= verdicts;
    const differing = checks.flatMap(({ id, verdict, reason }) =>
      verdict === expected?.get(id) ? [] : [`${id}: ${expected?.get(id)}, then ${verdict} (${reason})`],
    );
    assert.deepEqual(differing, [], `run ${at} with ${workers} workers, --shuffle ${SEED + at}`);
    assert.equal(verdicts.size, expected.size);
    if (SOAK && (at + 1) % PROGRESS_EVERY === 0) console.log(`${at + 1} of ${runs} runs alike so far`);
  }
  return expected?.size ?? 0;
}

test(`${RUNS} shuffled runs with 1, 2 and 4 workers${SOAK ? ' beside a busy process' : ''}: all verdicts are the same`, async (t) => {
  if (SOAK) busy(t);
  const checks = await assertSteady(t, RUNS, SOAK ? [] : SOME, { PROOFMARK_BROWSER: 'none' });
  assert.ok(checks > 10);
  if (SOAK)
    console.log(
      `${RUNS} shuffled runs of ${checks} checks with 1, 2 and 4 workers beside a busy process: no verdict differed`,
    );
});

test(`${BROWSER_RUNS} whole runs with a browser: all verdicts are the same`, {
  skip: BROWSER_RUNS === 0 ? 'with PROOFMARK_SOAK=1' : browser === undefined && 'there is no browser here',
}, async (t) => {
  const checks = await assertSteady(t, BROWSER_RUNS, [], {});
  assert.equal(checks, CHECKS.length);
  console.log(`${BROWSER_RUNS} whole shuffled runs of ${checks} checks with a browser: no verdict differed`);
});
