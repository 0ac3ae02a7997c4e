import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { check } from '../../check/check.ts';
import { Context } from '../../check/context.ts';
import { fixtureProfile } from '../../cleanup/undo/undo.fixture.ts';
import { createRecorder } from '../../evidence/recorder.ts';
import { createRedaction } from '../../evidence/redaction/index.ts';
import { memoryLedger } from '../../runner/in-process.ts';
import { createClient } from '../../target/client/index.ts';
import { Apps } from '../../target/interfaces/apps.ts';
import { Delivery } from '../../target/interfaces/delivery.ts';
import { authorizeCall, Reseller } from '../../target/interfaces/reseller.ts';
import { isServed } from '../../target/response/judge-response.ts';
import { Secret } from '../../target/secrets/secret.ts';
import { Resources } from '../resources.ts';

const CHECK = check(
  'a.b',
  'MUST be',
  { clauses: [], needs: [], effects: 'read', part: 'reseller' },
  async () => undefined,
);

/** A service of the test: what it answers to one call, by its path and the credential in it. */
interface Service {
  /** The token that is good. */
  token: string;
  /** How many calls are refused, whatever they carry. */
  locked: number;
  /** The status of each refusal. */
  status: number;
  /** Whether a login is refused while a session is open. */
  readonly oneAtATime: boolean;
  /** Paths that are refused for other reasons. */
  readonly refuses: string[];
}

