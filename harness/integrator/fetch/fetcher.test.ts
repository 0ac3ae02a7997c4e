import assert from 'node:assert/strict';
import { createServer as createPlain } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { generate } from 'selfsigned';
import { NoResponse } from '../../target/client/no-response.ts';
import { openFetcher } from './fetcher.ts';
import { whyNotReachable } from './reachable.ts';

interface Test {
  after(end: () => Promise<unknown>): void;
}

async function listening(t: Test, server: Server | ReturnType<typeof createPlain>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  );
  return (server.address() as AddressInfo).port;
}

const certificate = () =>
  generate([{ name: 'commonName', value: 'test' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  });

test('a self-signed certificate on loopback is taken, and verified once an authority is named', async (t) => {
  const own = await certificate();
  const other = await certificate();
  const port = await listening(
    t,
    createServer({ cert: own.cert, key: own.private }, (_request, response) => response.end('hello')),
  );
  const url = `https://127.0.0.1:${port}/`;
  for (const [ca, works] of [
    [undefined, true],
    [own.cert, true],
    [other.cert, false],
  ] as const) {
    const fetcher = openFetcher(ca === undefined ? {} : { ca });
    t.after(() => fetcher.close());
    const fetched = fetcher.fetch(url);
    if (works) assert.equal(Buffer.from((await fetched).bytes).toString(), 'hello');
    else await assert.rejects(fetched, /self-signed or from an unknown authority.*--ca/);
  }
});

test('redirects are followed, but not without end', async (t) => {
  const port = await listening(
    t,
    createPlain((request, response) => {
      const [, step = '0'] = /(\d+)/.exec(request.url ?? '') ?? [];
      if (step === '3') response.end('there');
      else response.writeHead(302, { location: `/${step === '9' ? 9 : Number(step) + 1}` }).end();
    }),
  );
  const fetcher = openFetcher({});
  t.after(() => fetcher.close());
  const received = await fetcher.fetch(`http://127.0.0.1:${port}/1`);
  assert.equal(received.status, 200);
  assert.equal(received.url, `http://127.0.0.1:${port}/3`);
  await assert.rejects(fetcher.fetch(`http://127.0.0.1:${port}/9`), /redirects too often/);
});

test('what does not answer is said in a sentence without a profile in it', async (t) => {
  const port = await listening(
    t,
    createPlain(() => undefined),
  );
  const fetcher = openFetcher({});
  t.after(() => fetcher.close());
  await assert.rejects(fetcher.fetch(`http://127.0.0.1:${port}/`, { timeoutMs: 50 }), (error) => {
    assert.ok(error instanceof NoResponse);
    assert.match(error.message, /did not respond in time/);
    assert.doesNotMatch(error.message, /profile/);
    return true;
  });
  await assert.rejects(fetcher.fetch('http://127.0.0.1:1/'), /Nothing listens at 127\.0\.0\.1:1/);
  await assert.rejects(fetcher.fetch('file:///etc/passwd'), /is not a web address/);
});

test('waiting ends as soon as anything answers, an error or a redirect too', async (t) => {
  let status = 500;
  const port = await listening(
    t,
    createPlain((_request, response) => response.writeHead(status, { location: '/elsewhere' }).end()),
  );
  const fetcher = openFetcher({});
  t.after(() => fetcher.close());
  assert.equal(await whyNotReachable(fetcher, `http://127.0.0.1:${port}/`, 5_000), undefined);
  status = 302;
  assert.equal(await whyNotReachable(fetcher, `http://127.0.0.1:${port}/`, 5_000), undefined);
  assert.match((await whyNotReachable(fetcher, 'http://127.0.0.1:1/', 0)) ?? '', /Nothing listens/);
});

test('waiting goes on while a proxy says that its server is not there yet', async (t) => {
  let requests = 0;
  const port = await listening(
    t,
    createPlain((_request, response) => {
      requests += 1;
      response.writeHead(requests === 1 ? 503 : 404).end();
    }),
  );
  const fetcher = openFetcher({});
  t.after(() => fetcher.close());
  assert.equal(await whyNotReachable(fetcher, `http://127.0.0.1:${port}/`, 5_000), undefined);
  assert.equal(requests, 2);
});

test('waiting ends where only a request that is not authentic is dropped', async (t) => {
  let drops = /install/;
  const port = await listening(
    t,
    createPlain((request, response) => {
      if (drops.test(request.url ?? '')) request.socket.destroy();
      else response.writeHead(404).end();
    }),
  );
  const fetcher = openFetcher({});
  t.after(() => fetcher.close());
  assert.equal(await whyNotReachable(fetcher, `http://127.0.0.1:${port}/install`, 5_000), undefined);
  // What closes every connection is a proxy whose service has not started.
  drops = /./;
  assert.match((await whyNotReachable(fetcher, `http://127.0.0.1:${port}/install`, 0)) ?? '', /closed the connection/);
});

test('a redirect does not lead into a network that the user did not name', async (t) => {
  const reached: string[] = [];
  const inner = await listening(
    t,
    createPlain((request, response) => {
      reached.push(request.url ?? '');
      response.end('secret');
    }),
  );
  const first = await listening(
    t,
    createPlain((_request, response) => response.writeHead(302, { location: `http://localhost:${inner}/x` }).end()),
  );
  // An integrator that is elsewhere, and hands out an address of this machine.
  const far = openFetcher({ own: () => ['https://203.0.113.5/install'] });
  t.after(() => far.close());
  await assert.rejects(far.fetch(`http://127.0.0.1:${inner}/icon`), /127\.0\.0\.1:\d+ is a loopback address/);
  assert.deepEqual(reached, []);
  const near = openFetcher({});
  t.after(() => near.close());
  assert.equal((await near.fetch(`http://127.0.0.1:${first}/`)).status, 200);
  assert.deepEqual(reached, ['/x']);
});

test('letters and spaces of an address are encoded as browsers do, and nothing else is changed', async (t) => {
  const asked: string[] = [];
  const port = await listening(
    t,
    createPlain((request, response) => {
      asked.push(request.url ?? '');
      response.end();
    }),
  );
  const fetcher = openFetcher({});
  t.after(() => fetcher.close());
  const origin = `http://127.0.0.1:${port}`;
  for (const path of ['/etiķete 1.pdf?för=ü&x=%20+', '/a%2fb/%7E?x={1}|2']) await fetcher.fetch(`${origin}${path}`);
  assert.deepEqual(asked, ['/eti%C4%B7ete%201.pdf?f%C3%B6r=%C3%BC&x=%20+', '/a%2fb/%7E?x={1}|2']);
});
