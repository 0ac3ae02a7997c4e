import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from '../../../target/secrets/secret.ts';
import type { LedgerEntry } from '../../ledger.ts';
import { undo } from '../index.ts';
import { type FixtureState, fixtureClient, fixtureProfile, newState, RUN, undoTwice } from '../undo.fixture.ts';
import { longTemporaryPassword, plainTemporaryPassword, temporaryPassword } from './temporary-passwords.ts';

test('account settings, status, subscription and domain are put back', async () => {
  const state = newState({
    settings: { company: 'New', tlds: 'x' },
    status: 'disabled',
    premium: true,
    domains: [
      { domainID: 1, domain: 'other.example' },
      { domainID: 2, domain: 'Check.Example' },
    ],
  });
  await undoTwice({ kind: 'reseller-settings', old: { company: 'Old' } }, state);
  await undoTwice({ kind: 'website-status', website: '5', old: 'enabled' }, state);
  await undoTwice({ kind: 'website-premium', website: '5', old: 'none' }, state);
  await undoTwice({ kind: 'domain', website: '5', domain: 'check.example' }, state);
  assert.deepEqual(
    [state.settings, state.status, state.premium, state.domains],
    [{ company: 'Old', tlds: 'x' }, 'enabled', false, [{ domainID: 1, domain: 'other.example' }]],
  );
  assert.ok(state.calls.includes('POST /api/authorize/logout/'));
});

test('a domain is removed that the target lists in ASCII', async () => {
  const state = newState({ domains: [{ domainID: 2, domain: 'xn--agars-tib.example' }] });
  await undoTwice({ kind: 'domain', website: '5', domain: 'Žagars.example' }, state);
  assert.deepEqual(state.domains, []);
});

test('a website that is enabled already is put back on a service that refuses to enable it twice', async () => {
  for (const status of ['enabled', 'disabled']) {
    const state = newState({ status, refusesRepeats: true });
    await undoTwice({ kind: 'website-status', website: '5', old: 'enabled' }, state);
    assert.equal(state.status, 'enabled');
  }
});

test('a website that can not be enabled is not switched off for it', async () => {
  const state = newState({ refused: ['/disable/', '/enable/'] });
  const entry = { kind: 'website-status', website: '5', old: 'enabled' } as const;
  const done = await undo(entry, fixtureClient(state), fixtureProfile(), RUN);
  assert.deepEqual([done.outcome, state.status], ['left', 'enabled']);
  assert.match(done.reason ?? '', /enable it in the account/);
});

test('settings that read back otherwise are left', async () => {
  const state = newState({ settings: { company: 'New' } });
  const client = fixtureClient({
    ...state,
    get settings() {
      return { company: 'Stuck' };
    },
  });
  const done = await undo({ kind: 'reseller-settings', old: { company: 'Old' } }, client, fixtureProfile(), RUN);
  assert.match(done.reason ?? '', /company still have another value/);
});

test('a session that is open already is used and kept', async () => {
  const state = newState({ status: 'disabled' });
  const token = async (): Promise<Secret> => new Secret('API_TOKEN', 'token-0-of-old-password-1');
  await undo({ kind: 'website-status', website: '5', old: 'enabled' }, fixtureClient(state), fixtureProfile(), {
    ...RUN,
    token,
  });
  assert.deepEqual(state.calls, ['POST /api/website/5/enable/']);
});

test('the temporary password is derived from the old one and the run', () => {
  const of = (password: string, run: string): string => temporaryPassword(new Secret('P', password), run);
  assert.equal(of('old-password-1', 'run-1'), of('old-password-1', 'run-1'));
  assert.notEqual(of('old-password-1', 'run-1'), of('old-password-1', 'run-2'));
  assert.notEqual(of('old-password-1', 'run-1'), of('old-password-2', 'run-1'));
  assert.match(of('old-password-1', 'run-1'), /^Pm1-[A-Za-z0-9]{8}$/);
});