function serviceOf(part: Partial<Service> = {}) {
  const service: Service = {
    ...{ token: 't0', locked: 0, status: 403, refuses: [], oneAtATime: false },
    ...part,
  };
  const calls: string[] = [];
  const waits: number[] = [];
  let logins = 0;
  const transport = async (request: Request): Promise<Response> => {
    const path = new URL(request.url).pathname.replace(/^\/(api|v1)\//, '');
    const form = new URLSearchParams(request.method === 'GET' ? new URL(request.url).search : await request.text());
    calls.push(path);
    const refusal = Response.json(
      { error: true, errorCode: 1, errorMsg: 'No', error_code: 1, error_message: 'No' },
      { status: service.status },
    );
    if (service.locked > 0) {
      service.locked -= 1;
      return refusal;
    }
    if (path === 'authorize/') {
      const isOpen = service.oneAtATime && service.token !== 't0';
      if (form.get('password') !== 'old-password-1' || service.refuses.includes(path) || isOpen) return refusal;
      logins += 1;
      service.token = `t${logins}`;
      return Response.json({ error: false, apiToken: service.token });
    }
    const isGood = request.url.includes('/v1/')
      ? request.headers.get('authorization') === 'ApiKey private-key-1234' && !/languages.*wrong/.test(request.url)
      : form.get('apiToken') === service.token;
    if (!isGood || service.refuses.includes(path)) return refusal;
    if (path === 'authorize/logout/') service.token = 't0';
    return Response.json({ error: false });
  };
  const profile = fixtureProfile();
  const redaction = createRedaction();
  const resources = new Resources({
    profile,
    run: { run: 'r', seed: 1, propertyRuns: 0, selected: [], showPersonalData: false, unusable: {} },
    redaction,
    ledger: memoryLedger(),
    driver: undefined,
    recorder: createRecorder({ check: '', spool: () => undefined, redaction }),
    client: createClient({ profile, transport }),
    clock: { now: () => 0, sleep: async (ms) => void waits.push(ms) },
  });
  const context = new Context(CHECK, resources);
  return { service, calls, waits, context, called: () => calls.splice(0) };
}

describe('a session that ended', () => {
  for (const status of [400, 401, 403, 419, 500]) {
    test(`is renewed, and the call sent again, when it is refused with ${status}`, async () => {
      const { service, context, called } = serviceOf({ status });
      const reseller = await context.reseller();
      service.token = 'another';
      assert.ok(isServed(await context.send(reseller.enableWebsite('7'))));
      assert.deepEqual(called(), [
        'authorize/',
        'website/7/enable/',
        'balance/',
        'balance/',
        'authorize/',
        'website/7/enable/',
      ]);
      assert.ok(isServed(await context.send(reseller.disableWebsite('7'))), 'later calls go out with the new token');
      assert.deepEqual(called(), ['website/7/disable/']);
    });
  }

  test('is distinguished from a call that is refused for another reason, which is sent once, without a new login', async () => {
    const { context, called } = serviceOf({ status: 401, refuses: ['website/7/enable/'] });
    const reseller = await context.reseller();
    assert.ok(!isServed(await context.send(reseller.enableWebsite('7'))));
    assert.deepEqual(called(), ['authorize/', 'website/7/enable/', 'balance/']);
  });

  test('does not hide that a call is refused for itself: the second refusal counts', async () => {
    const { service, context, called } = serviceOf({ refuses: ['website/7/enable/'] });
    const reseller = await context.reseller();
    await context.send(reseller.readBalance());
    called();
    service.token = 'another';
    assert.ok(!isServed(await context.send(reseller.enableWebsite('7'))));
    assert.deepEqual(called(), ['website/7/enable/', 'balance/', 'authorize/', 'website/7/enable/']);
  });

  test('decides nothing of a call where no login is left', async () => {
    const { service, context } = serviceOf();
    const reseller = await context.reseller();
    // Both places of parameters are known, so that a refusal is not laid to them.
    for (const method of ['GET', 'POST'] as const) await context.send(reseller.readBalance(method));
    service.token = 'another';
    service.refuses.push('authorize/');
    await assert.rejects(async () => context.send(reseller.disablePremium('7')), {
      message: /could not log in again/,
      attribution: 'target',
    });
  });

  test('is renewed once for calls that were under way at the same time', async () => {
    const { service, context, called } = serviceOf();
    const reseller = await context.reseller();
    await context.send(reseller.readBalance());
    called();
    service.token = 'another';
    const responses = await Promise.all(['7', '8', '9'].map((id) => context.send(reseller.enableWebsite(id))));
    assert.ok(responses.every(isServed));
    assert.equal(called().filter((path) => path === 'authorize/').length, 1);
  });

  test('is asked for once after calls that were refused at the same time', async () => {
    const { context, called } = serviceOf({ refuses: ['website/7/enable/', 'website/7/disable/'] });
    const reseller = await context.reseller();
    await context.send(reseller.readBalance());
    called();
    const both = () =>
      Promise.all([context.send(reseller.enableWebsite('7')), context.send(reseller.disableWebsite('7'))]);
    assert.ok((await both()).every((response) => !isServed(response)));
    assert.deepEqual(called(), ['website/7/enable/', 'website/7/disable/', 'balance/']);
    await both();
    assert.equal(called().length, 3, 'and again after later ones');
  });

  test('is not renewed for calls with a token of the check, or with none', async () => {
    const { context, called } = serviceOf();
    await context.reseller();
    called();
    await context.send(new Reseller(new Secret('OWN', 'of-the-check')).readBalance());
    await context.send({ ...new Reseller(new Secret('OWN', 'x')).readBalance(), body: { form: [] } });
    assert.deepEqual(called(), ['balance/', 'balance/']);
  });
});

describe('a login that is refused while a session is open', () => {
  const [email, right] = ['me@reseller.example', 'old-password-1'];

  test('is sent again after a logout', async () => {
    const { service, context, called } = serviceOf({ oneAtATime: true });
    await context.reseller();
    assert.ok(isServed(await context.send(authorizeCall(email, right))));
    assert.deepEqual(called(), ['authorize/', 'authorize/', 'authorize/logout/', 'authorize/']);
    assert.equal(service.token, 't2');
  });

  test('is not suspected of a wrong password', async () => {
    const { context, called } = serviceOf();
    await context.reseller();
    assert.ok(!isServed(await context.send(authorizeCall(email, 'wrong'))));
    assert.deepEqual(called(), ['authorize/', 'authorize/']);
  });

  test('is not suspected where the service has no such call', async () => {
    const { service, context, called } = serviceOf({ status: 405 });
    await context.reseller();
    service.refuses.push('authorize/');
    assert.ok(!isServed(await context.send(authorizeCall(email, right))));
    assert.deepEqual(called(), ['authorize/', 'authorize/']);
  });

  test('is tried once where another reason prevents it', async () => {
    const { service, context, called } = serviceOf();
    await context.reseller();
    service.refuses.push('authorize/');
    for (let tries = 0; tries < 3; tries += 1) assert.ok(!isServed(await context.send(authorizeCall(email, right))));
    assert.equal(called().filter((path) => path === 'authorize/logout/').length, 1);
  });
});

describe('a lock after wrong credentials', () => {
  const KEY = new Secret('KEY', 'private-key-1234');
  const delivery = new Delivery('private', KEY);
  const stranger = new Delivery('private', new Secret('WRONG', 'wrong'));

  test('that has ended at the next call does not count as its refusal', async () => {
    const { service, context, called } = serviceOf();
    await context.send(delivery.listMethods());
    await context.send(stranger.listMethods());
    service.locked = 1;
    assert.ok(isServed(await context.send(delivery.readMethod('h'))));
    assert.equal(called().length, 4);
  });

  test('is waited for', async () => {
    const { service, context, waits } = serviceOf();
    await context.send(delivery.listMethods());
    await context.send(stranger.listMethods());
    service.locked = 5;
    assert.ok(isServed(await context.send(delivery.readMethod('h'))));
    assert.deepEqual(waits, [1000, 2000, 4000]);
  });

  test('that does not end leaves the check undecided, and is waited for once a run', async () => {
    const { service, context, waits } = serviceOf();
    await context.send(delivery.listMethods());
    await context.send(stranger.listMethods());
    service.locked = 1000;
    await assert.rejects(context.send(delivery.readMethod('h')), { attribution: 'configuration', message: /lock/ });
    const waited = waits.reduce((sum, ms) => sum + ms, 0);
    assert.ok(waited > 20_000 && waited <= 60_000, `${waited} ms`);
    waits.length = 0;
    await assert.rejects(context.send(delivery.readMethod('h')), /lock/);
    assert.ok(waits.length <= 5, `${waits}`);
    assert.ok(!isServed(await context.send(delivery.readMethod('h'), 'cleanup')), 'what is put back meets the refusal');
  });

  test('is not suspected where the caller is served otherwise, or sent nothing wrong', async () => {
    const { context, called, waits } = serviceOf({ refuses: ['store/delivery_method/h/'] });
    await context.send(delivery.listMethods());
    assert.ok(!isServed(await context.send(delivery.readMethod('h'))));
    assert.equal(called().length, 2);
    await context.send(stranger.listMethods());
    assert.ok(!isServed(await context.send(delivery.readMethod('h'))));
    assert.equal(called().length, 4, 'once more, and a read that shows that there is no lock');
    assert.deepEqual(waits, []);
  });

  test('is not suspected of a credential that opens one call and never opened the others', async () => {
    const { context, waits } = serviceOf();
    const [right, wrong] = ['right', 'wrong'].map((code) => new Apps(KEY, new Secret('CODE', code))) as [Apps, Apps];
    assert.ok(isServed(await context.send(right.getLanguages())));
    // A faulty service gives the data to any code.
    assert.ok(isServed(await context.send(wrong.getData())));
    await context.send(stranger.listMethods());
    assert.ok(!isServed(await context.send(wrong.getLanguages())));
    assert.deepEqual(waits, []);
  });

  test('of logins is waited for, and a wrong password is sent once', async () => {
    const { service, context, called, waits } = serviceOf();
    const [email, right] = ['me@reseller.example', 'old-password-1'];
    await context.send(authorizeCall(email, right));
    await context.send(authorizeCall(email, 'wrong'));
    assert.ok(!isServed(await context.send(authorizeCall(email, 'wrong'))));
    assert.equal(called().length, 3);
    // The login, two tries to log out, the login again, what shows the lock, and once more after a wait.
    service.locked = 6;
    assert.ok(isServed(await context.send(authorizeCall(email, right))));
    assert.deepEqual(waits, [1000, 2000]);
  });

  test('leaves the session to be renewed when it is over', async () => {
    const { service, context } = serviceOf();
    const reseller = await context.reseller();
    await context.send(new Reseller(new Secret('OWN', 'x')).readBalance());
    service.token = 'another';
    service.locked = 3;
    assert.ok(isServed(await context.send(reseller.readSettings())));
  });

  test('is not seen in a token that was logged out, or a password that was changed', async () => {
    const { service, context, called } = serviceOf();
    const reseller = await context.reseller();
    context.resources.session.forget();
    await context.send(new Reseller(new Secret('OWN', 'x')).readBalance());
    await context.send(reseller.logOut());
    service.token = 'none';
    await context.send(new Reseller(new Secret('OWN', 'x')).readBalance());
    called();
    assert.ok(!isServed(await context.send(reseller.readBalance())));
    assert.equal(called().length, 1);

    const [email, old] = ['me@reseller.example', 'old-password-1'];
    const own = await context.reseller();
    context.resources.session.forget();
    await context.send(authorizeCall(email, 'wrong'));
    await context.send(own.changePassword(new Secret('NEW', 'new')));
    service.locked = 1;
    called();
    assert.ok(!isServed(await context.send(authorizeCall(email, old))));
    assert.equal(called().length, 1);
  });
});
