import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from '../../target/client/index.ts';
import { Secret } from '../../target/secrets/secret.ts';
import type { LedgerEntry } from '../ledger.ts';
import { sealCode } from '../ledger-secrets.ts';
import { carriesMark } from './delivery/index.ts';
import { type CleanupResult, undo } from './index.ts';
import {
  FIXTURE_PROFILE,
  type FixtureState,
  fixtureClient,
  fixtureProfile,
  newState,
  RUN,
  respond,
  undoTwice,
} from './undo.fixture.ts';

const method = (handle: string, reference: string | null, owner = 'private') => ({
  handle,
  reference,
  owner,
  points: [],
});
const handles = (state: FixtureState): string[] => state.methods.map(({ handle }) => handle);

test('a method whose handle is known is deleted, and no other', async () => {
  const state = newState({ methods: [method('a', 'pm-run-1-1'), method('b', 'pm-run-1-2'), method('c', 'mine')] });
  const entry = { kind: 'delivery-method', owner: 'private', reference: 'pm-run-1-1', handle: 'a' } as const;
  assert.deepEqual(await undoTwice(entry, state), { outcome: 'removed', object: 'delivery method pm-run-1-1' });
  assert.deepEqual(handles(state), ['b', 'c']);
});

test('a method that has another handle than its creation returned is found by its reference, if that carries the mark', async () => {
  const state = newState({ methods: [method('a', 'pm-run-1-1'), method('b', 'pm-run-1-2'), method('c', 'mine')] });
  const entry = { kind: 'delivery-method', owner: 'private', reference: 'pm-run-1-1', handle: 'A' } as const;
  assert.deepEqual(await undoTwice(entry, state), { outcome: 'removed', object: 'delivery method pm-run-1-1' });
  assert.deepEqual(handles(state), ['b', 'c']);
  await undoTwice({ ...entry, reference: 'mine', handle: 'C' }, state);
  assert.deepEqual(handles(state), ['b', 'c']);
});

test('where a read shows another method with the same reference, that one stays', async () => {
  const state = newState({ methods: [method('a', '007'), method('b', '007')] });
  const misread = (request: Request): Promise<Response> =>
    respond(state, request.method === 'GET' ? new Request(request.url.replace('/a/', '/b/'), request) : request);
  const profile = fixtureProfile();
  const entry = { kind: 'delivery-method', owner: 'private', reference: '007', handle: 'a' } as const;
  await undo(entry, createClient({ profile, transport: misread }), profile, RUN);
  assert.deepEqual(handles(state), ['b']);
});

test('a method whose handle is not known is found by its reference, on any page, for its own owner only', async () => {
  const state = newState({
    methods: [
      method('a', 'x'),
      method('b', null),
      method('c', 'y'),
      method('d', 'pm-run-1-1'),
      method('e', 'pm-run-1-1', 'other'),
      method('f', 'pm-run-1-1'),
    ],
  });
  await undoTwice({ kind: 'delivery-method', owner: 'private', reference: 'pm-run-1-1' }, state);
  assert.deepEqual(handles(state), ['a', 'b', 'c', 'e']);
});

test('a method that has another reference now is not changed', async () => {
  const state = newState({ methods: [method('a', 'somebody else')] });
  const entry = { kind: 'delivery-method', owner: 'private', reference: 'pm-run-1-1', handle: 'a' } as const;
  const done = await undoTwice(entry, state);
  assert.equal(done.outcome, 'left');
  assert.match(done.reason ?? '', /was not changed/);
  assert.deepEqual(handles(state), ['a']);
});

test('a method with a reference that the run recorded before sending it belongs to the run', async () => {
  const state = newState({ methods: [method('a', '007'), method('b', '007')] });
  const entry = { kind: 'delivery-method', owner: 'private', reference: 'pm-run-1-1', handle: 'a' } as const;
  assert.equal((await undoTwice({ ...entry, given: ['null'] }, state)).outcome, 'left');
  assert.deepEqual(handles(state), ['a', 'b']);
  assert.equal((await undoTwice({ ...entry, given: ['null', '007'] }, state)).outcome, 'removed');
  assert.deepEqual(handles(state), ['b']);
});

test('a method without any reference is ours when its handle came from its creation', async () => {
  const state = newState({ methods: [method('a', null)] });
  await undoTwice({ kind: 'delivery-method', owner: 'private', reference: 'pm-run-1-1', handle: 'a' }, state);
  assert.deepEqual(handles(state), []);
});

test('a reference without the mark is not a proof: nothing is deleted by it', async () => {
  const state = newState({ methods: [method('a', 'plain')] });
  const done = await undoTwice({ kind: 'delivery-method', owner: 'private', reference: 'plain' }, state);
  assert.equal(done.outcome, 'left');
  assert.deepEqual(handles(state), ['a']);
});

