import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { createRateServer, rateClient } from './rate.ts';

/** What a turn may come early: a timer is late by as much, which is made up for. */
const LATENESS_MS = 3;

test('turns of all clients together are evenly spaced', async () => {
  const turns: number[] = [];
  const server = await createRateServer({ requestsPerSecond: 50, onTurn: (at) => turns.push(at) });
  const clients = [rateClient(server.address), rateClient(server.address), rateClient(server.address)];
  try {
    await Promise.all(
      clients.map(async (client) => {
        for (let i = 0; i < 5; i += 1) await client.take();
      }),
    );
    assert.equal(turns.length, 15);
    for (let i = 1; i < turns.length; i += 1)
      assert.ok(turns[i]! - turns[i - 1]! >= 20 - LATENESS_MS, `more than 50 a second: ${turns}`);
  } finally {
    for (const client of clients) client.close();
    await server.close();
  }
});

test('requests that became due while the process was busy are not sent all at once', async () => {
  const turns: number[] = [];
  const server = await createRateServer({ requestsPerSecond: 50, onTurn: (at) => turns.push(at) });
  const clients = [rateClient(server.address), rateClient(server.address), rateClient(server.address)];
  try {
    await clients[0]!.take();
    const waiting = clients.flatMap((client) => [client.take(), client.take()]);
    // The lines have to have arrived: the first of them has its turn.
    await Promise.race(waiting);
    const busyUntil = performance.now() + 150;
    while (performance.now() < busyUntil);
    await Promise.all(waiting);
    for (let i = 1; i < turns.length; i += 1)
      assert.ok(turns[i]! - turns[i - 1]! >= 20 - LATENESS_MS, `more than 50 a second: ${turns}`);
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

test('a pause that one client reports delays all of them, including those that wait already', async () => {
  const server = await createRateServer({ requestsPerSecond: 100 });
  const [one, other] = [rateClient(server.address), rateClient(server.address)];
  try {
    await Promise.all([one.take(), other.take()]);
    const started = performance.now();
    const waiting = [other.take(), other.take(), other.take()];
    one.pause(200);
    await Promise.all(waiting.slice(1));
    assert.ok(performance.now() - started >= 190);
    // Before the pause begins: this process may be held up between the two.
    const again = performance.now();
    server.pauseUntil(Date.now() + 150);
    await one.take();
    assert.ok(performance.now() - again >= 140);
  } finally {
    one.close();
    other.close();
    await server.close();
  }
});

test('without the server no request is sent', async () => {
  const server = await createRateServer({ requestsPerSecond: 0.5 });
  const client = rateClient(server.address);
  await client.take();
  const refused = assert.rejects(client.take(), /has ended/);
  await server.close();
  await refused;
  await assert.rejects(client.take(), /has ended/);
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
  const done = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    timeout: 20_000,
  });
  assert.equal(done.stdout, 'took two turns\n', done.stderr);
  assert.equal(done.status, 0, 'it was still there after 20 s');
});
