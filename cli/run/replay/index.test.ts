/** What was recorded is judged again without a network, check by check, to the same verdicts. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { CheckResult } from '../../../contracts/run/events.ts';
import { matchesAny } from '../../../contracts/run/glob.ts';
import { type ReadRecording, readRecording, writeRecording } from '../../../harness/recording/files.ts';
import type { RecordingLine } from '../../../harness/recording/format.ts';
import { recordProfile } from '../../../harness/recording/recorded-profile.ts';
import { StandIns } from '../../../harness/recording/stand-in.ts';
import { markOf, type RunInfo } from '../../../harness/resources/run-info.ts';
import { runsInProcess } from '../../../harness/runner/in-process.ts';
import type { Job } from '../../../harness/runner/job.ts';
import { replayChecks } from '../../../harness/runner/replay.ts';
import { profileOf, Worker } from '../../../harness/runner/worker.ts';
import { serve } from '../../../mock/http/serve.ts';
import { profileOf as mockProfileOf } from '../../../mock/profile.ts';
import { filesBelow, leaksIn, placesOf } from '../../../proof/canaries/canary.ts';
import { startIndependentService } from '../../../proof/independent/service.ts';
import { CHECKS, SUITES } from '../../../suites/index.ts';
import { folderFor, proofmark, resultsIn } from '../../common/command.fixture.ts';
import { runOptionsOf } from '../options.ts';
import { deviationsOf } from '../target/target.ts';

const LARGE = process.env.PROOFMARK_SOAK !== undefined;
const ROOT = join(import.meta.dirname, '../../..');
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
  const { profile, env, close } = await startIndependentService();
  Object.assign(process.env, env);
  return { profile: JSON.stringify(profile), close };
}

/** Runs checks as a worker does, recorded, ends the target, and gives the verdicts and the folder of the recording. */
async function record(
  t: Scope,
  target: Opened,
  only: readonly string[],
  takesTurns = false,
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
  };
  const worker = await Worker.start(job, 'worker-0');
  for (const [at, { check, suite }] of chosen.entries()) {
    // As if another worker had found that the owner can have only few methods.
    if (takesTurns && at === 1) writeFileSync(join(privateFolder, 'few-methods'), String(Date.now()));
    await worker.run(check, suite, CHECKS);
  }
  await worker.close();
  await target.close();
  const folder = join(privateFolder, 'recorded');
  const profile = profileOf(job);
  writeRecording(folder, join(privateFolder, 'recording'), {
    target: { name: 'test', kind: 'mock' },
    startedAt,
    only: [],
    run,
    ...recordProfile(profile, new StandIns(Buffer.from('key of the test'))),
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
async function assertSame(
  t: Scope,
  target: Opened,
  only: readonly string[],
  takesTurns = false,
): Promise<Map<string, string>> {
  const { verdicts, folder, secrets } = await record(t, target, only, takesTurns);
  const replayed = await replay(readRecording(folder));
  const differing = [...verdicts].flatMap(([id, verdict]) => {
    const again = replayed.get(id);
    return again?.verdict === verdict ? [] : [`${id}: ${verdict}, then ${again?.verdict} (${again?.reason})`];
  });
  assert.deepEqual(differing, []);
  const places = placesOf(filesBelow(folder));
  assert.ok(places.size > 0);
  const long = secrets.filter(({ length }) => length >= 8);
  assert.deepEqual(leaksIn(places, long), []);
  return verdicts;
}

/** In `npm test`: whatever sends a secret, receives one, or opens pages. */
const SOME = LARGE
  ? []
  : [
      ...['delivery.settings*', 'delivery.credentials*', 'apps.snippet*', 'reseller.authorize*', 'reseller.token*'],
      ...['reseller.password*', 'reseller.login*', 'properties.apps*'],
    ];

test('the mock: every check that needs no browser reaches its verdict again', async (t) => {
  const verdicts = await assertSame(t, await openMock(), SOME);
  assert.ok([...verdicts.values()].filter((verdict) => verdict === 'pass').length > 40);
});

test('the second service, and a variant', async (t) => {
  await assertSame(t, await openSecond(), LARGE ? [] : ['reseller.authorize*', 'reseller.login*', 'apps.data*']);
  await assertSame(
    t,
    await openMock('variant', ['throttle.occasional', 'links.rooted', 'resources.wrapped', 'reseller.one-session']),
    LARGE ? [] : ['delivery.lists.*', 'reseller.authorize*'],
  );
});

test('a faulty service is found again by the same checks', async (t) => {
  for (const [fault, only] of [
    ['owners.any-points-replaced', ['delivery.owner.*']],
    ['reseller.token-truncated', ['reseller.token.*']],
  ] as const) {
    const verdicts = await assertSame(t, await openMock('fault', [fault]), LARGE ? [] : only);
    assert.ok([...verdicts.values()].includes('fail'), `${fault}: nothing failed`);
  }
});

test('turns that workers took with delivery methods are replayed', async (t) => {
  const verdicts = await assertSame(t, await openMock(), ['delivery.point.delete*', 'delivery.handles.*'], true);
  assert.ok(verdicts.size > 5);
});

test('a clean-up that differs from the recorded one changes no verdict', async (t) => {
  const { verdicts, folder } = await record(t, await openMock(), ['delivery.point.delete*', 'delivery.handles.*']);
  const { workers, ...recording } = readRecording(folder);
  // The worker's last section is what it did when it ended what the checks share.
  const withoutCleanUp = (lines: readonly RecordingLine[]): RecordingLine[] => {
    const at = lines.findLastIndex((line) => line.type === 'start' && line.check === '');
    const kept = lines.filter((line, index) => index < at || line.type !== 'exchange');
    assert.ok(at > 0 && kept.length < lines.length);
    return kept;
  };
  const changed = workers.map(withoutCleanUp);
  const replayed = await replay({ ...recording, workers: changed });
  assert.deepEqual(new Map([...replayed].map(([id, { verdict }]) => [id, verdict])), verdicts);
});

test('a target that is not there stays so, in the same words', async (t) => {
  const target = await openMock();
  await target.close();
  const { verdicts, folder } = await record(t, { ...target, close: async () => undefined }, ['delivery.batch.*']);
  assert.deepEqual([...new Set(verdicts.values())], ['inconclusive']);
  for (const { verdict, attribution, reason } of (await replay(readRecording(folder))).values()) {
    assert.deepEqual([verdict, attribution], ['inconclusive', 'network']);
    assert.match(reason ?? '', /Nothing listens at 127\.0\.0\.1:\d+ \(connection refused\)/);
  }
});

test('a recording that was changed or cut off is refused, or an error; it passes nothing', async (t) => {
  const { folder } = await record(t, await openMock(), ['reseller.settings.set-applies']);
  const worker = join(folder, 'worker-0.ndjson');
  const header = join(folder, 'recording.json');
  const [lines, head] = [readFileSync(worker, 'utf8'), readFileSync(header, 'utf8')];
  const refused = (file: string, text: string, why: RegExp): void => {
    writeFileSync(file, text);
    assert.throws(() => readRecording(folder), { name: 'UsageError', message: why });
    writeFileSync(worker, lines);
    writeFileSync(header, head);
  };
  refused(
    worker,
    lines.slice(0, -40),
    /worker-0\.ndjson differs from the recording \(it has \d+ lines of \d+\): it was changed or truncated/,
  );
  refused(worker, lines.replace('"status":200', '"status":201'), /differs from the recording: it was changed/);
  refused(header, head.slice(0, 300), /is not whole: copy the whole folder/);
  refused(header, head.replace('"seed": 1', '"seed": 2'), /differs from the recording/);
  refused(
    header,
    head.replace('"format": 1', '"format": 7'),
    /has the format 7; this Proofmark reads format 1\. Record again/,
  );
  refused(
    header,
    resealed(head, (plain) => ({ ...plain, checks: '0'.repeat(64) })),
    /made by other checks .*Replay it with the version/,
  );

  // Changed by an author who corrects the digests: still no verdict about the target.
  const only = async (change: (text: string) => string): Promise<CheckResult> => {
    const changed = change(lines);
    assert.notEqual(changed, lines);
    writeFileSync(worker, changed);
    const sha256 = createHash('sha256').update(changed).digest('hex');
    const of = (plain: Header) => ({ ...plain, workers: plain.workers.map((one) => ({ ...one, sha256 })) });
    writeFileSync(header, resealed(head, of));
    const [result] = (await replay(readRecording(folder))).values();
    return result!;
  };
  const unchanged = (await replay(readRecording(folder))).get('reseller.settings.set-applies');
  assert.equal(unchanged?.verdict, 'pass');
  const without = await only((text) => text.replace(/\n\{"type":"exchange"[^\n]*settings\/set\/[^\n]*/, ''));
  assert.equal(without.verdict, 'error');
  assert.match(without.reason ?? '', /the recording does not contain the request POST http:\S+\/api\/settings\/set\//);
  // What was set is not what is shown.
  const other = await only((text) =>
    text.replaceAll(/"body":\{"text":[^\n]*/g, (body) => body.replaceAll('pm-1120', 'pm-9999')),
  );
  assert.equal(other.verdict, 'error', other.reason);
  const worse = await only((text) => text.replace('"verdict":"pass"', '"verdict":"fail"'));
  assert.equal(worse.verdict, 'error');
  assert.match(worse.reason ?? '', /in the replay the result was "pass" .*, in the recording "fail"/);
  const more = await only((text) => text.replace(/(\{"type":"exchange"[^\n]*\n)/, '$1$1'));
  assert.match(
    `${more.verdict}: ${more.reason}`,
    /^error: the recording contains the request .* which the check did not send/,
  );
});

test('run --record and run --replay, as a user has them', async (t) => {
  const cwd = folderFor(t);
  const folder = join(cwd, 'recorded');
  const scope = ['--only', 'reseller.balance*', '--only', 'labels.button.*'];
  const ran = await proofmark(['run', '--workers', '1', '--record', 'recorded', '--out', 'first', ...scope], {
    cwd,
    env: { PROOFMARK_BROWSER: 'none' },
  });
  assert.equal(ran.code, 3, ran.stdout + ran.stderr);
  assert.match(ran.stdout, /Recording: recorded/);
  const again = await proofmark(['run', '--replay', 'recorded', '--out', 'second'], { cwd });
  assert.equal(again.code, 3, again.stdout + again.stderr);
  assert.match(again.stdout, /This is a replay of the run \w+ on mock, recorded .*: no request left this machine/);
  assert.equal(resultsIn(join(cwd, 'second')).onlyPattern, 'reseller.balance* labels.button.*');
  const narrowed = ['--interface', 'reseller', '--only', 'reseller.balance*'];
  await proofmark(['run', '--replay', 'recorded', '--out', 'narrowed', ...narrowed], { cwd });
  assert.equal(resultsIn(join(cwd, 'narrowed')).onlyPattern, '--only reseller.balance* --interface reseller');
  const verdicts = (out: string) => resultsIn(join(cwd, out)).checks.map(({ id, verdict }) => `${id} ${verdict}`);
  assert.deepEqual(verdicts('second'), verdicts('first'));
  const { checks, target } = resultsIn(join(cwd, 'second'));
  assert.equal(target.kind, 'recording');
  const [button] = checks.filter(({ id }) => id.startsWith('labels.button.'));
  assert.match(button?.reason ?? '', /a replay has no browser and no driver; .* run it against the service/);
  assert.throws(() => runOptionsOf(['--record', folder]), /is not empty: name a new folder/);
  assert.throws(() => runOptionsOf(['--replay', folder, '--target', 'x.json']), /leave out --target/);
  assert.throws(
    () => runOptionsOf(['--replay', join(cwd, 'nowhere')]),
    /or the folder of a recording; ".*" is neither/,
  );
  const noRecording = await proofmark(['run', '--replay', 'first', '--out', 'third'], { cwd });
  assert.equal(noRecording.code, 2);
  assert.match(
    noRecording.stderr,
    /first is not a recording: it has no recording\.json .*Make one with proofmark run --record DIR/,
  );
});

interface Header {
  readonly workers: readonly { readonly file: string }[];
}

/** The header of a recording changed, with its sum made right. */
function resealed(text: string, change: (plain: Header) => object): string {
  const { sha256: _old, ...plain } = JSON.parse(text) as Header & { sha256: string };
  const changed = change(plain);
  return JSON.stringify({ sha256: createHash('sha256').update(JSON.stringify(changed)).digest('hex'), ...changed });
}
