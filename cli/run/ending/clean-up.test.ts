import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { openLedger, readLedger } from '../../../harness/cleanup/ledger.ts';
import { FIXTURE_PROFILE, type FixtureState, newState, serverOf } from '../../../harness/cleanup/undo/undo.fixture.ts';
import { parseProfile } from '../../../harness/target/profile/index.ts';
import type { Profile } from '../../../harness/target/profile/types.ts';
import { cleanUpAfter } from './clean-up.ts';

const folder = mkdtempSync(join(tmpdir(), 'proofmark-clean-up-'));
let state: FixtureState = newState();
let isSilent = false;
let profile: Profile;
const server = serverOf(() => (isSilent ? undefined : state));

before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const text = JSON.stringify({ ...FIXTURE_PROFILE, v1: `${origin}/v1/`, api: `${origin}/api/` });
  profile = parseProfile(text, { file: 'staging.json', folder, env: process.env });
});
beforeEach(() => {
  state = newState();
  isSilent = false;
});
after(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

/** The ledger of a run that ended without cleaning up. */
function stopped(run: string, keptFor: string | null = 'staging.json'): string {
  const target = { name: 'staging', v1: profile.v1 ?? null, api: profile.api ?? null };
  const header = { run, mark: `pm-${run}`, proofmark: '0', startedAt: '', target, profile: keptFor };
  const ledger = openLedger(join(folder, 'ledger'), header, profile.secrets());
  ledger.willCreate({ kind: 'delivery-method', owner: 'private', reference: `pm-${run}-1` });
  state.methods.push({ handle: `h-${run}`, reference: `pm-${run}-1`, owner: 'private', points: [] });
  ledger.close();
  return ledger.file;
}

test('what a stopped run left is removed at its end, and the ledger is settled', async () => {
  const file = stopped('a1');
  assert.deepEqual(await cleanUpAfter(file, profile), [
    { type: 'ledger', what: 'removed', object: 'delivery method pm-a1-1' },
  ]);
  assert.deepEqual(state.methods, []);
  assert.equal(readLedger(file).settled, true);
  assert.deepEqual(await cleanUpAfter(file, profile), []);
});

test('what the target does not let go is listed with the reason', async () => {
  const file = stopped('b2');
  state.refused = ['DELETE'];
  const [left, ...others] = await cleanUpAfter(file, profile);
  assert.deepEqual(others, []);
  assert.equal(left?.what, 'orphan');
  assert.equal(left?.object, 'delivery method pm-b2-1');
  assert.match(left?.reason ?? '', /delete it in the store/);
});

test('a target that is silent is not waited for longer than the bound, and everything is listed', async () => {
  const file = stopped('c3');
  isSilent = true;
  const began = performance.now();
  const [left] = await cleanUpAfter(file, profile, 200);
  assert.ok(performance.now() - began < 5_000);
  assert.equal(left?.what, 'orphan');
  assert.match(left?.reason ?? '', /took longer than/);
  server.closeAllConnections();
});

test('a run without a ledger, and one on the embedded mock, leave nothing', async () => {
  assert.deepEqual(await cleanUpAfter(join(folder, 'none'), profile), []);
  assert.deepEqual(await cleanUpAfter(stopped('d4', null), profile), []);
});
