import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { UsageError } from '../process/usage-error.ts';
import { createClient } from '../target/client/index.ts';
import { Secret } from '../target/secrets/secret.ts';
import { type Ledger, type LedgerRun, openLedger, readLedger } from './ledger.ts';
import { isRunning, sweepLedger } from './sweep.ts';
import { temporaryPassword } from './undo/reseller/temporary-passwords.ts';
import {
  FIXTURE_PROFILE,
  type FixtureState,
  fixtureClient,
  fixtureProfile,
  newState,
  respond,
} from './undo/undo.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'proofmark-sweep-'));
after(() => rmSync(folder, { recursive: true }));

const profile = fixtureProfile();
let runs = 0;

/** A ledger of a run that ended in the middle: what it wrote, and nothing undone. */
function crashed(
  write: (ledger: Ledger, mark: string) => void,
  target = { v1: profile.v1!, api: profile.api! },
): { file: string; mark: string } {
  runs += 1;
  const run: LedgerRun = {
    run: `run-${runs}x`,
    mark: `pm-run-${runs}x`,
    proofmark: '0.0.0',
    startedAt: '2026-01-01T00:00:00Z',
    target: { name: 'fixture', ...target },
    profile: '/fixture.json',
  };
  const ledger = openLedger(folder, run, profile.secrets());
  write(ledger, run.mark);
  return { file: ledger.file, mark: run.mark };
}

const method = (handle: string, reference: string, owner = 'private') => ({ handle, reference, owner, points: [] });
const sweep = (file: string, state: FixtureState, waitMs = 5000) =>
  sweepLedger(file, fixtureClient(state), profile, { waitMs });

test('after a sweep the target has its earlier state, and a second sweep does nothing', async () => {
  const state = newState({ data: 'of before', methods: [method('mine', 'my own'), method('theirs', 'pm-run-0x-1')] });
  const before = structuredClone(state);
  const { file } = crashed((ledger, mark) => {
    const first = ledger.willCreate({ kind: 'delivery-method', owner: 'private', reference: `${mark}-1` });
    state.methods.push(method('a', `${mark}-1`));
    ledger.created(first, { handle: 'a' });
    ledger.willChange({ kind: 'app-data', installation: 'own', old: 'of before' });
    state.data = 'changed once';
    ledger.willChange({ kind: 'app-data', installation: 'own', old: 'changed once' });
    state.data = 'changed twice';
    ledger.willCreate({ kind: 'delivery-method', owner: 'private', reference: `${mark}-2` });
    state.methods.push(method('b', `${mark}-2`), method('c', `${mark}-2 served twice`));
    ledger.willCreate({ kind: 'delivery-method', owner: 'other', reference: `${mark}-3` });
  });
  const report = await sweep(file, state);
  assert.deepEqual(
    report.undone.map(({ outcome, object }) => `${outcome} ${object.replace(/pm-run-\d+x/, 'MARK')}`),
    [
      'removed delivery method MARK-3',
      'removed delivery method MARK-2',
      'restored app data (authCode)',
      'restored app data (authCode)',
      'removed delivery method MARK-1',
      'removed delivery method MARK-2 served twice',
    ],
  );
  assert.equal(report.settled, true);
  assert.deepEqual({ ...state, calls: [] }, before);

  state.calls = [];
  assert.deepEqual((await sweep(file, state)).undone, []);
  assert.deepEqual(state.calls, []);
});

test('entries that are left stay open, and a later sweep undoes them', async () => {
  const state = newState({ refused: ['DELETE'] });
  const { file } = crashed((ledger, mark) => {
    ledger.willCreate({ kind: 'delivery-method', owner: 'private', reference: `${mark}-1` });
    ledger.willChange({ kind: 'website-status', website: '5', old: 'enabled' });
    state.methods.push(method('a', `${mark}-1`));
    state.status = 'disabled';
  });
  const report = await sweep(file, state);
  assert.equal(report.settled, false);
  assert.equal(state.status, 'enabled');
  assert.deepEqual(
    readLedger(file).open.map(({ entry }) => entry.kind),
    ['delivery-method'],
  );
  state.refused = [];
  assert.equal((await sweep(file, state)).settled, true);
  assert.deepEqual(state.methods, []);
});

test('a delete that is served and not done is noticed', async () => {
  const state = newState({ ignored: ['DELETE'] });
  const { file } = crashed((ledger, mark) => {
    ledger.willCreate({ kind: 'delivery-method', owner: 'private', reference: `${mark}-1` });
    state.methods.push(method('a', `${mark}-1`));
  });
  const report = await sweep(file, state);
  assert.equal(report.settled, false);
  assert.match(report.undone.at(-1)?.reason ?? '', /still lists it/);
  assert.equal((await sweep(file, state)).settled, false);
  state.ignored = [];
  assert.equal((await sweep(file, state)).settled, true);
  assert.deepEqual(state.methods, []);
});