test('the old password is put back, whatever state the crash left', async () => {
  const temporary = temporaryPassword(new Secret('P', 'old-password-1'), 'run-1');
  for (const password of ['old-password-1', temporary]) {
    const state = newState({ password });
    assert.equal((await undoTwice({ kind: 'password' }, state)).outcome, 'restored');
    assert.equal(state.password, 'old-password-1');
  }
});

test('a password that cannot be restored is reported with the way to recover', async () => {
  const temporary = temporaryPassword(new Secret('P', 'old-password-1'), 'run-1');
  const stuck = await undoTwice({ kind: 'password' }, newState({ password: temporary, refused: ['/api/password/'] }));
  assert.match(stuck.reason ?? '', /refused to restore the old password.*proofmark sweep run-1/);
  assert.ok(!JSON.stringify(stuck).includes(temporary));
  const unknown = await undoTwice({ kind: 'password' }, newState({ password: 'something else' }));
  assert.match(unknown.reason ?? '', /neither the old nor the temporary password/);
});

test('a password that was stored as another text is replaced in the session that is still open', async () => {
  const state = newState({ password: 'pm1-stored-in-small-letters' });
  const token = async (): Promise<Secret> => new Secret('API_TOKEN', 'token-0-of-pm1-stored-in-small-letters');
  const { outcome } = await undo({ kind: 'password' }, fixtureClient(state), fixtureProfile(), { ...RUN, token });
  assert.deepEqual([outcome, state.password], ['restored', 'old-password-1']);
});

test('a session that ends meanwhile is renewed before anything is concluded, however its token is refused', async () => {
  for (const tokenStatus of [400, 401, 403, 409, 500]) {
    const changed = (): FixtureState =>
      newState({
        tokenStatus,
        tokenCalls: 1,
        settings: { company: 'New' },
        status: 'disabled',
        premium: true,
        domains: [{ domainID: 2, domain: 'check.example' }],
      });
    const rows: readonly (readonly [LedgerEntry, (state: FixtureState) => unknown, unknown])[] = [
      [{ kind: 'reseller-settings', old: { company: 'Old' } }, ({ settings }) => settings.company, 'Old'],
      [{ kind: 'website-status', website: '5', old: 'enabled' }, ({ status }) => status, 'enabled'],
      [{ kind: 'website-premium', website: '5', old: 'none' }, ({ premium }) => premium, false],
      [{ kind: 'domain', website: '5', domain: 'check.example' }, ({ domains }) => domains.length, 0],
    ];
    for (const [entry, look, expected] of rows) {
      const state = changed();
      const { outcome } = await undo(entry, fixtureClient(state), fixtureProfile(), RUN);
      assert.notEqual(outcome, 'left', `${entry.kind} with ${tokenStatus}`);
      assert.equal(look(state), expected, `${entry.kind} with ${tokenStatus}`);
      // No token is ever good: nothing can be concluded.
      const ended = {
        ...changed(),
        get endedTokens() {
          return Math.random();
        },
      };
      assert.equal((await undo(entry, fixtureClient(ended), fixtureProfile(), RUN)).outcome, 'left');
    }
  }
});

test('the old password is put back with tokens that end at once, and where logins are locked after the change', async () => {
  const password = temporaryPassword(new Secret('P', 'old-password-1'), 'run-1');
  for (const part of [
    { tokenCalls: 1, tokenStatus: 403 },
    { locksAfterChange: 3 },
    { refusesPresentPassword: true, tokenCalls: 1 },
  ]) {
    const state = newState({ password, ...part });
    assert.equal((await undoTwice({ kind: 'password' }, state)).outcome, 'restored', JSON.stringify(part));
    assert.equal(state.password, 'old-password-1');
  }
});

