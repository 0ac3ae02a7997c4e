// A gateway that answers in place of its service is waited for; a service that refuses with the same statuses is heard.
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { afterEach, test } from 'node:test';
import { clientOf, closeAll, fakeClock, get, noResponse, post, profileOf, serve } from '../client.fixture.ts';
import { MAX_AWAY_MS } from './absence.ts';

afterEach(closeAll);

const ENVELOPE = '{"error":true,"error_code":503,"error_message":"No."}';
const END = 'store/delivery_method/';

/** A service that answers with `refuse` where it says so, and otherwise serves; `paths` is what it was asked. */
async function service(refuses: (path: string) => boolean, refuse: (response: ServerResponse) => void) {
  const paths: string[] = [];
  const { base } = await serve((request, response) => {
    const path = `${request.method} ${request.url?.replace('/v1/', '')}`;
    paths.push(path);
    if (refuses(path)) refuse(response);
    else response.end('{"delivery_methods":[]}');
  });
  const clock = fakeClock();
  const client = clientOf(profileOf({ v1: base }), { clock });
  await client.send(get(`${base}store/delivery_methods/`));
  await client.send(get(`${base}${END}one/`));
  return { base, client, clock, asked: () => paths.splice(0) };
}

const gateway = (response: ServerResponse): void => void response.writeHead(502).end('<h1>Bad Gateway</h1>');
const envelope = (response: ServerResponse): void => void response.writeHead(503).end(ENVELOPE);

for (const [name, refuse] of Object.entries({ gateway, envelope })) {
  test(`a target that is away for all calls is waited for (${name}): a read is repeated, a write is lost`, async () => {
    let left = 0;
    const refuses = (): boolean => {
      left -= 1;
      return left >= 0;
    };
    const { base, client, clock, asked } = await service(refuses, refuse);
    asked();
    left = 5;
    assert.equal((await client.send(get(`${base}store/delivery_methods/`))).status, 200);
    assert.deepEqual(clock.slept.splice(0), [1000, 1000]);
    left = 4;
    const lost = await noResponse(client.send(post(`${base}${END}`)));
    assert.deepEqual([lost.attribution, lost.isLost], ['network', true]);
    asked();
    left = 3;
    const removal = { ...get(`${base}${END}one/`), method: 'DELETE' };
    assert.equal((await client.send(removal, { role: 'cleanup' })).status, 200);
    assert.deepEqual(
      asked().filter((path) => path.startsWith('DELETE')),
      ['DELETE store/delivery_method/one/', 'DELETE store/delivery_method/one/'],
    );
  });
}

test('a service that refuses single calls with such a status is there, and is soon not asked for it', async () => {
  const { base, client, clock, asked } = await service((path) => path.startsWith('POST'), envelope);
  asked();
  for (let n = 0; n < 6; n += 1) assert.equal((await client.send(post(`${base}${END}`))).status, 503);
  assert.deepEqual(clock.slept, []);
  const asks = asked().filter((path) => path.startsWith('GET'));
  assert.equal(asks.length, 3);
});

test('a write that is served otherwise, and answered by a gateway, may have been carried out: it is not a refusal', async () => {
  let isLate = false;
  const isWrite = (path: string): boolean => isLate && path.startsWith('POST');
  const { base, client } = await service(isWrite, gateway);
  assert.equal((await client.send(post(`${base}${END}`))).status, 200);
  isLate = true;
  const lost = await noResponse(client.send(post(`${base}${END}`)));
  assert.deepEqual([lost.attribution, lost.isLost], ['network', true]);
  assert.match(lost.message, /502 to POST without an error envelope.* may have been executed/);
  // It was never served, so that this is how the service answers it.
  assert.equal((await client.send(post(`${base}${END}one/pickup_point/`))).status, 502);
});

test('an operation that is never served again shows no outage, although it was served before', async () => {
  let isBroken = false;
  const { base, client } = await service((path) => isBroken && path.includes('methods'), gateway);
  isBroken = true;
  assert.equal((await client.send(get(`${base}store/delivery_methods/`))).status, 502);
});

test('a target that stays away is waited for once; no call to it is judged', async () => {
  let isAway = false;
  const { base, client, clock } = await service(() => isAway, gateway);
  const waited = (): number => clock.slept.splice(0).reduce((sum, ms) => sum + ms, 0);
  isAway = true;
  assert.equal((await noResponse(client.send(post(`${base}${END}`)))).attribution, 'network');
  assert.equal(waited(), MAX_AWAY_MS);
  assert.match((await noResponse(client.send(get(`${base}store/delivery_methods/`)))).message, /502.*run again/);
  assert.equal(waited(), 0);
  isAway = false;
  assert.equal((await client.send(post(`${base}${END}`))).status, 200);
});
