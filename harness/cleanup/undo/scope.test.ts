import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../check/check.ts';
import { Context } from '../../check/context.ts';
import { GivenFailure } from '../../check/failures.ts';
import { createRecorder } from '../../evidence/recorder.ts';
import { createRedaction } from '../../evidence/redaction/index.ts';
import { StandIns } from '../../plain/stand-ins/stand-ins.ts';
import { once } from '../../resources/once.ts';
import { Resources } from '../../resources/resources.ts';
import { memoryLedger } from '../../runner/in-process.ts';
import { createClient } from '../../target/client/index.ts';
import { NoResponse } from '../../target/client/no-response.ts';
import type { Client } from '../../target/client/types.ts';
import { Secret } from '../../target/secrets/secret.ts';
import { temporaryPassword } from './reseller.ts';
import { FIXTURE_PROFILE, fixtureClient, fixtureProfile, newState, respond } from './undo.fixture.ts';

const method = (handle: string, reference: string) => ({ handle, reference, owner: 'private', points: [] });

/** Resources over a small service in this process that holds two methods of the run. */
function resourcesOver(
  state = newState({ methods: [method('a', 'pm-r-1'), method('b', 'pm-r-2')] }),
  client: Client = fixtureClient(state),
) {
  const profile = fixtureProfile(FIXTURE_PROFILE);
  const redaction = createRedaction();
  const ledger = memoryLedger();
  const run = { run: 'r', seed: 1, propertyRuns: 0, selected: [], showPersonalData: false, unusable: {} };
  const resources = new Resources({
    profile,
    run,
    redaction,
    ledger,
    driver: undefined,
    recorder: createRecorder({ check: '', spool: () => undefined, redaction }),
    client,
    clock: { now: () => 0, sleep: async () => undefined },
  });
  return { state, resources, ledger, context: () => new Context(CHECK, resources) };
}

const CHECK = check(
  'a.b',
  'MUST be',
  { clauses: [], needs: [], effects: 'read', part: 'delivery' },
  async () => undefined,
);
const entry = (handle: string, reference: string) =>
  ({ kind: 'delivery-method', owner: 'private', reference, handle }) as const;
const handles = (state: ReturnType<typeof newState>) => state.methods.map(({ handle }) => handle);

test('objects of a check are removed with the check, and shared ones with the process', async () => {
  const { state, resources, ledger, context } = resourcesOver();
  const one = context();
  one.given.track(entry('a', 'pm-r-1'));
  one.givenForAll.track(entry('b', 'pm-r-2'));
  await one.cleanUp();
  assert.deepEqual(handles(state), ['b']);
  assert.deepEqual(
    one.changes.map(({ what, object }) => `${what} ${object}`),
    ['created delivery method pm-r-1', 'removed delivery method pm-r-1'],
  );
  assert.equal(ledger.orphans().length, 1);
  await resources.close();
  assert.deepEqual(handles(state), []);
  assert.equal(ledger.orphans().length, 0);
  assert.deepEqual(
    resources.kept.notes.map(({ what }) => what),
    ['created', 'removed'],
  );
});

test('to make room only methods that were named are deleted, and not again at the end', async () => {
  const { state, resources, context } = resourcesOver();
  const one = context();
  one.givenForAll.track(entry('a', 'pm-r-1'));
  one.givenForAll.track(entry('b', 'pm-r-2'));
  assert.equal(await resources.kept.deleteMethods(new Set(['b', 'c'])), 1);
  assert.deepEqual(handles(state), ['a']);
  await resources.close();
  assert.deepEqual(handles(state), []);
  assert.deepEqual(
    resources.kept.notes.filter(({ what }) => what === 'removed').map(({ object }) => object),
    ['delivery method pm-r-2', 'delivery method pm-r-1'],
  );
});

test('the methods of a process are deleted several at once, those of a check one after another', async () => {
  for (const [given, most] of [
    ['given', 1],
    ['givenForAll', 2],
  ] as const) {
    const state = newState({ methods: [method('a', 'pm-r-1'), method('b', 'pm-r-2')] });
    const client = fixtureClient(state);
    const underWay = { now: 0, most: 0 };
    const { resources, context } = resourcesOver(state, {
      ...client,
      send: async (...call) => {
        underWay.now += 1;
        underWay.most = Math.max(underWay.most, underWay.now);
        await new Promise(setImmediate);
        return client.send(...call).finally(() => {
          underWay.now -= 1;
        });
      },
    });
    const one = context();
    for (const [handle, reference] of [
      ['a', 'pm-r-1'],
      ['b', 'pm-r-2'],
    ] as const)
      one[given].track(entry(handle, reference));
    await one.cleanUp();
    await resources.close();
    assert.deepEqual(handles(state), []);
    assert.equal(underWay.most, most, given);
  }
});

