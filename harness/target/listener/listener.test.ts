import assert from 'node:assert/strict';
import { request as plainRequest } from 'node:http';
import { request } from 'node:https';
import { connect } from 'node:net';
import { test } from 'node:test';
import { MAX_KEPT_REQUESTS, MAX_STRANGE_REQUESTS } from './arrivals.ts';
import { type Listener, type ListenOptions, MAX_LISTENER_CONNECTIONS, openListener, type Received } from './index.ts';

/** A listener that closes when its test ends. */
async function listening(t: { after(end: () => void): void }, options: ListenOptions = {}): Promise<Listener> {
  const listener = await openListener(options);
  t.after(() => void listener.close());
  return listener;
}

interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

/** Sends one request as a service does that takes the certificate. */
function send(address: string, { method = 'GET', headers = {}, body }: Sent = {}) {
  const open = address.startsWith('https:') ? request : plainRequest;
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
    const outgoing = open(address, { method, headers, rejectUnauthorized: false, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

const form = (body: string | Buffer): Sent => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  body,
});

test('answers under a name and below it, over HTTPS, and keeps what arrived', async (t) => {
  const listener = await listening(t);
  const address = listener.serve('label-1', ({ path }) => ({ body: `page ${path}` }));
  assert.match(listener.base, /^https:\/\/127\.0\.0\.1:\d+\/$/);
  assert.equal(address, `${listener.base}label-1`);
  assert.equal((await send(`${address}?a=%C3%BC+1`)).text, 'page /label-1');
  assert.equal((await send(`${address}/deep`)).text, 'page /label-1/deep');
  assert.equal((await send(`${listener.base}label-10`)).status, 404);
  assert.equal((await send(`${listener.base}favicon.ico`)).status, 404);
  const [first, second, ...more] = listener.received('label-1');
  assert.deepEqual([first?.target, first?.path, first?.query], ['/label-1?a=%C3%BC+1', '/label-1', 'a=%C3%BC+1']);
  assert.equal(second?.path, '/label-1/deep');
  assert.deepEqual(more, []);
});

test('form fields come in sent order, urlencoded and multipart, to the byte', async (t) => {
  const listener = await listening(t);
  const address = listener.serve('page', () => ({}));
  await send(address, form('b=1%2B+2&a=%C3%BC%0D%0Aline&b=%F0%9F%9A%9A&empty='));
  const parts = [
    'Content-Disposition: form-data; name="b"\r\n\r\n1+ 2',
    'Content-Type: text/plain; charset=utf-8\r\nContent-Disposition: form-data; name=a\r\n\r\nü\r\nline',
    'Content-Disposition: form-data; name="b"; filename="b"\r\n\r\n🚚',
    'Content-Disposition: form-data; name="empty"\r\nContent-Length: 0\r\n\r\n',
  ];
  await send(address, {
    method: 'POST',
    headers: { 'Content-Type': 'multipart/form-data; boundary="--x"' },
    body: `${parts.map((part) => `----x\r\n${part}\r\n`).join('')}----x--\r\n`,
  });
  const wanted = [
    ['b', '1+ 2'],
    ['a', 'ü\r\nline'],
    ['b', '🚚'],
    ['empty', ''],
  ];
  assert.deepEqual(listener.received('page')[0]?.fields, wanted);
  assert.deepEqual(listener.received('page')[1]?.fields, wanted);
});

test('a body that is not a form, or a broken form, has no fields', async (t) => {
  const listener = await listening(t);
  const address = listener.serve('page', () => ({}));
  const post = (type: string, body: string) =>
    send(address, { method: 'POST', headers: { 'Content-Type': type }, body });
  await post('application/json', '{"a":1}');
  await post('multipart/form-data; boundary=x', 'nonsense');
  await send(address, { method: 'POST', body: 'a=1' });
  assert.deepEqual(
    listener.received('page').map(({ fields, body }) => [fields.length, body.length]),
    [
      [0, 7],
      [0, 8],
      [0, 3],
    ],
  );
});

test('waits for a matching request, counts from the given position, and gives up in time', async (t) => {
  const listener = await listening(t);
  const address = listener.serve('page', () => ({}));
  const isPost = ({ method }: Received) => method === 'POST';
  const waiting = listener.waitFor('page', 0, 5_000, isPost);
  await send(address);
  await send(`${address}?n=2`, form('n=2'));
  assert.equal((await waiting)?.query, 'n=2');
  assert.equal((await listener.waitFor('page', 0, 5_000))?.method, 'GET', 'what is there already is given at once');
  const next = listener.waitFor('page', 2, 5_000, isPost);
  await send(`${address}?n=3`, form('n=3'));
  assert.equal((await next)?.query, 'n=3');
  assert.equal(await listener.waitFor('page', 3, 10), undefined);
  assert.equal(await listener.waitFor('nobody', 0, 10), undefined);
});

test('a request counts as arrived when it was answered, also by a handler that takes its time', async (t) => {
  const listener = await listening(t);
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const address = listener.serve('page', async () => {
    await held;
    return { status: 302, headers: { location: 'https://back.example/' } };
  });
  const sent = send(address);
  assert.equal(await listener.waitFor('page', 0, 20), undefined);
  release();
  const response = await sent;
  assert.deepEqual([response.status, response.headers.location], [302, 'https://back.example/']);
  assert.equal(response.headers['cache-control'], 'no-store');
  assert.equal(listener.received('page').length, 1);
});

test('each request becomes an exchange with its public address', async (t) => {
  const seen: string[] = [];
  const listener = await listening(t, {
    onExchange: (received, url, reply) => seen.push(`${received.method} ${url} ${reply.status}`),
  });
  await send(`${listener.serve('page', () => ({ status: 204 }))}?a=b`);
  assert.equal(listener.received('page')[0]?.exchange, 1);
  assert.deepEqual(seen, [`GET ${listener.base}page?a=b 204`]);
});

test('behind a public address it speaks plain HTTP, with the path of that address or without', async (t) => {
  const urls: string[] = [];
  const listener = await listening(t, {
    publicUrl: 'https://tunnel.example/pm',
    port: 0,
    onExchange: (received, url) => urls.push(`${received.path} ${url} ${received.headers.length > 0}`),
    onOpen: (own) => {
      opened = own;
    },
  });
  assert.equal(
    listener.serve('page', () => ({})),
    'https://tunnel.example/pm/page',
  );
  await send(`${opened}pm/page?a=1`);
  await send(`${opened}page?a=2`);
  assert.deepEqual(urls, [
    '/page https://tunnel.example/pm/page?a=1 true',
    '/page https://tunnel.example/pm/page?a=2 true',
  ]);
});
let opened = '';

test('a handler that fails is answered with 500, and the next request is served', async (t) => {
  const listener = await listening(t);
  const said: string[] = [];
  t.mock.method(console, 'error', (text: string) => said.push(text));
  const address = listener.serve('page', () => {
    throw new Error('not thought of');
  });
  assert.equal((await send(address)).status, 500);
  assert.match(said.join(), /page failed: not thought of/);
  listener.serve('page', () => ({ body: 'well' }));
  assert.equal((await send(address)).text, 'well');
});

test('a sender that does not trust the certificate is counted', async (t) => {
  const listener = await listening(t);
  const address = listener.serve('page', () => ({}));
  assert.equal(listener.refusedHandshakes, 0);
  await assert.rejects(fetch(address));
  const { port, hostname } = new URL(address);
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.end('not TLS at all'));
    socket.on('close', () => resolve()).on('error', () => resolve());
  });
  assert.equal(listener.refusedHandshakes, 2);
  assert.deepEqual(listener.received('page'), []);
  await send(address);
  assert.equal(listener.refusedHandshakes, 2);
});

