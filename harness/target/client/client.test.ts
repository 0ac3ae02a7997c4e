import assert from 'node:assert/strict';
import { type AddressInfo, createServer as createTcp } from 'node:net';
import { afterEach, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import nock from 'nock';
import type { Exchange } from '../../../contracts/run/events.ts';
import { createRecorder } from '../../evidence/recorder.ts';
import { createRedaction } from '../../evidence/redaction/index.ts';
import { Secret } from '../secrets/secret.ts';
import {
  clientOf,
  closeAll,
  closeLater,
  get,
  type Handler,
  noResponse,
  post,
  profileOf,
  serve,
} from './client.fixture.ts';
import { noticesOf } from './notices.ts';
import type { OutgoingRequest } from './types.ts';

afterEach(closeAll);

test('address, method, headers and body arrive as they were written', async () => {
  const chunks: Buffer[] = [];
  const { base } = await serve((request, response) => {
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () =>
      response.end(JSON.stringify({ url: request.url, raw: request.rawHeaders, method: request.method })),
    );
  });
  const path = 'store/%2e%2E/a%2Fb//c;d=1?x=%20&y=+&z=%7e';
  const received = await clientOf(profileOf({ v1: base })).send({
    method: 'PUT',
    url: `${base}${path}#left-out`,
    headers: [
      ['X-B', '1'],
      ['x-a', '2'],
      ['X-B', '3'],
      ['authorization', new Secret('K', 'ApiKey abc')],
    ],
    body: Uint8Array.from([0, 255, 10]),
  });
  const seen = received.json as { url: string; raw: string[]; method: string };
  assert.equal(seen.url, `/v1/${path}`);
  assert.equal(seen.method, 'PUT');
  assert.deepEqual(seen.raw.slice(4, 12), ['X-B', '1', 'x-a', '2', 'X-B', '3', 'authorization', 'ApiKey abc']);
  assert.match(seen.raw[seen.raw.indexOf('User-Agent') + 1] ?? '', /^Proofmark\/\d/);
  assert.deepEqual(Buffer.concat(chunks), Buffer.from([0, 255, 10]));
});

test('an answer is handed on whole: status, all headers in order, decoded bytes', async () => {
  const { base } = await serve((_request, response) => {
    response.writeHead(
      418,
      [
        ['Set-Cookie', 'a=1'],
        ['set-cookie', 'b=2'],
        ['Content-Type', 'application/json'],
        ['Content-Encoding', 'gzip'],
      ].flat(),
    );
    response.end(gzipSync('{"a":"ž"}'));
  });
  const received = await clientOf(profileOf({ v1: base })).send(get(base));
  assert.equal(received.status, 418);
  assert.deepEqual(received.headers.slice(0, 2), [
    ['Set-Cookie', 'a=1'],
    ['set-cookie', 'b=2'],
  ]);
  assert.deepEqual(received.json, { a: 'ž' });
  assert.ok(received.durationMs > 0);
});

test('headers of the profile go to the target, unless the request has its own, and nowhere else', async () => {
  const echo: Handler = (request, response) => response.end(JSON.stringify(request.headers));
  const [home, elsewhere] = [await serve(echo), await serve(echo)];
  const client = clientOf(profileOf({ v1: home.base, headers: { 'X-Gate': 'gate-value-123' } }));
  assert.equal(((await client.send(get(home.base))).json as Record<string, string>)['x-gate'], 'gate-value-123');
  const own = await client.send({ ...get(home.base), headers: [['x-gate', 'mine']] });
  assert.equal((own.json as Record<string, string>)['x-gate'], 'mine');
  assert.equal(((await client.send(get(elsewhere.base))).json as Record<string, string>)['x-gate'], undefined);
});

test('a redirect is an answer and is not followed', async () => {
  const { base, seen } = await serve((_request, response) => {
    response.writeHead(302, { location: 'http://127.0.0.1:1/' });
    response.end();
  });
  assert.equal((await clientOf(profileOf({ v1: base })).send(get(base))).status, 302);
  assert.equal(seen(), 1);
});

test('no secret leaves for an address that is not of the profile', async () => {
  const { base, seen } = await serve((_request, response) => response.end('{}'));
  const client = clientOf(
    profileOf({ v1: 'https://staging.example/v1/', delivery: { private: { apiKey: '${KEY}' } } }),
  );
  const key = 'store-key-123456';
  const attempts: OutgoingRequest[] = [
    { ...get(base), headers: [['Authorization', new Secret('KEY', 'x')]] },
    { ...get(base), headers: [['Authorization', `ApiKey ${key}`]] },
    get(`${base}?k=${key}`),
    { ...post(base), body: JSON.stringify({ key }) },
    { ...post(base), body: Buffer.from(key) },
  ];
  for (const request of attempts) await assert.rejects(client.send(request), /was not sent/);
  assert.equal(seen(), 0);
  await client.send(get(base));
  client.grant(base);
  await client.send(attempts[0]!);
  assert.equal(seen(), 2);
  assert.throws(() => client.grant('http://elsewhere.example/'), /unencrypted/);
});