test('the end of a process puts back first, last change first, and then closes; nothing stops it', async () => {
  const { resources, ledger, context } = resourcesOver();
  const order: string[] = [];
  const { givenForAll } = context();
  const back = (name: string) => async () => {
    order.push(name);
    if (name === 'broken') throw new Error('no return');
    return { outcome: 'restored' as const, object: name };
  };
  givenForAll.track({ kind: 'registered-app' }, back('first'));
  givenForAll.track({ kind: 'registered-app' }, back('broken'));
  givenForAll.track({ kind: 'registered-app' }, back('last'));
  resources.atEnd(async () => {
    order.push('closed');
    throw new Error('closing failed');
  });
  await resources.close();
  assert.deepEqual(order, ['last', 'broken', 'first', 'closed']);
  assert.equal(ledger.orphans().length, 1, 'what could not be put back stays in the ledger');
  assert.deepEqual(
    resources.kept.notes.filter(({ what }) => what === 'orphan'),
    [{ what: 'orphan', object: 'addresses of the app', reason: 'no return' }],
  );
  assert.deepEqual(
    resources.kept.notes.map(({ what }) => what),
    ['changed', 'changed', 'changed', 'restored', 'orphan', 'restored'],
  );
});

test('a shared object is created for the first caller, with its exchanges for all', async () => {
  const { context } = resourcesOver();
  let made = 0;
  const make = (of: Context) => () => {
    made += 1;
    of.exchanges.push(7, 8);
    return Promise.resolve('order');
  };
  const [one, two] = [context(), context()];
  assert.equal(await once(one, 'key', make(one)), 'order');
  assert.equal(await once(two, 'key', make(two)), 'order');
  assert.equal(await once(two, 'key', make(two)), 'order');
  assert.equal(made, 1);
  assert.deepEqual(
    [one.exchanges, two.exchanges],
    [
      [7, 8],
      [7, 8],
    ],
  );
  const other = resourcesOver().context();
  await once(other, 'key', make(other));
  assert.equal(made, 2, 'another process makes its own');
});

test('what failed to be made has failed for all, and is not tried again', async () => {
  const { context } = resourcesOver();
  let tried = 0;
  const make = async (): Promise<string> => {
    tried += 1;
    throw new GivenFailure('no button', 'labels.button.shown-with-url');
  };
  await assert.rejects(once(context(), 'key', make), GivenFailure);
  await assert.rejects(once(context(), 'key', make), GivenFailure);
  assert.equal(tried, 1);
});

test('an object that was not created is neither undone nor reported', async () => {
  const { state, ledger, context } = resourcesOver();
  const one = context();
  one.given.track(entry('a', 'pm-r-1')).cancel();
  one.given.track(entry('b', 'pm-r-2'));
  assert.equal(ledger.orphans().length, 1);
  await one.cleanUp();
  assert.deepEqual(handles(state), ['a']);
  assert.deepEqual(
    one.changes.map(({ what }) => what),
    ['created', 'removed'],
  );
});

test('what a dead target left is tried once more at the end, without a second wait if it stays dead', async () => {
  for (const isBack of [true, false]) {
    const { resources, ledger, context } = resourcesOver();
    let [isThere, attempts] = [false, 0];
    const back = async () => {
      attempts += 1;
      if (!isThere) throw new NoResponse('nobody there', 'network');
      return { outcome: 'restored' as const, object: 'addresses of the app' };
    };
    const one = context();
    for (let n = 0; n < 3; n += 1) one.given.track({ kind: 'registered-app' }, back);
    await one.cleanUp();
    assert.deepEqual([attempts, one.changes.map(({ what }) => what)], [3, ['changed', 'changed', 'changed']]);
    isThere = isBack;
    await resources.close();
    const what = isBack ? 'restored' : 'orphan';
    assert.deepEqual(
      resources.kept.notes.map((note) => note.what),
      [what, what, what],
    );
    assert.equal(attempts, isBack ? 6 : 4);
    assert.equal(ledger.orphans().length, isBack ? 0 : 3);
  }
});

test('a method that was read as the run’s own is deleted without a further look; one that reads otherwise is left', async () => {
  const { state, context } = resourcesOver();
  const one = context();
  one.given.track(entry('a', 'pm-r-1'));
  await one.send(one.delivery.readMethod('a'));
  await one.cleanUp();
  assert.deepEqual(handles(state), ['b']);
  assert.deepEqual(
    state.calls.map((call) => call.split(' ')[0]),
    ['GET', 'DELETE'],
  );
  const other = context();
  other.given.track(entry('b', 'pm-r-2'));
  await other.send(other.delivery.readMethod('b'));
  state.methods[0]!.reference = 'of somebody else';
  await other.send(other.delivery.listMethods());
  await other.cleanUp();
  assert.deepEqual(handles(state), ['b']);
});

