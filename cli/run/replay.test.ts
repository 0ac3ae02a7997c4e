/** What was recorded is judged again without a network, check by check, to the same verdicts. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { CheckResult } from '../../contracts/events.ts';
import { type ReadRecording, readRecording, writeRecording } from '../../harness/recording/files.ts';
import { freezeProfile } from '../../harness/recording/frozen-profile.ts';
import { StandIns } from '../../harness/recording/stand-in.ts';
import { markOf, type RunInfo } from '../../harness/run-info.ts';
import { runsInProcess } from '../../harness/runner/in-process.ts';
import type { Job } from '../../harness/runner/job.ts';
import { replayChecks } from '../../harness/runner/replay.ts';
import { profileOf, Worker } from '../../harness/runner/worker.ts';
import { profileOf as mockProfileOf } from '../../mock/profile.ts';
import { serve } from '../../mock/serve.ts';
import { startSecond } from '../../second/service.ts';
import { SUITES } from '../../suites/index.ts';
import { folderFor, formsOf } from '../testing.ts';
import { matchesAny } from './options.ts';
import { deviationsOf } from './target.ts';

const LARGE = process.env.PROOFMARK_SOAK !== undefined;
const ROOT = join(import.meta.dirname, '../..');
/** Checks by suite and id, for the browserless part of a run. */
const ALL = SUITES.flatMap((suite) => suite.checks.map((check) => ({ check, suite: suite.name }))).filter(({ check }) =>
  runsInProcess(check),
);

type Scope = { after(end: () => Promise<void> | void): void };

interface Opened {
  readonly profile: string;
  close(): Promise<void>;
}

async function openMock(kind?: 'fault' | 'variant', ids: readonly string[] = []): Promise<Opened> {
  const served = await serve({ deviations: deviationsOf(kind, ids) }, { port: 0, https: false });
  return { profile: JSON.stringify(mockProfileOf(served.service)), close: () => served.close() };
}

async function openSecond(): Promise<Opened> {
  const { profile, env, close } = await startSecond();
  Object.assign(process.env, env);
  return { profile: JSON.stringify(profile), close };
}

/** Runs checks as a worker does, recorded, ends the target, and gives the verdicts and the folder of the recording. */
async function record(
  t: Scope,
  target: Opened,
  only: readonly string[],
): Promise<{ verdicts: Map<string, string>; folder: string; secrets: string[] }> {
  const privateFolder = folderFor(t);
  const startedAt = new Date().toISOString();
  const chosen = ALL.filter(({ check }) => only.length === 0 || matchesAny(check.id, only));
  const run: RunInfo = {
    run: `11201200${Math.random().toString(16).slice(2, 8)}`,
    seed: 1,
    propertyRuns: 3,
    selected: chosen.map(({ check }) => check.id),
    showPersonalData: false,
    unusable: {},
  };
  const job: Job = {
    run,
    profile: { text: target.profile, folder: ROOT },
    privateFolder,
    spoolFolder: join(privateFolder, 'spool'),
    ledgerFolder: join(privateFolder, 'ledger'),
    recordFolder: join(privateFolder, 'recording'),
    ledger: {
      mark: markOf(run.run),
      proofmark: '0',
      startedAt,
      target: { name: 'test', v1: null, api: null },
      profile: null,
    },
    stopFile: join(privateFolder, 'stop'),
    workers: 1,
  };
  const worker = await Worker.start(job, 'worker-0');
  for (const { check, suite } of chosen) await worker.run(check, suite);
  await worker.close();
  await target.close();
  const folder = join(privateFolder, 'recorded');
  const profile = profileOf(job);
  writeRecording(folder, join(privateFolder, 'recording'), {
    target: { name: 'test', kind: 'mock' },
    startedAt,
    only: [],
    run,
    ...freezeProfile(profile, new StandIns(Buffer.from('key of the test'))),
  });
  const lines = readFileSync(join(privateFolder, 'spool/worker-0.spool'), 'utf8').split('\n').filter(Boolean);
  const results = lines.map((line) => JSON.parse(line) as CheckResult).filter(({ type }) => type === 'check');
  const secrets = profile.secrets().map((secret) => secret.reveal());
  return { verdicts: new Map(results.map(({ id, verdict }) => [id, verdict])), folder, secrets };
}

async function replay(recording: ReadRecording): Promise<Map<string, CheckResult>> {
  const results = new Map<string, CheckResult>();
  await replayChecks(recording, {
    checks: new Map(ALL.map(({ check }) => [check.id, check])),
    wanted: () => true,
    onEvent: (event) => {
      if (event.type === 'check') results.set(event.id, event);
    },
  });
  return results;
}

/** Replays with the target gone, compares verdict by verdict, and looks for secrets in every file. */
async function assertSame(t: Scope, target: Opened, only: readonly string[]): Promise<Map<string, string>> {
  const { verdicts, folder, secrets } = await record(t, target, only);
  const replayed = await replay(readRecording(folder));
  const differing = [...verdicts].flatMap(([id, verdict]) => {
    const again = replayed.get(id);
    return again?.verdict === verdict ? [] : [`${id}: ${verdict}, then ${again?.verdict} (${again?.reason})`];
  });
  assert.deepEqual(differing, []);
  for (const file of globSync('**/*.*', { cwd: folder })) {
    const text = readFileSync(join(folder, file), 'utf8');
    for (const secret of secrets.filter(({ length }) => length >= 8)) {
      for (const form of formsOf(secret)) assert.ok(!text.includes(form), `${file} holds a secret`);
    }
  }
  return verdicts;
}

const SOME = LARGE ? [] : ['delivery.settings*', 'delivery.credentials*', 'apps.*', 'reseller.*', 'properties.apps*'];

test('the mock: every check that needs no browser comes to its verdict again', async (t) => {
  const verdicts = await assertSame(t, await openMock(), SOME);
  assert.ok([...verdicts.values()].filter((verdict) => verdict === 'pass').length > 80);
});

test('the second service, and a variant', async (t) => {
  await assertSame(t, await openSecond(), LARGE ? [] : ['reseller.*', 'delivery.method.*', 'apps.data*']);
  await assertSame(
    t,
    await openMock('variant', ['throttle.now-and-then', 'links.rooted', 'resources.wrapped', 'reseller.one-session']),
    LARGE ? [] : ['delivery.lists.*'],
  );
});