test('connections are kept for the next request', async () => {
  const { base, sockets } = await serve((_request, response) => response.end('{}'));
  const client = clientOf(profileOf({ v1: base }));
  for (let i = 0; i < 5; i += 1) await client.send(i % 2 === 0 ? get(base) : post(base));
  // The first is not quite free when the second request leaves, so there are two, used in turn.
  assert.ok(sockets() <= 2, String(sockets()));
  assert.equal(client.requests, 5);
});

test('a reading request on a lost connection is repeated once, and reported', async () => {
  const { base, seen } = await serve((request, response, n) => {
    if (n === 2) request.socket.destroy();
    else response.end('{}');
  });
  const client = clientOf(profileOf({ v1: base }));
  await client.send(get(base));
  assert.equal((await client.send(get(base))).status, 200);
  assert.equal(seen(), 3);
  assert.match(noticesOf(client.hindrances).join(), /closed a connection before answering once/);
});

test('a writing request on a lost connection is never repeated; later ones use no kept connection', async () => {
  const { base, seen, sockets } = await serve((request, response, n) => {
    if (n === 2) request.socket.destroy();
    else response.end('{}');
  });
  const client = clientOf(profileOf({ v1: base }));
  await client.send(get(base));
  const failure = await noResponse(client.send(post(base)));
  assert.equal(failure.attribution, 'target');
  assert.match(failure.message, /may have been executed, so it was not repeated/);
  assert.equal(seen(), 2);
  const before = sockets();
  await client.send(post(base));
  await client.send(post(base));
  assert.equal(sockets(), before + 2);
});

test('a caller can say that a POST is safe to repeat, or that a GET is not', async () => {
  const { base, seen } = await serve((request, response, n) => {
    if (n % 2 === 1) request.socket.destroy();
    else response.end('{}');
  });
  const client = clientOf(profileOf({ v1: base }));
  await client.send(post(base), { safe: true });
  assert.equal(seen(), 2);
  await noResponse(client.send(get(base), { safe: false }));
  assert.equal(seen(), 3);
});

test('a truncated response is not a response, and is not requested again', async () => {
  const { base, seen } = await serve((request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"a":');
    setTimeout(() => request.socket.destroy(), 10);
  });
  const failure = await noResponse(clientOf(profileOf({ v1: base })).send(get(base)));
  assert.match(failure.message, /ended in the middle/);
  assert.equal(failure.attribution, 'target');
  assert.equal(seen(), 1);
});

test('one time limit for the whole response, however slowly it arrives', async () => {
  const { base } = await serve((request, response) => {
    if (request.url?.endsWith('silent')) return;
    response.writeHead(200);
    const timer = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(timer));
  });
  const client = clientOf(profileOf({ v1: base, limits: { timeoutMs: 150 } }));
  for (const path of ['silent', 'dripping']) {
    const failure = await noResponse(client.send(get(base + path)));
    assert.match(failure.message, /no complete response came within 0.15 s/, path);
  }
  const longer = client.send(get(`${base}silent`), { timeoutMs: 10 });
  assert.match((await noResponse(longer)).message, /within 0.01 s/);
});

test('an answer without end, plain or unfolding, is stopped', async () => {
  const { base } = await serve((request, response) => {
    if (request.url?.endsWith('bomb')) {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(gzipSync(Buffer.alloc(100 * 1024 * 1024)));
      return;
    }
    response.writeHead(200);
    const more = (): void => {
      while (response.write(Buffer.alloc(1024 * 1024)));
    };
    response.on('drain', more);
    more();
  });
  const client = clientOf(profileOf({ v1: base }));
  for (const path of ['stream', 'bomb']) {
    assert.match((await noResponse(client.send(get(base + path)))).message, /larger than 8 MiB/, path);
  }
});

test('a body that is not what its encoding says is not an answer', async () => {
  const { base } = await serve((request, response) => {
    response.writeHead(200, { 'content-encoding': request.url?.endsWith('odd') ? 'snappy' : 'gzip' });
    response.end('plain text');
  });
  const client = clientOf(profileOf({ v1: base }));
  assert.match(
    (await noResponse(client.send(get(`${base}gz`)))).message,
    /does not match its Content-Encoding \(gzip\)/,
  );
  assert.match((await noResponse(client.send(get(`${base}odd`)))).message, /"snappy", which was not requested/);
});