test('a method that the check has deleted, and could not read since, is only looked for in the list', async () => {
  for (const [isListed, expected] of [
    [false, ['GET methods']],
    [true, ['GET methods', 'GET method', 'DELETE method']],
  ] as const) {
    const { state, context } = resourcesOver(newState({ methods: [method('a', 'pm-r-1'), method('b', 'other')] }));
    const one = context();
    one.given.track(entry('a', 'pm-r-1'));
    await one.send(one.delivery.deleteMethod('a'));
    await one.send(one.delivery.readMethod('a'));
    if (isListed) state.methods.push(method('a', 'pm-r-1'));
    state.calls.length = 0;
    await one.cleanUp();
    const sent = state.calls.map((call) => call.replace(/\/v1\/store\/delivery_(methods?)\/.*/, '$1'));
    assert.deepEqual([sent, handles(state)], [expected, ['b']]);
  }
});

test('a method that the check has deleted and something has made again is deleted', async () => {
  const { state, context } = resourcesOver(newState({ methods: [method('a', 'pm-r-1')] }));
  const one = context();
  one.given.track(entry('a', 'pm-r-1'));
  await one.send(one.delivery.deleteMethod('a'));
  await one.send(one.delivery.readMethod('a'));
  state.methods.push(method('a', 'pm-r-1'));
  await one.send(one.delivery.readMethod('a'));
  await one.cleanUp();
  assert.deepEqual(handles(state), []);
});

test('what responses to the putting back break by themselves counts for the check', async () => {
  const state = newState({ data: 'new' });
  const client = createClient({
    profile: fixtureProfile(),
    transport: async (request) =>
      Response.json({ ...((await (await respond(state, request)).json()) as object), error: 0 }),
  });
  const one = resourcesOver(state, client).context();
  one.given.track({ kind: 'app-data', installation: 'own', old: 'old' });
  await one.cleanUp();
  assert.equal(state.data, 'old');
  assert.deepEqual([...one.breaches.keys()], ['envelope.v1.success-error-false']);
});

test('after a run in plain values, what was there before is put back as it was', async () => {
  const old = '<b>Łódź & “co”</b>';
  const { state, resources } = resourcesOver(newState({ snippets: { '': 'new' } }));
  const standIns = new StandIns({ mark: 'm', languages: ['en'], country: 'LV' });
  const plain = new Context(CHECK, resources, { standIns });
  plain.given.track({ kind: 'snippet', installation: 'own', old });
  await plain.cleanUp();
  assert.equal(state.snippets[''], old);
});

test('a session that ended is renewed while something is put back, however its token is refused', async () => {
  for (const tokenStatus of [400, 401, 403, 500]) {
    const state = newState({ status: 'disabled', settings: { company: 'New' }, tokenCalls: 1, tokenStatus });
    const { context, ledger } = resourcesOver(state);
    const one = context();
    one.given.track({ kind: 'website-status', website: 5, old: 'enabled' });
    one.given.track({ kind: 'reseller-settings', old: { company: 'Old' } });
    await one.cleanUp();
    assert.deepEqual([state.status, state.settings, ledger.orphans()], ['enabled', { company: 'Old' }, []]);
  }
});

test('a password that a wish for a pause keeps from being restored is not taken for the old one', async () => {
  for (const isChanged of [true, false]) {
    const state = newState({ password: 'old-password-1' });
    const inner = fixtureClient(state);
    let isLimited = false;
    const send: Client['send'] = async (request, options) => {
      const isChange = /\/api\/(password|authorize)\//.test(request.url);
      if (isLimited && isChange) throw new NoResponse('it still requests a lower rate (429).', 'configuration');
      return inner.send(request, options);
    };
    const { resources, context } = resourcesOver(state, Object.assign(Object.create(inner) as Client, { send }));
    const one = context();
    one.given.track({ kind: 'password' });
    const reseller = await one.reseller();
    if (isChanged) await one.send(reseller.changePassword(new Secret('P', temporary())));
    isLimited = true;
    await one.cleanUp();
    assert.equal(resources.session.passwordLost !== undefined, isChanged);
    if (!isChanged) continue;
    assert.match(resources.session.passwordLost!, /could not be restored \(.*429\)\)\. .*proofmark sweep r$/);
    // The process ends when there is no limit any more.
    isLimited = false;
    await resources.close();
    assert.deepEqual([state.password, resources.session.passwordLost], ['old-password-1', undefined]);
  }
});

