import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Context } from '../../check/context.ts';
import { GivenFailure } from '../../check/failures.ts';
import { StandIns } from '../../plain/stand-ins/stand-ins.ts';
import { once } from '../../resources/once.ts';
import { createClient } from '../../target/client/index.ts';
import { NoResponse } from '../../target/client/no-response.ts';
import type { Client } from '../../target/client/types.ts';
import { Secret } from '../../target/secrets/secret.ts';
import { MAX_UNACCOUNTED_METHODS } from '../unaccounted-methods.ts';
import { temporaryPassword } from './reseller/temporary-passwords.ts';
import { CHECK, entry, handles, method, resourcesOver } from './scope.fixture.ts';
import { fixtureClient, fixtureProfile, newState, respond } from './undo.fixture.ts';

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

test('where no create shows what it made, and nothing can be listed, no more than some are sent', async () => {
  let isListed = false;
  const state = newState();
  const failing = createClient({
    profile: fixtureProfile(),
    transport: async (request) => (isListed ? respond(state, request) : new Response('', { status: 500 })),
  });
  const { context } = resourcesOver(state, failing);
  const create = async (number: number) => {
    const one = context();
    one.given.track({ kind: 'delivery-method', owner: 'private', reference: `pm-r-${number}` });
    await one.cleanUp();
  };
  for (let number = 1; number < MAX_UNACCOUNTED_METHODS; number += 1) await create(number);
  // What a list does not contain was not made.
  isListed = true;
  await create(0);
  isListed = false;
  await create(0);
  await assert.rejects(create(0), {
    attribution: 'target',
    message: /^each of 20 creates of delivery methods has failed/,
  });
});

test('a method whose handle is known shows that what is made can be found', async () => {
  const { context } = resourcesOver(
    newState(),
    createClient({ profile: fixtureProfile(), transport: async () => new Response('', { status: 500 }) }),
  );
  for (let number = 0; number <= MAX_UNACCOUNTED_METHODS; number += 1) {
    const one = context();
    const tracked = one.given.track({ kind: 'delivery-method', owner: 'private', reference: `pm-r-${number}` });
    if (number === 0) tracked.created({ handle: 'h' });
    await one.cleanUp();
  }
  assert.ok(context().given.track({ kind: 'delivery-method', owner: 'private', reference: 'pm-r-last' }));
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
    [true, ['GET methods', 'DELETE method']],
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
    one.given.track({ kind: 'website-status', website: '5', old: 'enabled' });
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
