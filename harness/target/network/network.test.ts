import assert from 'node:assert/strict';
import { createServer as createHttp } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, connect, type Server } from 'node:net';
import { afterEach, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { generate } from 'selfsigned';
import { NoResponse } from '../client/no-response.ts';
import type { Profile, Tls } from '../profile/types.ts';
import { Secret } from '../secrets/secret.ts';
import { explainFailure } from './explain-failure.ts';
import { decode, MAX_RESPONSE_BYTES, openWire, splitUrl, type Wire, type WireRequest } from './network.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function listen(server: Server & { closeAllConnections?(): void }): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    server.closeAllConnections?.();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

function wireOf(part: { tls?: Partial<Tls>; proxy?: string }): Wire {
  const profile: Pick<Profile, 'proxy' | 'tls' | 'limits'> = {
    limits: { requestsPerSecond: undefined, timeoutMs: 3000, maxPages: 1, maxMinutes: 1 },
    proxy: part.proxy === undefined ? undefined : new Secret('PROXY', part.proxy),
    tls: part.tls === undefined ? undefined : { ca: undefined, cert: undefined, key: undefined, ...part.tls },
  };
  const wire = openWire(profile);
  closing.push(() => wire.close());
  return wire;
}

const get = (url: string): WireRequest => ({
  method: 'GET',
  url,
  headers: [
    ['X-A', '1'],
    ['x-a', '2'],
  ],
  body: undefined,
  timeoutMs: 3000,
  fresh: false,
});

const certificate = (name: string) =>
  generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'subjectAltName', altNames: [name === '127.0.0.1' ? { type: 7, ip: name } : { type: 2, value: name }] },
    ],
  });

async function failure(wire: Wire, url: string): Promise<string> {
  try {
    await wire.exchange(get(url));
  } catch (error) {
    return explainFailure(error, url, 'GET')?.message ?? `not explained: ${String(error)}`;
  }
  return 'an answer';
}

test('a certificate is judged strictly, and accepted if the profile names its authority', async () => {
  const pems = await certificate('127.0.0.1');
  const port = await listen(
    createHttps({ cert: pems.cert, key: pems.private }, (_request, response) => response.end('{}')),
  );
  const url = `https://127.0.0.1:${port}/v1/`;
  assert.match(await failure(wireOf({}), url), /self-signed.*"tls.ca"/);
  assert.equal((await wireOf({ tls: { ca: pems.cert } }).exchange(get(url))).status, 200);
});

test('a certificate for another name is refused even from a known authority', async () => {
  const pems = await certificate('elsewhere.example');
  const port = await listen(
    createHttps({ cert: pems.cert, key: pems.private }, (_request, response) => response.end('{}')),
  );
  assert.match(
    await failure(wireOf({ tls: { ca: pems.cert } }), `https://127.0.0.1:${port}/`),
    /issued for another name/,
  );
});

test('plain http at an https address, and the reverse, are distinguished from a dead target', async () => {
  const plain = await listen(createHttp((_request, response) => response.end('{}')));
  assert.match(await failure(wireOf({}), `https://127.0.0.1:${plain}/`), /does not speak TLS/);
  const pems = await certificate('127.0.0.1');
  const secure = await listen(
    createHttps({ cert: pems.cert, key: pems.private }, (_request, response) => response.end('{}')),
  );
  assert.match(await failure(wireOf({}), `http://127.0.0.1:${secure}/`), /closed the connection|not an HTTP/);
});

test('a host that takes a connection and never finishes it is not there, whatever the limit of time', async () => {
  const { createServer } = await import('node:net');
  const port = await listen(createServer((socket) => socket.resume().on('error', () => socket.destroy())));
  const url = `https://127.0.0.1:${port}/`;
  for (const timeoutMs of [500, 700]) {
    const failed = await wireOf({})
      .exchange({ ...get(url), timeoutMs })
      .catch((error: unknown) => explainFailure(error, url, 'GET'));
    assert.ok(failed instanceof NoResponse);
    assert.equal(failed.attribution, 'network');
    assert.match(failed.message, /did not accept a connection in time/);
  }
});

