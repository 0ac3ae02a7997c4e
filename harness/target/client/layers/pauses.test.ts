/** What the client does when a target asks for fewer requests. */
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { clientOf, closeAll, fakeClock, get, noResponse, post, profileOf, serve } from '../client.fixture.ts';
import { noticesOf } from '../notices.ts';
import { isThrottled } from './pause.ts';
import { MAX_PAUSES, MAX_PAUSES_MS } from './pauses.ts';

afterEach(closeAll);

test('a wish for a pause is obeyed, for all workers, and reported', async () => {
  const { base } = await serve((_request, response, n) => {
    if (n === 1) response.writeHead(429, { 'retry-after': '2' });
    else if (n === 2) {
      response.sendDate = false;
      response.writeHead(503, { 'retry-after': 'Thu, 01 Jan 2026 00:00:03 GMT' });
    } else if (n === 3) response.writeHead(429);
    response.end('{}');
  });
  const clock = fakeClock();
  const pauses: number[] = [];
  let turns = 0;
  const rate = {
    take: async () => {
      turns += 1;
    },
    pause: (ms: number) => void pauses.push(ms),
  };
  const client = clientOf(profileOf({ v1: base }), { clock, rate });
  assert.equal((await client.send(post(base))).status, 200);
  assert.deepEqual(clock.slept, [2000, 3000, 4000]);
  assert.deepEqual(pauses, clock.slept);
  assert.equal(turns, 4);
  assert.match(noticesOf(client.hindrances).join(), /a lower rate 3 times.*9.0 s/);
});

test('a target that keeps asking, or asks for too long, is not judged, and is left alone for a while', async () => {
  let [retryAfter, status] = ['0', 429];
  const { base, seen } = await serve((_request, response) => {
    if (status !== 200) response.writeHead(status, { 'retry-after': retryAfter });
    response.end('{"error":true}');
  });
  const clock = { ...fakeClock(), time: 0, now: () => clock.time };
  const client = clientOf(profileOf({ v1: base }), { clock });
  const first = await noResponse(client.send(get(base)));
  assert.deepEqual([first.attribution, seen()], ['configuration', MAX_PAUSES + 1]);
  assert.match(first.message, /still requests a lower rate \(429\).*limits\.requestsPerSecond/);
  assert.match((await noResponse(client.send(get(base)))).message, /was not sent/);
  assert.equal(seen(), MAX_PAUSES + 1);
  // What has to be put right is tried all the same.
  await noResponse(client.send(post(base), { role: 'cleanup' }));
  assert.equal(seen(), 2 * (MAX_PAUSES + 1));
  // Later it is asked once, and no more than that while it goes on like this.
  clock.time += MAX_PAUSES_MS;
  [retryAfter, status] = [String(MAX_PAUSES_MS / 1000 + 1), 503];
  const second = await noResponse(client.send(get(base)));
  assert.deepEqual([second.attribution, seen()], ['network', 2 * (MAX_PAUSES + 1) + 1]);
  assert.match(second.message, /out of service/);
  clock.time += MAX_PAUSES_MS;
  status = 200;
  assert.equal((await client.send(get(base))).status, 200);
  status = 429;
  retryAfter = '0';
  await noResponse(client.send(get(base)));
  assert.equal(seen(), 3 * (MAX_PAUSES + 1) + 2);
  // A clock that was put back does not keep it waiting.
  clock.time = -1_000_000;
  await noResponse(client.send(get(base)));
  assert.equal(seen(), 3 * (MAX_PAUSES + 1) + 3);
});

test('a date to wait for is read by the clock of the target', async () => {
  const { base } = await serve((_request, response, n) => {
    const date = 'Fri, 01 Jan 2060 00:00:00 GMT';
    if (n === 1) response.writeHead(429, { date, 'retry-after': 'Fri, 01 Jan 2060 00:00:07 GMT' });
    response.end('{}');
  });
  const clock = fakeClock();
  assert.equal((await clientOf(profileOf({ v1: base }), { clock }).send(get(base))).status, 200);
  assert.deepEqual(clock.slept, [7000]);
});