test('a target that is not there leaves everything open', async () => {
  const { file } = crashed(
    (ledger, mark) => void ledger.willCreate({ kind: 'delivery-method', owner: 'private', reference: `${mark}-1` }),
  );
  const away = fixtureProfile({ ...FIXTURE_PROFILE, v1: 'http://127.0.0.1:9/v1/', api: 'http://127.0.0.1:9/api/' });
  const { createClient } = await import('../target/client/index.ts');
  const client = createClient({ profile: away });
  const own = crashed(
    (ledger, mark) => void ledger.willCreate({ kind: 'delivery-method', owner: 'private', reference: `${mark}-1` }),
    { v1: away.v1!, api: away.api! },
  );
  const report = await sweepLedger(own.file, client, away);
  await client.close();
  assert.equal(report.settled, false);
  assert.match(report.undone[0]?.reason ?? '', /Nothing listens/);
  assert.equal(readLedger(file).open.length, 1);
});

test('a ledger of another target is refused, and nothing is sent', async () => {
  const { file } = crashed(
    (ledger, mark) => void ledger.willCreate({ kind: 'delivery-method', owner: 'private', reference: `${mark}-1` }),
    {
      v1: 'https://production.example/v1/',
      api: profile.api!,
    },
  );
  const state = newState();
  await assert.rejects(sweep(file, state), (error: Error) => {
    assert.ok(error instanceof UsageError);
    assert.match(error.message, /another target: its "v1" is https:\/\/production.example\/v1\//);
    return true;
  });
  assert.deepEqual(state.calls, []);
});

test('an old value that names a secret which the profile does not have is not put back half', async () => {
  const { file } = crashed(
    (ledger) => void ledger.willChange({ kind: 'app-data', installation: 'own', old: 'with public-key-12345' }),
  );
  const less = fixtureProfile({ ...FIXTURE_PROFILE, delivery: {} });
  const state = newState({ data: 'changed' });
  const report = await sweepLedger(file, fixtureClient(state, less), less);
  assert.match(report.undone[0]?.reason ?? '', /DELIVERY_PUBLIC_API_KEY, which the profile does not have/);
  assert.equal(state.data, 'changed');
  assert.equal((await sweep(file, state)).settled, true);
  assert.equal(state.data, 'with public-key-12345');
});

test('a run that is still running is waited for, and its ledger is not touched', async () => {
  const { file } = crashed((ledger) => ledger.close());
  // It lives until its input ends.
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()']);
  appendFileSync(file, `${JSON.stringify({ type: 'opened', pid: child.pid, host: hostname(), at: Date.now() })}\n`);
  assert.equal(isRunning(readLedger(file)), true);
  let done = false;
  const swept = sweep(file, newState(), 60_000).then(() => {
    done = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 400));
  assert.equal(done, false);
  child.stdin.end();
  await swept;

  const { file: other } = crashed((ledger) => ledger.close());
  appendFileSync(other, `${JSON.stringify({ type: 'opened', pid: process.ppid, host: hostname(), at: Date.now() })}\n`);
  const state = newState();
  await assert.rejects(sweep(other, state, 200), /still running/);
  assert.deepEqual(state.calls, []);
});

test('another process with the id of an ended one is not mistaken for it', async () => {
  const { file } = crashed((ledger) => ledger.close());
  const longAgo = Date.parse('2020-01-01T00:00:00Z');
  appendFileSync(file, `${JSON.stringify({ type: 'opened', pid: process.ppid, host: hostname(), at: longAgo })}\n`);
  if (process.platform === 'linux') assert.equal(isRunning(readLedger(file)), false);
  appendFileSync(file, `${JSON.stringify({ type: 'opened', pid: 2 ** 22 + 1, host: hostname(), at: Date.now() })}\n`);
  appendFileSync(
    file,
    `${JSON.stringify({ type: 'opened', pid: process.ppid, host: 'another-machine', at: Date.now() })}\n`,
  );
  if (process.platform === 'linux') assert.equal(isRunning(readLedger(file)), false);
});

test('responses to clean-up requests are judged as well', async () => {
  const { file } = crashed((ledger) => void ledger.willChange({ kind: 'app-data', installation: 'own', old: 'old' }));
  const state = newState({ data: 'new' });
  const client = createClient({
    profile,
    transport: async (request) => {
      const got = await respond(state, request);
      return Response.json({ ...((await got.json()) as object), error: 0 });
    },
  });
  const report = await sweepLedger(file, client, profile);
  assert.deepEqual(
    [state.data, report.settled, report.breaches.map(({ clause }) => clause)],
    ['old', true, ['envelope.v1.success-error-false']],
  );
});

test('a session that ends during a sweep leaves nothing behind', async () => {
  const { file } = crashed((ledger) => {
    ledger.willChange({ kind: 'reseller-settings', old: { company: 'Old' } });
    ledger.willChange({ kind: 'website-status', website: '5', old: 'enabled' });
    ledger.willChange({ kind: 'password' });
  });
  const state = newState({
    settings: { company: 'New', tlds: 'lv,com' },
    status: 'disabled',
    password: temporaryPassword(new Secret('P', 'old-password-1'), `run-${runs}x`),
    tokenCalls: 1,
    tokenStatus: 403,
  });
  const { settled } = await sweep(file, state);
  assert.deepEqual(
    [settled, state.settings.company, state.status, state.password],
    [true, 'Old', 'enabled', 'old-password-1'],
  );
});
