import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { check } from '../check/check.ts';
import { Context } from '../check/context.ts';
import { GivenFailure } from '../check/failures.ts';
import { runCheck } from '../check/running/run-check.ts';
import { temporaryPassword } from '../cleanup/undo/reseller/temporary-passwords.ts';
import { FIXTURE_PROFILE, fixtureClient, fixtureProfile, newState } from '../cleanup/undo/undo.fixture.ts';
import { createRecorder } from '../evidence/recorder.ts';
import { createRedaction } from '../evidence/redaction/index.ts';
import { memoryLedger } from '../runner/in-process.ts';
import type { ServiceRequest } from '../target/client/request.ts';
import { authorizeCall } from '../target/interfaces/reseller.ts';
import { isServed } from '../target/response/judge-response.ts';
import { Secret } from '../target/secrets/secret.ts';
import { Resources } from './resources.ts';

const CHECK = check(
  'a.b',
  'MUST be',
  { clauses: [], needs: [], effects: 'read', part: 'reseller' },
  async () => undefined,
);

function resourcesOver(profile: object = FIXTURE_PROFILE, now: () => number = Date.now) {
  const state = newState();
  const redaction = createRedaction();
  const resources = new Resources({
    profile: fixtureProfile(profile),
    run: { run: 'r', seed: 1, propertyRuns: 0, selected: [], showPersonalData: false, unusable: {} },
    redaction,
    ledger: memoryLedger(),
    driver: undefined,
    recorder: createRecorder({ check: '', spool: () => undefined, redaction }),
    client: fixtureClient(state),
    clock: { now, sleep: async () => undefined },
  });
  return { state, resources };
}

test('a token that ended between two checks is followed by a new one, and a good one is kept', async () => {
  let now = 0;
  const { state, resources } = resourcesOver(FIXTURE_PROFILE, () => now);
  const called = () => state.calls.splice(0).map((call) => call.replace('POST /api/', ''));
  const first = new Context(CHECK, resources);
  await first.reseller();
  await first.reseller();
  assert.deepEqual(called(), ['authorize/'], 'one check asks nothing twice');
  await new Context(CHECK, resources).reseller();
  assert.deepEqual(called(), [], 'a token that was served just now is not asked about');
  now += 60_000;
  const second = new Context(CHECK, resources);
  await second.reseller();
  await second.reseller();
  assert.deepEqual(called(), ['balance/']);
  now += 60_000;
  state.endedTokens = 1;
  const third = new Context(CHECK, resources);
  const { token } = await third.reseller();
  assert.deepEqual(called(), ['balance/', 'authorize/', 'balance/'], 'the refused call is sent again');
  assert.equal(token.reveal(), 'token-1-of-old-password-1');
  resources.session.tokenAnswered(false);
  await new Context(CHECK, resources).reseller();
  assert.deepEqual(called(), ['balance/'], 'a token that was refused is asked about');
});

test('a login that is served without a token is evidence about the service, not about the profile', async () => {
  const { resources } = resourcesOver();
  const send = async (call: ServiceRequest) =>
    ({ request: call, status: 200, headers: [], json: { error: false, api_token: 'another-name' } }) as never;
  await assert.rejects(resources.session.token(send), (error) => {
    assert.ok(error instanceof GivenFailure);
    assert.equal(error.clause, 'reseller.authorize.token');
    return true;
  });
});

test('a login at which the service fails by itself is not blamed on the profile', async () => {
  const { resources } = resourcesOver();
  for (const [status, text, attribution] of [
    [500, '', 'target'],
    [500, '<h1>Internal Server Error</h1>', 'target'],
    [401, '', 'configuration'],
    [500, '{"error":true,"errorCode":500,"errorMsg":"Unknown user"}', 'configuration'],
  ] as const) {
    const send = async () => ({ status, text, json: text.startsWith('{') ? JSON.parse(text) : undefined }) as never;
    await assert.rejects(resources.session.token(send), { attribution }, `${status} ${text}`);
  }
});