test('a method that was made without a reference is known by the mark in its title', async () => {
  const titled = (handle: string, title: unknown) => ({ ...method(handle, null), title });
  const state = newState({
    methods: [
      titled('a', 'pm-run-1-1 courier'),
      titled('b', { en: 'x', lv: 'pm-run-1-1' }),
      titled('c', 'pm-run-1-12'),
      titled('d', 'Courier'),
    ],
  });
  await undoTwice({ kind: 'delivery-method', owner: 'private', reference: 'pm-run-1-1' }, state);
  assert.deepEqual(handles(state), ['c', 'd']);
});

test('a list whose links break while others delete is walked again', async () => {
  const methods = () => ['a', 'b', 'c', 'd', 'e'].map((handle) => method(handle, `pm-run-1-${handle}`));
  const state = newState({ methods: methods(), brokenLinks: 2 });
  await undoTwice({ kind: 'delivery-method', owner: 'private', reference: 'pm-run-1-e' }, state);
  assert.deepEqual(handles(state), ['a', 'b', 'c', 'd']);

  const entry = { kind: 'delivery-method', owner: 'private', reference: 'pm-run-1-e' } as const;
  const broken = newState({ methods: methods(), brokenLinks: 99 });
  const done = await undo(entry, fixtureClient(broken), fixtureProfile(), RUN);
  assert.match(done.reason ?? '', /did not list its methods/);
});

test('a target that can not show a method is asked for its list', async () => {
  const state = newState({
    methods: [method('a', 'pm-run-1-1'), method('b', 'x')],
    refused: ['GET /v1/store/delivery_method/'],
  });
  await undoTwice({ kind: 'delivery-method', owner: 'private', reference: 'pm-run-1-1', handle: 'a' }, state);
  assert.deepEqual(handles(state), ['b']);
});

test('a target that refuses to delete is reported, with what to do', async () => {
  const state = newState({ methods: [method('a', 'pm-run-1-1')], refused: ['DELETE'] });
  const done = await undoTwice(
    { kind: 'delivery-method', owner: 'private', reference: 'pm-run-1-1', handle: 'a' },
    state,
  );
  assert.deepEqual([done.outcome, done.object], ['left', 'delivery method pm-run-1-1']);
  assert.match(done.reason ?? '', /refused to delete the method a \(status 403\): delete it in the store/);
});

test('a key that the profile has not is named', async () => {
  const profile = fixtureProfile({ ...FIXTURE_PROFILE, delivery: {} });
  const entry = { kind: 'delivery-method', owner: 'other', reference: 'pm-run-1-1' } as const;
  const done = await undo(entry, fixtureClient(newState(), profile), profile, RUN);
  assert.match(done.reason ?? '', /no "delivery.private.otherApiKey"/);
});

test('a list of points is put back in portions', async () => {
  const state = newState({ methods: [{ ...method('a', null), points: ['new'] }] });
  const old = Array.from({ length: 205 }, (_, id) => ({ id: `p${id}` }));
  const done = await undoTwice({ kind: 'pickup-points', owner: 'private', handle: 'a', old }, state);
  assert.equal(done.outcome, 'restored');
  assert.deepEqual(state.methods[0]?.points, old);
  assert.equal(state.calls.length, 6);
});

test('where the target takes nothing empty back, what shows nothing is set, and the report says so', async () => {
  const state = newState({ snippets: { '': 'new', lv: 'new' }, data: 'new', refusesEmpty: true });
  const back = (entry: LedgerEntry) => undo(entry, fixtureClient(state), fixtureProfile(), RUN);
  const undone = [
    await back({ kind: 'snippet', installation: 'own', old: null }),
    await back({ kind: 'app-data', installation: 'own', old: null }),
    await back({ kind: 'snippet', installation: 'own', language: 'lv', old: 'old' }),
  ];
  assert.deepEqual(
    undone.map(({ outcome }) => outcome),
    ['left', 'left', 'restored'],
  );
  assert.match(undone[0]?.reason ?? '', /refuses an empty snippet/);
  assert.deepEqual([state.snippets, state.data], [{ '': '<!-- -->', lv: 'old' }, {}]);
});

test('a change that the target refused, and refuses to undo, was never made', async () => {
  const settings = { company: 'Old', tlds: 'lv,com' };
  const entries: readonly LedgerEntry[] = [
    { kind: 'snippet', installation: 'own', language: 'lv', old: 'old' },
    { kind: 'app-data', installation: 'own', old: { a: 1 } },
    { kind: 'reseller-settings', old: { company: 'Old' } },
  ];
  const refused = ['set_snippet', 'set_data', 'settings/set'];
  const outcomes = async (state: FixtureState): Promise<string[]> => {
    const done: CleanupResult[] = [];
    for (const entry of entries) done.push(await undo(entry, fixtureClient(state), fixtureProfile(), RUN));
    return done.map(({ outcome }) => outcome);
  };
  const untouched = newState({ snippets: { lv: 'old' }, data: { a: 1 }, settings, refused });
  assert.deepEqual(await outcomes(untouched), ['restored', 'restored', 'restored']);
  const changed = newState({
    snippets: { lv: 'new' },
    data: 'new',
    settings: { ...settings, company: 'New' },
    refused,
  });
  assert.deepEqual(await outcomes(changed), ['left', 'left', 'left']);
});