test('a 503 that asks for no pause is an answer, when it comes twice', async () => {
  const { base, seen } = await serve((_request, response) => {
    response.writeHead(503);
    response.end();
  });
  const client = clientOf(profileOf({ v1: base }), { clock: fakeClock() });
  const received = await client.send(get(base));
  assert.deepEqual([received.status, isThrottled(received), seen()], [503, false, 2]);
  await client.send(get(base));
  assert.equal(seen(), 3, 'this is how the target answers');
});

test('a reading request that met a gateway without its service is repeated; a write is not', async () => {
  const { base, seen } = await serve((_request, response, n) => {
    response.writeHead(n === 1 || n === 3 ? 502 : 200);
    response.end('{}');
  });
  const client = clientOf(profileOf({ v1: base }), { clock: fakeClock() });
  assert.equal((await client.send(get(base))).status, 200);
  assert.equal((await client.send(post(base))).status, 502);
  assert.equal(seen(), 3);
  assert.match(noticesOf(client.hindrances).join(), /502, 503 or 504 once/);
});

test('a gateway is distinguished from a target that refuses with the same status, by its body', async () => {
  const refused = (text: string): string => `{"error":true,"error_code":503,"error_message":${JSON.stringify(text)}}`;
  const { base, seen } = await serve((request, response, n) => {
    const isAway = n === 4;
    const isKnown = request.url?.endsWith('there/') === true;
    response.writeHead(isKnown && !isAway ? 200 : 503);
    response.end(isAway ? refused('Away.') : isKnown ? '{}' : refused(`There is no "${n}".`));
  });
  const client = clientOf(profileOf({ v1: base }), { clock: fakeClock() });
  assert.equal((await client.send(get(`${base}gone/`))).status, 503);
  assert.equal((await client.send(get(`${base}gone/`))).status, 503);
  assert.equal(seen(), 3, 'its refusal is known, whatever it names');
  assert.equal((await client.send(get(`${base}there/`))).status, 200);
});

test('a limit of one kind of call says nothing about others, a limit of two kinds in a row does', async () => {
  const limited = new Set<string>(['POST']);
  const { base, seen } = await serve((request, response) => {
    if (limited.has(request.method ?? '')) response.writeHead(429, { 'retry-after': '0' });
    response.end('{"error":true}');
  });
  const clock = { ...fakeClock(), time: 0, now: () => clock.time };
  const client = clientOf(profileOf({ v1: base }), { clock });
  await noResponse(client.send(post(base)));
  assert.equal((await client.send(get(base))).status, 200);
  assert.match((await noResponse(client.send(post(base)))).message, /was not sent/);
  limited.add('GET');
  await noResponse(client.send(get(base)));
  const before = seen();
  limited.clear();
  // Nothing was answered between these two.
  clock.time += MAX_PAUSES_MS;
  limited.add('POST').add('GET');
  await noResponse(client.send(post(base)));
  await noResponse(client.send(get(base)));
  const other = { ...post(base), method: 'PUT' };
  assert.match((await noResponse(client.send(other))).message, /was not sent/);
  assert.equal(seen(), before + 2);
});

test('a call that has to be refused may be refused with 429, unless valid calls of its operation are limited too', async () => {
  let isLimitReached = false;
  const refused = '{"error":true,"error_code":429,"error_message":"Slow down."}';
  const { base, seen } = await serve((request, response) => {
    const isServed = request.headers.authorization === 'ApiKey right' && !isLimitReached;
    if (!isServed) response.writeHead(429, { 'retry-after': '10' });
    response.end(isServed ? '{"error":false}' : refused);
  });
  const client = clientOf(profileOf({ v1: base }), { clock: fakeClock() });
  const withKey = (key: string) => ({ ...get(base), headers: [['Authorization', `ApiKey ${key}`]] as const });
  await client.send(withKey('right'));
  assert.equal((await client.send(withKey('wrong'), { role: 'probe' })).status, 429);
  // It was awaited once; after that the target is known to refuse in this way.
  const sent = seen();
  assert.equal((await client.send(withKey('wrong too'), { role: 'probe' })).status, 429);
  assert.equal(seen(), sent + 1);
  await noResponse(client.send(withKey('never a probe')));
  isLimitReached = true;
  await noResponse(client.send(withKey('right')));
  await noResponse(client.send(withKey('wrong again'), { role: 'probe' }));
});