test('a client that comes without end is answered and no longer kept', async (t) => {
  let [recorded, own] = [0, ''];
  const listener = await listening(t, {
    publicUrl: 'http://tunnel.example/',
    onOpen: (address) => {
      own = address;
    },
    onExchange: () => {
      recorded += 1;
      return recorded;
    },
  });
  listener.serve('label', () => ({ status: 202 }));
  const statuses = new Set<number>();
  for (let n = 0; n <= MAX_KEPT_REQUESTS; n += 50) {
    const sent = await Promise.all(Array.from({ length: 50 }, () => send(`${own}label`)));
    for (const { status } of sent) statuses.add(status);
  }
  for (let n = 0; n <= MAX_STRANGE_REQUESTS; n += 1) assert.equal((await send(`${own}who-are-you`)).status, 404);
  assert.deepEqual([...statuses], [202]);
  assert.equal(listener.received('label').length, MAX_KEPT_REQUESTS);
  assert.equal(recorded, MAX_KEPT_REQUESTS + MAX_STRANGE_REQUESTS);
});

test('a form of millions of fields is not read', async (t) => {
  const listener = await listening(t);
  const address = listener.serve('form', () => ({}));
  await send(address, form('a=1&b=2'));
  await send(address, form('&'.repeat(2_000_000)));
  await send(address, form('a&'.repeat(2_000_000)));
  assert.deepEqual(
    listener.received('form').map(({ fields }) => fields.length),
    [2, 0, 0],
  );
});

test('a multipart form of thousands of parts is not read', async (t) => {
  const listener = await listening(t);
  const address = listener.serve('form', () => ({}));
  const part = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n';
  const headers = { 'content-type': 'multipart/form-data; boundary=b' };
  for (const count of [2, 1_000, 1_001])
    await send(address, { method: 'POST', headers, body: `${part.repeat(count)}--b--\r\n` });
  assert.deepEqual(
    listener.received('form').map(({ fields }) => fields.length),
    [2, 1_000, 0],
  );
});

test('connections beyond the limit are not taken', async (t) => {
  const { base } = await listening(t);
  const sockets = Array.from({ length: MAX_LISTENER_CONNECTIONS + 5 }, () =>
    connect(Number(new URL(base).port), '127.0.0.1'),
  );
  t.after(() => {
    for (const socket of sockets) socket.destroy();
  });
  const dropped = sockets.slice(-5).map((socket) => {
    socket.on('error', () => undefined);
    return new Promise((resolve) => socket.on('close', resolve));
  });
  await Promise.all(dropped);
  assert.ok(sockets.slice(0, MAX_LISTENER_CONNECTIONS).every(({ destroyed }) => !destroyed));
});