test('snippets and data are put back; where none was, an empty one', async () => {
  const state = newState({ snippets: { '': 'new', lv: 'new' }, data: 'new' });
  await undoTwice({ kind: 'snippet', installation: 'own', old: '<b>old</b>' }, state);
  await undoTwice({ kind: 'snippet', installation: 'own', language: 'lv', old: null }, state);
  await undoTwice({ kind: 'app-data', installation: 'own', old: { a: [1] } }, state);
  assert.deepEqual([state.snippets, state.data], [{ '': '<b>old</b>', lv: '' }, { a: [1] }]);
});

test('data are put back with the digits of numbers that JavaScript can not hold', async () => {
  const state = newState({ data: 'new' });
  const entry = { kind: 'app-data', installation: 'own', old: { big: null }, text: '{"big":1e400}' } as const;
  await undoTwice(entry, state);
  // What the reader of this test makes of such a number: with `old` it would have been null.
  assert.deepEqual(state.data, { big: Number.POSITIVE_INFINITY });
});

test('an app that was uninstalled needs a person, unless it is installed again', async () => {
  const entry = { kind: 'app-uninstalled', installation: 'own' } as const;
  assert.equal((await undoTwice(entry, newState())).outcome, 'restored');
  const gone = await undoTwice(entry, newState({ refused: ['/apps/'] }));
  assert.equal(gone.outcome, 'left');
  assert.match(gone.reason ?? '', /install it again.*apps.authCode/);
  const registered = await undoTwice(
    { kind: 'registered-app', old: { installUrl: 'https://a.example/', settingsUrl: 'https://a.example/s' } },
    newState(),
  );
  assert.match(registered.reason ?? '', /app setup portal .install https:\/\/a.example/);
});

test('an installation of the run is deleted, and no other', async () => {
  const sealed = (code: string, key = 'app-key-12345678') =>
    ({ kind: 'installation', sealedCode: sealCode(code, new Secret('KEY', key)) }) as const;
  const state = newState({ installations: ['made-by-the-run', 'of-somebody'] });
  assert.equal((await undoTwice(sealed('made-by-the-run'), state)).outcome, 'removed');
  assert.deepEqual(state.installations, ['of-somebody']);
  const own = await undoTwice(sealed('auth-code-123456'), state);
  assert.match(own.reason ?? '', /belongs to the profile/);
  assert.match(
    (await undoTwice(sealed('of-somebody', 'older-key'), state)).reason ?? '',
    /a key other than the one in apps\.apiKey/,
  );
  assert.match((await undoTwice({ kind: 'installation' }, state)).reason ?? '', /received no authCode/);
  assert.deepEqual(state.installations, ['of-somebody']);
  assert.ok(!state.calls.slice(3).some((call) => call.includes('delete')), 'nothing was deleted after the first');
});

test('an installation is not called removed by a target that is not well', async () => {
  const profile = fixtureProfile();
  const client = createClient({ profile, transport: async () => new Response('oh', { status: 500 }) });
  const entry = { kind: 'installation', sealedCode: sealCode('made', new Secret('KEY', 'app-key-12345678')) } as const;
  assert.equal((await undo(entry, client, profile, RUN)).outcome, 'left');
});

test('the addresses of the app are put back through a driver, and reported where that fails', async () => {
  const old = { installUrl: 'https://a.example/i', settingsUrl: 'https://a.example/s', tabMode: 'self' } as const;
  const entry = { kind: 'registered-app', old } as const;
  const registered: unknown[] = [];
  const through = (registerApp: (app: unknown) => Promise<unknown>) =>
    undo(entry, fixtureClient(newState()), fixtureProfile(), { ...RUN, registerApp });
  assert.equal((await through(async (app) => registered.push(app))).outcome, 'restored');
  assert.deepEqual(registered, [old]);
  const failed = await through(async () => {
    throw new Error('no such button\n  at page');
  });
  assert.equal(failed.outcome, 'left');
  assert.match(
    failed.reason ?? '',
    /could not restore them .no such button.*install https:\/\/a.example\/i.*tab mode self/,
  );
  const unknown = await undo({ kind: 'registered-app' }, fixtureClient(newState()), fixtureProfile(), RUN);
  assert.match(unknown.reason ?? '', /did not report the previous ones/);
});

test('a mark is whole: the beginning of another run’s mark is not ours', () => {
  const rows: [unknown, boolean][] = [
    ['pm-run-1', true],
    ['pm-run-1-2f', true],
    ['x pm-run-1.', true],
    ['pm-run-12', false],
    ['pm-run-12 pm-run-1', true],
    ['pm-run', false],
    ['', false],
    [null, false],
    [5, false],
  ];
  for (const [text, expected] of rows) assert.equal(carriesMark(text, 'pm-run-1'), expected, String(text));
  assert.equal(carriesMark('anything', ''), false);
});