test('the client certificate is sent if the profile has one', async () => {
  const server = await certificate('127.0.0.1');
  const client = await certificate('client.example');
  const options = {
    cert: server.cert,
    key: server.private,
    ca: client.cert,
    requestCert: true,
    rejectUnauthorized: true,
  };
  const seen: string[] = [];
  const port = await listen(
    createHttps(options, (request, response) => {
      seen.push(String((request.socket as TLSSocket).getPeerCertificate().subject.CN));
      response.end('{}');
    }),
  );
  const url = `https://127.0.0.1:${port}/`;
  assert.match(await failure(wireOf({ tls: { ca: server.cert } }), url), /client certificate|closed the connection/);
  const tls = { ca: server.cert, cert: client.cert, key: new Secret('TLS_KEY', client.private) };
  assert.equal((await wireOf({ tls }).exchange(get(url))).status, 200);
  assert.deepEqual(seen, ['client.example']);
});

/** A proxy that notes what it was asked for and passes everything on. */
async function proxy(): Promise<{ port: number; asked: string[]; authorization: (string | undefined)[] }> {
  const asked: string[] = [];
  const authorization: (string | undefined)[] = [];
  const server = createHttp(async (request, response) => {
    asked.push(`${request.method} ${request.url} ${String(request.headers['x-a'])}`);
    authorization.push(request.headers['proxy-authorization']);
    const passed = await fetch(request.url ?? '');
    response.writeHead(passed.status);
    response.end(await passed.text());
  });
  server.on('connect', (request, socket) => {
    asked.push(`CONNECT ${request.url}`);
    authorization.push(request.headers['proxy-authorization']);
    const [host, port] = (request.url ?? '').split(':');
    const onward = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    for (const end of [onward, socket]) end.on('error', () => end.destroy());
  });
  return { port: await listen(server), asked, authorization };
}

test('requests go through the proxy of the profile: plain ones forwarded, https ones tunnelled', async () => {
  const { port, asked, authorization } = await proxy();
  const pems = await certificate('127.0.0.1');
  const secure = await listen(
    createHttps({ cert: pems.cert, key: pems.private }, (_request, response) => response.end('{}')),
  );
  const plain = await listen(createHttp((_request, response) => response.end('{}')));
  const wire = wireOf({ proxy: `http://me:pw@127.0.0.1:${port}`, tls: { ca: pems.cert } });
  assert.equal((await wire.exchange(get(`http://127.0.0.1:${plain}/v1/%2e`))).status, 200);
  assert.equal((await wire.exchange(get(`https://127.0.0.1:${secure}/v1/`))).status, 200);
  assert.deepEqual(asked, [`GET http://127.0.0.1:${plain}/v1/%2e 1, 2`, `CONNECT 127.0.0.1:${secure}`]);
  assert.deepEqual(authorization, Array(2).fill(`Basic ${Buffer.from('me:pw').toString('base64')}`));
});