test('nothing listening is not a response of the network', async () => {
  const failure = await noResponse(
    clientOf(profileOf({ v1: 'http://127.0.0.1:9/v1/' })).send(get('http://127.0.0.1:9/v1/')),
  );
  assert.equal(failure.attribution, 'network');
  assert.match(failure.message, /Nothing listens at 127.0.0.1:9/);
});

test('bytes that are not HTTP are not a response of the target', async () => {
  const server = createTcp((socket) => socket.resume().end('SSH-2.0-OpenSSH_9.2\r\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeLater(() => new Promise((resolve) => server.close(() => resolve())));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`;
  const failure = await noResponse(clientOf(profileOf({ v1: base })).send(get(base)));
  assert.equal(failure.attribution, 'target');
});

test('every exchange is recorded with its part, failed ones too', async () => {
  const { base } = await serve((request, response) => {
    if (request.url?.endsWith('bad')) request.socket.destroy();
    else response.end('{"a":1}');
  });
  const events: Exchange[] = [];
  const recorder = createRecorder({
    check: 'c.d',
    spool: (event) => events.push(event),
    redaction: createRedaction(),
    next: () => events.length + 1,
  });
  const client = clientOf(profileOf({ v1: base }), { recorder });
  const received = await client.send({ ...post(base), body: '{"b":2}' }, { role: 'control' });
  assert.equal(received.exchange, 1);
  assert.deepEqual(
    [events[0]?.role, events[0]?.request.body, events[0]?.response?.body, events[0]?.check],
    ['control', { text: '{"b":2}' }, { text: '{"a":1}' }, 'c.d'],
  );
  const failure = await noResponse(client.send(post(`${base}bad`)));
  assert.equal(failure.exchange, 2);
  assert.match(events[1]?.failure ?? '', /closed the connection/);
  assert.equal(events[1]?.response, undefined);
});

test('a target in this process gets the same requests, without sockets', async () => {
  const seen: Request[] = [];
  const client = clientOf(
    profileOf({ v1: 'http://localhost/v1/', headers: { 'x-gate': 'gate-value-123' }, limits: { timeoutMs: 100 } }),
    {
      transport: async (request) => {
        seen.push(request);
        if (request.url.endsWith('slow')) return new Promise<Response>(() => undefined);
        return Response.json({ body: await request.text(), gate: request.headers.get('x-gate') }, { status: 201 });
      },
    },
  );
  const response = await client.send({ ...post('http://localhost/v1/a%2Fb/?x=1'), body: '{"c":1}' });
  assert.deepEqual(
    [response.status, response.json, seen[0]?.url],
    [201, { body: '{"c":1}', gate: 'gate-value-123' }, 'http://localhost/v1/a%2Fb/?x=1'],
  );
  assert.match((await noResponse(client.send(get('http://localhost/v1/slow')))).message, /no complete response/);
  assert.equal(client.requests, 2);
});

test('hosts that are not there: what nock plays for the network comes out as a sentence', async () => {
  nock.disableNetConnect();
  try {
    const rows: [string, string, RegExp][] = [
      ['ENOTFOUND', 'configuration', /not known \(DNS\)/],
      ['CERT_HAS_EXPIRED', 'target', /has expired/],
      ['ERR_TLS_CERT_ALTNAME_INVALID', 'configuration', /another name/],
      ['ECONNRESET', 'target', /closed the connection/],
    ];
    for (const [code, attribution, sentence] of rows) {
      nock('https://staging.example')
        .post('/v1/')
        .replyWithError(Object.assign(new Error(code), { code }));
      const client = clientOf(profileOf({ v1: 'https://staging.example/v1/' }));
      const failure = await noResponse(client.send(post('https://staging.example/v1/')));
      assert.equal(failure.attribution, attribution, code);
      assert.match(failure.message, sentence, code);
    }
  } finally {
    nock.cleanAll();
    nock.enableNetConnect();
    nock.restore();
  }
});

test('what the user has written into the address of a page may be sent to its host, and to no other', async () => {
  const other = await serve((_request, response) => response.end('ok'));
  const third = await serve((_request, response) => response.end('ok'));
  const pages = { en: `${new URL(other.base).origin}/?preview=\${KEY}` };
  const client = clientOf(profileOf({ v1: 'http://127.0.0.1:9/v1/', website: { languages: ['en'], pages } }));
  assert.equal((await client.send(get(`${other.base}?preview=store-key-123456`))).status, 200);
  await assert.rejects(client.send(get(`${third.base}?preview=store-key-123456`)), /A secret was about to be sent/);
  assert.equal(third.seen(), 0);
});