test('the old password is put back where the last few can not be used again', async () => {
  const password = temporaryPassword(new Secret('P', 'old-password-1'), 'run-1');
  for (const [passwordHistory, outcome] of [
    [1, 'restored'],
    [3, 'restored'],
    [9, 'left'],
  ] as const) {
    const state = newState({ password, passwordHistory, oldPasswords: ['old-password-1'] });
    const done = await undo({ kind: 'password' }, fixtureClient(state), fixtureProfile(), RUN);
    assert.equal(done.outcome, outcome);
    assert.equal(state.password === 'old-password-1', outcome === 'restored');
  }
});

test('few wrong passwords are tried, since a service may lock the account', async () => {
  for (const [password, logins] of [
    ['old-password-1', 3],
    [temporaryPassword(new Secret('P', 'old-password-1'), 'run-1'), 2],
    [plainTemporaryPassword(new Secret('P', 'old-password-1'), 'run-1'), 3],
    [longTemporaryPassword(new Secret('P', 'old-password-1'), 'run-1'), 5],
  ] as const) {
    const state = newState({ password });
    await undo({ kind: 'password' }, fixtureClient(state), fixtureProfile(), RUN);
    assert.equal(state.password, 'old-password-1');
    assert.equal(state.calls.filter((call) => call.endsWith('/authorize/')).length, logins);
  }
});

test('a run that knows its own calls tries the passwords that it sent, and keeps the session', async () => {
  const kept: string[] = [];
  const keepSession = (token: Secret): void => void kept.push(token.reveal());
  const temporary = temporaryPassword(new Secret('P', 'old-password-1'), 'run-1');
  for (const [password, sent, calls] of [
    ['old-password-1', [], ['authorize/']],
    ['old-password-1', [temporary], ['authorize/', 'authorize/']],
    [temporary, [temporary], ['authorize/', 'password/', 'authorize/']],
    [temporary, [], ['authorize/', 'authorize/', 'password/', 'authorize/']],
  ] as const) {
    const state = newState({ password });
    const known = { passwords: new Set<string>(sent), hasSetBack: () => false };
    const run = { ...RUN, keepSession, calls: known };
    await undo({ kind: 'password' }, fixtureClient(state), fixtureProfile(), run);
    assert.equal(state.password, 'old-password-1');
    assert.deepEqual(
      state.calls.map((call) => call.replace('POST /api/', '')),
      calls,
    );
    assert.match(kept.splice(0).join(), /^[^,]*of-old-password-1$/);
  }
});

test('settings that a run has set back are read, and set again where they are not shown', async () => {
  const token = async (): Promise<Secret> => new Secret('API_TOKEN', 'token-0-of-old-password-1');
  const calls = { passwords: new Set<string>(), hasSetBack: () => true };
  for (const [company, sent] of [
    ['Old', ['settings/']],
    ['New', ['settings/', 'settings/set/', 'settings/']],
  ] as const) {
    const state = newState({ settings: { company } });
    const entry = { kind: 'reseller-settings', old: { company: 'Old' } } as const;
    await undo(entry, fixtureClient(state), fixtureProfile(), { ...RUN, token, calls });
    assert.deepEqual(
      state.calls.map((call) => call.replace('POST /api/', '')),
      sent,
    );
    assert.equal(state.settings.company, 'Old');
  }
});

test('settings are set one by one where a call with several of them changes only one', async () => {
  const state = newState({ settings: { company: 'New', tlds: 'x', addrCity: 'New' }, setsLastOnly: true });
  const old = { company: 'Old', tlds: 'lv', addrCity: '' };
  const { outcome } = await undo({ kind: 'reseller-settings', old }, fixtureClient(state), fixtureProfile(), RUN);
  assert.deepEqual([outcome, state.settings], ['restored', old]);
});

test('a subscription whose end was accepted and that is still shown is left: it costs money', async () => {
  const state = newState({ premium: true, ignored: ['disable_premium'] });
  const entry = { kind: 'website-premium', website: '5', old: 'none' } as const;
  const { outcome, reason } = await undo(entry, fixtureClient(state), fixtureProfile(), RUN);
  assert.equal(outcome, 'left');
  assert.match(reason ?? '', /accepted the end of the paid subscription of website 5 and still shows it/);
});