test('the refusal of a proxy is not attributed to the target', async () => {
  const server = createHttp();
  server.on('connect', (_request, socket) => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'));
  const port = await listen(server);
  assert.match(
    await failure(wireOf({ proxy: `http://127.0.0.1:${port}` }), 'https://127.0.0.1:9/'),
    /The proxy of the profile/,
  );
  assert.match(await failure(wireOf({ proxy: 'http://127.0.0.1:9' }), 'https://staging.example/'), /refused|listens/);
});

test('each encoding is read, and stopped at the limit', () => {
  const text = Buffer.from('{"a":1}');
  const rows: [string, Buffer][] = [
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
    ['zstd', zstdCompressSync(text)],
  ];
  for (const [encoding, body] of rows) assert.deepEqual(Buffer.from(decode(encoding, body)), text, encoding);
  const large = Buffer.alloc(MAX_RESPONSE_BYTES + 1);
  for (const body of [gzipSync(large), brotliCompressSync(large)]) {
    assert.throws(() => decode(body[0] === 0x1f ? 'gzip' : 'br', body), /larger than 8 MiB/);
  }
  assert.throws(() => decode('gzip', text), /does not match its Content-Encoding/);
  assert.throws(() => decode('lzw', Buffer.from('\x1f\x9d\x90')), /was not requested/);
  // A charset where the encoding belongs does no harm to a client that ignores it.
  assert.deepEqual(decode('utf-8', text), text);
});

test('a server may say 100 Continue before it answers, in any pieces', async () => {
  const response =
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\nx-a: 1\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 12\r\n\r\nHTTP/1.1 100';
  const pieces = [
    [response],
    [...response],
    [response.slice(0, 30), response.slice(30)],
    [response.slice(0, 25), response.slice(25)],
  ];
  const { createServer } = await import('node:net');
  const port = await listen(
    createServer((socket) => {
      socket.setNoDelay(true);
      socket.on('error', () => socket.destroy());
      socket.on('data', async () => {
        for (const piece of pieces.shift() ?? []) {
          await new Promise((resolve) => socket.write(piece, resolve));
          await new Promise(setImmediate);
        }
      });
    }),
  );
  const wire = wireOf({});
  while (pieces.length > 0) {
    const { status, bytes } = await wire.exchange(get(`http://127.0.0.1:${port}/`));
    assert.deepEqual([status, Buffer.from(bytes).toString()], [200, 'HTTP/1.1 100']);
  }
});

test('an address is split and not a byte of its path is changed', () => {
  assert.deepEqual(splitUrl('https://s.example:1/a/%2e%2E/..//b;c?x=%20&y#z'), {
    origin: 'https://s.example:1',
    path: '/a/%2e%2E/..//b;c?x=%20&y',
  });
  assert.deepEqual(splitUrl('http://s.example'), { origin: 'http://s.example', path: '/' });
  assert.deepEqual(splitUrl('http://s.example?x'), { origin: 'http://s.example', path: '/?x' });
  for (const bad of [
    '/v1/',
    'ftp://s.example/',
    'http://s.example/ž',
    'http://s.example/a b',
    'http://s.example/\r\nX: 1',
  ]) {
    assert.throws(() => splitUrl(bad), /address/, bad);
  }
});

test('a name that is another address when the connection is made is not connected to', async () => {
  let seen = 0;
  const server = createHttp((_request, response) => {
    seen += 1;
    response.end('{}');
  });
  const port = await listen(server);
  const limits = { requestsPerSecond: undefined, timeoutMs: 3000, maxPages: 1, maxMinutes: 1 };
  const wire = openWire(
    { limits, proxy: undefined, tls: undefined },
    { resolve: (_name, _options, response) => response(null, [{ address: '127.0.0.1', family: 4 }]) },
  );
  closing.push(() => wire.close());
  const url = `http://rebound.example:${port}/`;
  const guarded = (mayConnect: (address: string) => boolean) => wire.exchange({ ...get(url), mayConnect });
  const failure = await guarded((address) => address !== '127.0.0.1').catch((error: unknown) => error);
  assert.match(explainFailure(failure, url, 'GET')?.message ?? '', /rebound\.example now resolves to 127\.0\.0\.1/);
  assert.equal(seen, 0);
  assert.equal((await guarded(() => true)).status, 200, 'the same name where that address is allowed');
  assert.equal(seen, 1);
});

test('a Content-Encoding that is not a token is not repeated, not even a part of it', () => {
  const bytes = Buffer.from('zz');
  assert.throws(() => decode('utf-8', bytes), /the Content-Encoding "utf-8", which was not requested/);
  for (const encoding of ['p%24(id)%5ba-z%5d%2b', 'k'.repeat(41)])
    assert.throws(() => decode(encoding, bytes), /the body has a Content-Encoding, which was not requested/);
});
