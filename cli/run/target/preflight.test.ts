/** What the first request to an address meets when the service is not there: the reason names who can fix it. */
import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Server } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { parseProfile } from '../../../harness/target/profile/index.ts';
import { startMock } from '../../../mock/index.ts';
import { profileOf } from '../../../mock/profile.ts';
import { createService } from '../../../mock/service.ts';
import { preflight } from './preflight.ts';

async function portOf(t: TestContext, server: Server): Promise<number> {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

async function reasonFor(t: TestContext, server: Server, more: object = {}): Promise<string> {
  const v1 = `http://127.0.0.1:${await portOf(t, server)}/v1/`;
  const text = JSON.stringify({ v1, ...more, delivery: { private: { apiKey: 'store-key-123456' } } });
  const profile = parseProfile(text, { file: 'p.json', folder: '/', env: {} });
  const { unusable } = await preflight(profile, { clock: { now: Date.now, sleep: async () => undefined } });
  return `${unusable.v1?.attribution}: ${unusable.v1?.reason}`;
}

const web = (listener: RequestListener): Server => createServer(listener);
const redirectTo = (location: string): Server =>
  web((_request, response) => response.writeHead(302, { location }).end());

test('a redirect to a page of the same host is a gate, one to another host a wrong address', async (t) => {
  assert.match(
    await reasonFor(t, redirectTo('/login?next=/')),
    /^configuration: .* another page of the same host, as to a sign-in page/,
  );
  assert.match(
    await reasonFor(t, redirectTo('https://other.example/')),
    /^configuration: .* redirects to https:\/\/other/,
  );
});

test('a connection that is closed at the first contact may come from the address', async (t) => {
  const closing = createSocketServer((socket) => socket.on('error', () => undefined).destroy());
  assert.match(
    await reasonFor(t, closing),
    /^configuration: .* If it expects https:\/\/, write that into the address\./,
  );
});

test('maintenance is waited for, not repaired', async (t) => {
  const maintenance = web((_request, response) => response.writeHead(503, { 'retry-after': '3600' }).end('Back soon'));
  assert.match(await reasonFor(t, maintenance), /^network: .* out of service for now/);
});

test('a server that does not serve the host of the request hears another one than its own', async (t) => {
  const misdirected = (): Server =>
    web((_request, response) =>
      response
        .writeHead(421, { 'content-type': 'application/json' })
        .end('{"error":true,"error_code":421,"error_message":"no such host"}'),
    );
  assert.match(
    await reasonFor(t, misdirected()),
    /^configuration: .* status 421.* write the base address .* --trust v1/,
  );
  assert.match(
    await reasonFor(t, misdirected(), { headers: { Host: 'shop.example:8443' } }),
    /^configuration: .* correct or remove "headers.Host"/,
  );
});

/** The same response to everything. */
const everything = (status: number, text: string, headers: Record<string, string> = {}): Server =>
  web((request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
  });

test('a gate that asks for a user name and password is not the service, and refuses no key', async (t) => {
  const basic = { 'www-authenticate': 'Basic realm="staging"' };
  assert.match(
    await reasonFor(t, everything(401, '{"message":"Unauthorized"}', basic)),
    /^configuration: .* like a gate .*: let the gate read another header than Authorization, and set that one in "headers"/,
  );
  const envelope = '{"error":true,"error_code":401,"error_message":"Unauthorized"}';
  assert.match(await reasonFor(t, everything(401, envelope, basic)), /^undefined/);
});

test('one response to everything, without the envelope, is that of another server', async (t) => {
  for (const [status, text] of [
    [403, '{"message":"Forbidden"}'],
    [404, '{"message":"no Route matched with those values"}'],
    [200, '{"ok":true}'],
  ] as const)
    assert.match(
      await reasonFor(t, everything(status, text)),
      /^configuration: .* to a path that no interface has, with the same response .* --trust v1/,
    );
  // A service that accepts everything is judged, and so is one that leaves its bodies out.
  for (const text of ['{"error":false}', '']) assert.match(await reasonFor(t, everything(200, text)), /^undefined/);
});

test('a run that is asked to stop sends no further probe', async (t) => {
  await using service = await startMock();
  const profile = parseProfile(JSON.stringify(service.profile), { file: 'p.json', folder: '/', env: {} });
  const sent = async (isStopped?: () => boolean): Promise<number> => {
    const { requests, unusable } = await preflight(profile, isStopped === undefined ? {} : { isStopped });
    assert.deepEqual(unusable, {});
    return requests;
  };
  const all = await sent();
  assert.equal(await sent(() => true), 0);
  let asked = 0;
  const some = await sent(() => {
    asked += 1;
    return asked > 5;
  });
  assert.equal(some, 5);
  assert.ok(all > 15, `${all} requests`);
  t.diagnostic(`${all} requests without a stop`);
});

test('the time that a response takes is measured, where some come', async () => {
  const service = createService({ origin: 'http://127.0.0.1:4010' });
  const profile = parseProfile(JSON.stringify(profileOf(service)), { file: 'p.json', folder: '/', env: {} });
  const transport = async (request: Request): Promise<Response> => {
    await setTimeout(40);
    return service.fetch(request);
  };
  const { responseMs = 0 } = await preflight(profile, { transport });
  // Timers may be a millisecond early.
  assert.ok(responseMs >= 39, `${responseMs} ms`);
  let asked = 0;
  const isStopped = (): boolean => {
    asked += 1;
    return asked > 3;
  };
  assert.equal((await preflight(profile, { transport, isStopped })).responseMs, undefined);
  service.close();
});
