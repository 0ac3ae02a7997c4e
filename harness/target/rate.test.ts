import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { createRateServer, rateClient } from './rate.ts';

/** When each of so many turns came, in milliseconds from the first. */
async function turns(clients: readonly { take(): Promise<void> }[], each: number): Promise<number[]> {
  const times: number[] = [];
  await Promise.all(
    clients.map(async (client) => {
      for (let i = 0; i < each; i += 1) {
        await client.take();
        times.push(performance.now());
      }
    }),
  );
  return times.sort((a, b) => a - b).map((time) => time - times[0]!);
}

test('turns of all clients together are evenly spaced', async () => {
  const server = await createRateServer({ requestsPerSecond: 50 });
  const clients = [rateClient(server.address), rateClient(server.address), rateClient(server.address)];
  try {
    const times = await turns(clients, 5);
    // 15 turns at 50 a second: the last comes 280 ms after the first. Timers may fire a millisecond early.
    assert.ok(times.at(-1)! >= 270, String(times));
    for (let i = 5; i < times.length; i += 1)
      assert.ok(times[i]! - times[i - 5]! > 70, `more than 50 a second: ${times}`);
  } finally {
    for (const client of clients) client.close();
    await server.close();
  }
});

test('one client may ask for several turns at once', async () => {
  const server = await createRateServer({ requestsPerSecond: 1000 });
  const client = rateClient(server.address);
  await Promise.all(Array.from({ length: 10 }, () => client.take()));
  client.close();
  await server.close();
});

test('a pause that one client reports holds all of them, also those that wait already', async () => {
  const server = await createRateServer({ requestsPerSecond: 100 });
  const [one, other] = [rateClient(server.address), rateClient(server.address)];
  try {
    await Promise.all([one.take(), other.take()]);
    const started = performance.now();
    const waiting = [other.take(), other.take(), other.take()];
    one.pause(200);
    await Promise.all(waiting.slice(1));
    assert.ok(performance.now() - started >= 190);
    server.pauseUntil(Date.now() + 150);
    const again = performance.now();
    await one.take();
    assert.ok(performance.now() - again >= 140);
  } finally {
    one.close();
    other.close();
    await server.close();
  }
});

test('without the server there is no turn', async () => {
  const server = await createRateServer({ requestsPerSecond: 0.5 });
  const client = rateClient(server.address);
  await client.take();
  const refused = assert.rejects(client.take(), /is gone/);
  await server.close();
  await refused;
  await assert.rejects(client.take(), /is gone/);
});

test('neither side keeps a process alive that has nothing else to do', () => {
  const script = `
    const { createRateServer, rateClient } = await import(${JSON.stringify(new URL('./rate.ts', import.meta.url).href)});
    const server = await createRateServer({ requestsPerSecond: 100 });
    const client = rateClient(server.address);
    await client.take();
    client.pause(5);
    await client.take();
    console.log('took two turns');`;
  const done = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    encoding: 'utf8',
    timeout: 20_000,
  });
  assert.equal(done.stdout, 'took two turns\n', done.stderr);
  assert.equal(done.status, 0, 'it was still there after 20 s');
});
