// A target that is away for a moment is waited for; one that was never there, or stays away, is not waited for again and again.
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, test } from 'node:test';
import { clientOf, closeAll, closeLater, fakeClock, get, noResponse, post, profileOf } from '../client.fixture.ts';
import { noticesOf } from '../notices.ts';
import { MAX_AWAY_MS } from './absence.ts';

afterEach(closeAll);

/** A server that can be stopped and started at the same address; `paths` are those that it answered. */
async function startable() {
  const paths: string[] = [];
  let server: Server | undefined;
  const start = async (port: number): Promise<number> => {
    const started = createServer((request, response) => {
      paths.push(`${request.method} ${request.url}`);
      response.end('{"error":false}');
    });
    server = started;
    await new Promise<void>((resolve) => started.listen(port, '127.0.0.1', resolve));
    return (started.address() as AddressInfo).port;
  };
  const stop = async (): Promise<void> => {
    const stopped = server;
    server = undefined;
    stopped?.closeAllConnections();
    if (stopped !== undefined) await new Promise((resolve) => stopped.close(resolve));
  };
  const port = await start(0);
  closeLater(stop);
  return { base: `http://127.0.0.1:${port}/v1/`, paths, stop, start: () => start(port) };
}

test('a call of any kind waits for a target that was there, and is sent once', async () => {
  const { base, paths, stop, start } = await startable();
  const clock = fakeClock();
  let passed = 0;
  const now = (): number => clock.now() + passed;
  const sleep = async (ms: number): Promise<void> => {
    await clock.sleep(ms);
    passed += ms;
    if (clock.slept.length === 3) await start();
  };
  const client = clientOf(profileOf({ v1: base }), { clock: { ...clock, now, sleep } });
  await client.send(get(`${base}first`));
  await stop();
  const response = await client.send(post(`${base}second`));
  assert.equal(response.status, 200);
  assert.deepEqual(paths, ['GET /v1/first', 'POST /v1/second']);
  assert.deepEqual(clock.slept, [250, 500, 1000]);
  assert.match(noticesOf(client.hindrances).join(), /accepted no connection for a while; 1\.8 s/);
});

test('a target that stays away is waited for once, until it answers again', async () => {
  const { base, stop, start } = await startable();
  const clock = fakeClock();
  const client = clientOf(profileOf({ v1: base }), { clock });
  const waited = (): number => clock.slept.splice(0).reduce((sum, ms) => sum + ms, 0);
  await client.send(get(`${base}first`));
  await stop();
  assert.equal((await noResponse(client.send(get(`${base}second`)))).attribution, 'network');
  const first = waited();
  assert.ok(first > MAX_AWAY_MS - 1000 && first <= MAX_AWAY_MS, String(first));
  await noResponse(client.send(get(`${base}third`)));
  assert.equal(waited(), 0);
  await start();
  await client.send(get(`${base}fourth`));
  await stop();
  await noResponse(client.send(get(`${base}fifth`)));
  assert.equal(waited(), first);
});

test('the time in which several calls wait for it counts once', async () => {
  const { base, stop } = await startable();
  const clock = fakeClock();
  const client = clientOf(profileOf({ v1: base }), { clock });
  await client.send(get(`${base}first`));
  await stop();
  await Promise.all(['a', 'b', 'c', 'd'].map((path) => noResponse(client.send(get(base + path)))));
  assert.ok(client.hindrances.absentMs <= MAX_AWAY_MS, String(client.hindrances.absentMs));
});

test('a target that was never there is not waited for', async () => {
  const { base, stop } = await startable();
  await stop();
  const clock = fakeClock();
  await noResponse(clientOf(profileOf({ v1: base }), { clock }).send(get(`${base}first`)));
  assert.deepEqual(clock.slept, []);
});
