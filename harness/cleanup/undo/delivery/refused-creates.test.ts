/** What clean-up makes of creates that were refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Context } from '../../../check/context.ts';
import { StandIns } from '../../../plain/stand-ins/stand-ins.ts';
import { createClient } from '../../../target/client/index.ts';
import { CHECK, handles, method, resourcesOver } from '../scope.fixture.ts';
import { fixtureProfile, newState, respond } from '../undo.fixture.ts';

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

test('what the process keeps counts the creates that the calls of a check were refused', async () => {
  const { ledger, resources, context } = resourcesOver(newState({ methods: [method('b', 'other')] }));
  const one = context();
  one.givenForAll.track({ kind: 'delivery-method', owner: 'private', reference: 'Plainword' });
  await one.send(one.delivery.addMethod({ reference: 'Plainword' }));
  await one.cleanUp();
  await resources.close();
  assert.deepEqual(resources.kept.notes, []);
  assert.equal(ledger.orphans().length, 0);
});

test('a method whose reference went out in place of none is removed at the end of the process', async () => {
  const state = newState();
  const made: Record<string, unknown>[] = [];
  const client = createClient({
    profile: fixtureProfile(),
    transport: async (request) => {
      if (request.method !== 'POST') return respond(state, request);
      const { delivery_method } = (await request.json()) as { delivery_method: { reference: string; title: unknown } };
      made.push(delivery_method);
      state.methods.push(method('made', delivery_method.reference));
      return Response.json({ error: false, handle: 'made' });
    },
  });
  const { ledger, resources } = resourcesOver(state, client);
  const plain = new Context(CHECK, resources, {
    standIns: new StandIns({ mark: 'm', languages: ['en'], country: 'LV' }),
  });
  await plain.givenForAll.newMethod(plain.delivery, { reference: undefined });
  assert.match(String(made[0]?.reference), /^p[a-z]+$/);
  await plain.cleanUp();
  await resources.close();
  assert.deepEqual([handles(state), ledger.orphans()], [[], []]);
});

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

test('one list shows that none of several refused creates has made a method', async () => {
  const state = newState({ methods: [method('b', 'other')] });
  const client = createClient({
    profile: fixtureProfile(),
    transport: async (request) =>
      request.method === 'POST' ? Response.json({ error: true }, { status: 400 }) : respond(state, request),
  });
  const one = resourcesOver(state, client).context();
  for (const reference of ['pm-r-7', 'pm-r-8', 'pm-r-9']) {
    one.given.track({ kind: 'delivery-method', owner: 'private', reference });
    await one.send(one.delivery.addMethod({ reference }));
  }
  await one.cleanUp();
  assert.deepEqual(one.changes, []);
  assert.equal(state.calls.filter((call) => call.includes('delivery_methods')).length, 1);
});