const temporary = (): string => temporaryPassword(new Secret('P', 'old-password-1'), 'r');

const REFUSED_CREATES = [
  { name: 'by a target that lists no methods either', refused: ['store/'], left: 0 },
  { name: 'by a target that lists others', refused: [], left: 0 },
  { name: 'under a reference without a mark', refused: [], reference: 'Plainword', left: 0 },
  {
    name: 'under a reference without a mark, which the target lists all the same',
    refused: [],
    reference: 'Plainword',
    methods: [method('a', 'Plainword')],
    left: 1,
  },
  { name: 'without an answer at the second try', refused: ['store/'], statuses: [400, 503], left: 1 },
  { name: 'with an error of the server', refused: ['store/'], statuses: [500], left: 1 },
];

for (const {
  name,
  refused,
  reference = 'pm-r-9',
  methods = [method('b', 'other')],
  statuses,
  left,
} of REFUSED_CREATES) {
  test(`a create that was refused ${name} leaves ${left} behind`, async () => {
    const state = newState({ methods, refused });
    const given = [...(statuses ?? [])];
    const client = createClient({
      profile: fixtureProfile(),
      transport: async (request) => {
        const status = request.method === 'POST' ? given.shift() : undefined;
        return status === undefined ? respond(state, request) : new Response('{}', { status });
      },
    });
    const { ledger, context } = resourcesOver(state, client);
    const one = context();
    one.given.track({ kind: 'delivery-method', owner: 'private', reference });
    for (let sent = 0; sent < Math.max(1, statuses?.length ?? 0); sent += 1)
      await one.send(one.delivery.addMethod({ reference }));
    await one.cleanUp();
    assert.deepEqual(
      one.changes.map(({ what }) => what),
      left === 0 ? [] : ['created', 'orphan'],
    );
    assert.equal(ledger.orphans().length, left);
  });
}

/** What clean-up finds against clauses after creates under these references, each answered with its status; 200 makes a method. */
async function foundAfterCreates(creates: readonly (readonly [reference: string, status: number])[]) {
  const state = newState({ methods: [method('a', 'pm-r-9')] });
  const statuses = creates.map(([, status]) => status);
  const client = createClient({
    profile: fixtureProfile(),
    transport: async (request) => {
      if (request.method !== 'POST') return respond(state, request);
      const status = statuses.shift() ?? 500;
      return Response.json(status === 200 ? { error: false, handle: 'a' } : { error: true }, { status });
    },
  });
  const one = resourcesOver(state, client).context();
  for (const [reference] of creates) {
    one.given.track({ kind: 'delivery-method', owner: 'private', reference });
    await one.send(one.delivery.addMethod({ reference }));
  }
  await one.cleanUp();
  assert.deepEqual(handles(state), []);
  return [...one.breaches.keys()].filter((clause) => clause.endsWith('refusal-changes-nothing'));
}

test('a method whose create was refused is evidence when it is found; a second one under a reference is not', async () => {
  const CLAUSE = 'envelope.delivery.refusal-changes-nothing';
  assert.deepEqual(await foundAfterCreates([['pm-r-9', 400]]), [CLAUSE]);
  assert.deepEqual(
    await foundAfterCreates([
      ['pm-r-9', 200],
      ['pm-r-9', 409],
    ]),
    [],
  );
  // The service may have failed after it had made the method; whether it is a refusal can't be known.
  assert.deepEqual(await foundAfterCreates([['pm-r-9', 503]]), []);
});

test('of two methods that one create made before and after an error of a gateway both are removed', async () => {
  const state = newState();
  const statuses = [504, 200];
  const client = createClient({
    profile: fixtureProfile(),
    transport: async (request) => {
      if (request.method !== 'POST') return respond(state, request);
      state.methods.push(method(`m${state.methods.length}`, 'pm-r-9'));
      const status = statuses.shift() ?? 500;
      return Response.json(status === 200 ? { error: false, handle: 'm1' } : {}, { status });
    },
  });
  const { context, ledger } = resourcesOver(state, client);
  const one = context();
  const made = one.given.track({ kind: 'delivery-method', owner: 'private', reference: 'pm-r-9' });
  for (const _ of [504, 200]) await one.send(one.delivery.addMethod({ reference: 'pm-r-9' }));
  made.created({ handle: 'm1' });
  await one.cleanUp();
  assert.deepEqual(handles(state), []);
  assert.deepEqual(ledger.orphans(), []);
});