test('a session that was set aside goes on without a login if it is still good', async () => {
  const { state, resources } = resourcesOver();
  const called = () => state.calls.splice(0).map((call) => call.replace('POST /api/', ''));
  await new Context(CHECK, resources).reseller();
  resources.session.forget();
  called();
  await new Context(CHECK, resources).reseller();
  assert.deepEqual(called(), [], 'nothing was sent since it was opened');
  const login = async () => resources.send(authorizeCall('me@reseller.example', 'old-password-1'));
  await login();
  resources.session.forget();
  called();
  await new Context(CHECK, resources).reseller();
  assert.deepEqual(called(), ['balance/'], 'a login may have ended it');
  resources.session.forget();
  await login();
  state.endedTokens = 1;
  await new Context(CHECK, resources).reseller();
  assert.ok(called().includes('authorize/'));
});

test('a session that was set aside is not asked about before a call that only needs to be served', async () => {
  const { state, resources } = resourcesOver();
  const called = () => state.calls.splice(0).map((call) => call.replace('POST /api/', ''));
  await new Context(CHECK, resources).reseller();
  await resources.send(authorizeCall('me@reseller.example', 'old-password-1'));
  resources.session.forget();
  called();
  const context = new Context(CHECK, resources);
  const reseller = await context.resellerUnchecked();
  assert.deepEqual(called(), []);
  await context.reseller();
  assert.deepEqual(called(), ['balance/'], 'it has shown nothing yet');
  await resources.send(authorizeCall('me@reseller.example', 'old-password-1'));
  resources.session.forget();
  state.endedTokens = 1;
  called();
  const other = new Context(CHECK, resources);
  await other.resellerUnchecked();
  assert.ok(isServed(await other.send(reseller.readSettings())));
  assert.ok(called().includes('authorize/'), 'what meets its end goes out in a new one');
});

test('where the target keeps the password of the run, who logs in learns that, and the target is not blamed', async () => {
  const { state, resources } = resourcesOver();
  const changes = new Context(CHECK, resources);
  changes.given.track({ kind: 'password' });
  state.password = temporaryPassword(new Secret('OLD', 'old-password-1'), 'r');
  state.refused.push('/api/password/');
  await changes.cleanUp();
  const reseller = new Context(CHECK, resources).reseller();
  await assert.rejects(reseller, { attribution: 'configuration', message: /refused to restore the old password/ });
});

test('a login link into a local network is not followed when the target is elsewhere', async () => {
  const { state, resources } = resourcesOver({ v1: 'https://203.0.113.5/v1/', api: 'https://203.0.113.5/api/' });
  const visitor = new Context(CHECK, resources).visitor();
  for (const address of [
    'http://127.0.0.1:4010/login/x',
    'http://169.254.169.254/latest/',
    'https://[::ffff:10.0.0.1]/',
  ])
    await assert.rejects(visitor.open(address), {
      attribution: 'target',
      message: /address, and the target is not in that network: no request was sent/,
    });
  assert.deepEqual(state.calls, []);
});

const LABEL_CHECK = check(
  'labels.c',
  'MUST be',
  { clauses: [], needs: [], effects: 'read', part: 'labels' },
  async (context) => {
    (await context.listener()).serve('page', () => ({ body: '' }));
    context.expect.that(false, 'must send a request');
  },
);

test('a target is not blamed for requests that could not reach the harness', async (t) => {
  const other = createServer((_request, response) => response.end('not the harness'));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  t.after(() => other.close());
  const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
  const cases: readonly [listen: object, verdict: string, reason: RegExp][] = [
    [{}, 'fail', /must send a request/],
    [
      { publicUrl: elsewhere },
      'inconclusive',
      /does not lead to the harness \(status 200, something else.*start the tunnel/,
    ],
    [{ publicUrl: 'http://127.0.0.1:9/' }, 'inconclusive', /does not lead to the harness/],
    [
      { port: (other.address() as AddressInfo).port },
      'inconclusive',
      /can't listen on 127.0.0.1:\d+: another program listens/,
    ],
    [{ host: '192.0.2.1' }, 'inconclusive', /this machine does not have that address/],
  ];
  for (const [listen, verdict, reason] of cases) {
    const { resources } = resourcesOver({ ...FIXTURE_PROFILE, listen });
    const { result } = await runCheck(LABEL_CHECK, 'labels', resources, () => []);
    await resources.close();
    assert.equal(result.verdict, verdict, result.reason);
    assert.match(result.reason ?? '', reason);
    assert.equal(result.attribution, verdict === 'fail' ? 'target' : 'configuration');
  }
});
