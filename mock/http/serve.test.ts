/** The socket of the service: slow clients, request smuggling, path traversal. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, mock, test } from 'node:test';
import { MAX_BYTES_IN_FLIGHT, type RunningServer, serve } from './serve.ts';

let served: RunningServer;
before(async () => {
  served = await serve({}, { timeouts: { headersMs: 300, requestMs: 600, pollMs: 50 } });
});
after(() => served.close());

/** Everything that the service sends until it closes the connection; this side does not close it. */
function answered(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(served.origin).port), '127.0.0.1');
    let response = '';
    // Long enough for a busy machine: the test looks for a service that never closes.
    const timer = setTimeout(() => socket.destroy(new Error(`the connection stays open: ${response}`)), 60_000);
    socket.on('data', (chunk) => {
      response += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(response);
    });
    socket.write(text);
  });
}

const responses = (text: string): number => text.split('HTTP/1.1 ').length - 1;
const key = (): string => served.service.state.websites.get('55001')?.apiKey ?? '';

describe('a client that never finishes gets an envelope and is disconnected', () => {
  for (const [what, text] of [
    ['in its headers', 'GET /v1/store/delivery_methods/ HTTP/1.1\r\nHost: localhost\r\nAuth'],
    ['in its body', 'POST /v1/store/delivery_method/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"del'],
    [
      'in a chunk',
      'POST /api/authorize/ HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n40\r\nemail=',
    ],
  ] as const) {
    test(what, async () => {
      const response = await answered(text);
      assert.ok(response === '' || /^HTTP\/1\.1 408 Request Timeout\r\n[\s\S]*"error":true/.test(response), response);
    });
  }
});

describe('a request with an ambiguous end is refused as a whole', () => {
  const hidden = () =>
    `DELETE /v1/store/delivery_method/honey-courier/ HTTP/1.1\r\nHost: localhost\r\nAuthorization: ApiKey ${key()}\r\n\r\n`;
  const post = 'POST /v1/store/delivery_method/ HTTP/1.1\r\nHost: localhost\r\n';
  const cases: ReadonlyArray<readonly [what: string, text: () => string]> = [
    ['length and chunks', () => `${post}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden()}`],
    [
      'chunks and length',
      () => `${post}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n5c\r\n${hidden()}\r\n0\r\n\r\n`,
    ],
    ['two lengths', () => `${post}Content-Length: 0\r\nContent-Length: 200\r\n\r\n${hidden()}`],
    ['a list of lengths', () => `${post}Content-Length: 0, 200\r\n\r\n${hidden()}`],
    ['a length with a sign', () => `${post}Content-Length: +0\r\n\r\n${hidden()}`],
    ['a space before the colon', () => `${post}Content-Length : 0\r\nContent-Length: 200\r\n\r\n${hidden()}`],
    [
      'chunks that are not the last coding',
      () => `${post}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${hidden()}`,
    ],
    [
      'a folded header',
      () => `${post}X: a\r\n\tContent-Length: 0\r\nTransfer-Encoding\r\n : chunked\r\n\r\n${hidden()}`,
    ],
    ['a size of chunk with rubbish', () => `${post}Transfer-Encoding: chunked\r\n\r\n0x5\r\n${hidden()}`],
  ];
  for (const [what, text] of cases) {
    test(what, async () => {
      const response = await answered(text());
      assert.equal(responses(response), 1, response);
      assert.match(response, /^HTTP\/1\.1 4\d\d [\s\S]*"error":true/);
      assert.ok(served.service.state.methods.has('honey-courier'), 'the hidden request was served');
    });
  }

  test('a request that follows a change without waiting for its response sees the change', async () => {
    const common = `Host: localhost\r\nAuthorization: ApiKey ${key()}\r\n`;
    const point = '{"pickup_point":{"id":"pipelined"}}';
    const path = '/v1/store/delivery_method/honey-courier/pickup_point/';
    const response = await answered(
      `POST ${path} HTTP/1.1\r\n${common}Content-Length: ${point.length}\r\n\r\n${point}` +
        `GET ${path}pipelined/ HTTP/1.1\r\n${common}\r\nDELETE ${path}pipelined/ HTTP/1.1\r\n${common}Connection: close\r\n\r\n`,
    );
    assert.deepEqual(response.match(/(?<=HTTP\/1\.1 )\d+/g), ['200', '200', '200'], response);
  });

  test('two separate requests are answered in sequence', async () => {
    const ask = `GET /v1/store/delivery_methods/?page_size=1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: ApiKey ${key()}\r\n`;
    const response = await answered(`${ask}\r\n${ask}Connection: close\r\n\r\n`);
    assert.equal(responses(response), 2, response);
  });
});

describe('what Node would answer by itself, or not at all, gets an envelope', () => {
  const end = 'Host: localhost\r\nConnection: close\r\n\r\n';
  const cases: ReadonlyArray<readonly [what: string, text: string, status: number, message: RegExp]> = [
    ['TRACE', `TRACE /v1/store/delivery_methods/ HTTP/1.1\r\n${end}`, 405, /takes GET, POST, PUT, DELETE/],
    ['CONNECT', `CONNECT shop.example:443 HTTP/1.1\r\n${end}`, 405, /not a proxy/],
    ['no Host', 'GET /v1/ HTTP/1.1\r\nConnection: close\r\n\r\n', 400, /no Host header/],
    ['another Expect', `POST /v1/ HTTP/1.1\r\nExpect: tea\r\n${end}`, 417, /100-continue/],
    [
      'a letter outside ASCII',
      `GET /v1/store/delivery_method/h/pickup_point/Rīga/ HTTP/1.1\r\n${end}`,
      400,
      /percent-enc/,
    ],
    ['a space in the address', `GET /v1/store/delivery_method/a b/ HTTP/1.1\r\n${end}`, 400, /percent-enc/],
    ['long headers', `GET /v1/ HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n${end}`, 431, /longer than 16384 bytes/],
    ['no HTTP', 'HELO shop\r\n\r\n', 400, /not readable as HTTP/],
  ];
  for (const [what, text, status, message] of cases) {
    test(what, async () => {
      const [head = '', body = ''] = (await answered(text)).split('\r\n\r\n');
      assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `));
      const envelope = JSON.parse(body.replace(/^[0-9a-f]+\r\n|\r\n0$/g, '')) as Record<string, unknown>;
      assert.equal(envelope.error, true);
      assert.equal(envelope.error_code, status);
      assert.match(String(envelope.error_message), message);
    });
  }

  test('a failure of the service itself, after the body was read', async () => {
    const own = await serve({});
    own.service.serve = () => Promise.reject(new Error('on purpose'));
    const printed = mock.method(console, 'error', () => undefined);
    const response = await fetch(`${own.origin}/api/authorize/`, {
      method: 'POST',
      body: new URLSearchParams({ a: 'b' }),
    });
    assert.equal(response.status, 500);
    assert.deepEqual(await response.json(), { error: true, errorCode: 500, errorMsg: 'The service failed.' });
    assert.match(String(printed.mock.calls[0]?.arguments[0]), /on purpose/);
    printed.mock.restore();
    await own.close();
  });
});

test('no path leads to a file', async () => {
  const up = ['..', '%2e%2e', '%2E.', '..%2f..', '..%5c..', '%c0%ae%c0%ae', '....//', '..;'];
  const roots = ['', '/v1', '/v1/store', '/api', '/admin', '/site/nordic-honey', '/catalog'];
  for (const root of roots) {
    for (const dots of up) {
      for (const file of ['etc/passwd', 'package.json', 'mock/http/serve.ts']) {
        const path = `${root}/${Array.from({ length: 8 }, () => dots).join('/')}/${file}`;
        const response = await answered(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
        assert.match(response, /^HTTP\/1\.1 [34]\d\d /, path);
        assert.ok(!/root:|"devDependencies"|createServer/.test(response), `${path} shows a file`);
      }
    }
  }
});

describe('the memory that a client can occupy is limited', () => {
  test('connections beyond the limit are refused', async () => {
    const own = await serve({}, { maxConnections: 30 });
    const { port } = new URL(own.localOrigin);
    const sockets = Array.from({ length: 40 }, () => connect(Number(port), '127.0.0.1'));
    await Promise.all(
      sockets.slice(-10).map(
        (socket) =>
          new Promise<void>((resolve) => {
            socket.on('error', () => undefined);
            socket.on('close', () => resolve());
          }),
      ),
    );
    assert.equal(sockets.filter(({ destroyed }) => destroyed).length, 10);
    for (const socket of sockets) socket.destroy();
    await own.close();
  });

  test('idle connections do not lock other clients out', async (context) => {
    const own = await serve({}, { maxConnections: 8 });
    context.after(() => own.close());
    const { port } = new URL(own.localOrigin);
    for (let at = 0; at < 20; at += 1) {
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write('GET /v1/ HTTP/1.1\r\nHost: localhost\r\n\r\n');
      const chunk = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
      assert.match(String(chunk[0]), /^HTTP\/1\.1 404 /, `connection ${at}`);
    }
  });

  test('a form with too many parts or fields is refused before it is parsed', async () => {
    const part = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n';
    const refusedWith = async (type: string, body: string): Promise<unknown> => {
      const headers = { 'content-type': type };
      const response = await fetch(`${served.origin}/api/authorize/`, { method: 'POST', headers, body });
      return ((await response.json()) as { errorMsg: string }).errorMsg;
    };
    const multipart = 'multipart/form-data; boundary=b';
    assert.match(String(await refusedWith(multipart, `${part.repeat(1_001)}--b--`)), /more than 1000 fields/);
    assert.doesNotMatch(String(await refusedWith(multipart, `${part.repeat(1_000)}--b--`)), /fields/);
    const form = 'application/x-www-form-urlencoded';
    assert.match(String(await refusedWith(form, 'a&'.repeat(10_001))), /more than 10000 fields/);
    assert.doesNotMatch(String(await refusedWith(form, 'a&'.repeat(9_999))), /fields/);
  });

  test('simultaneous large bodies are refused when they exceed the common limit', async () => {
    const own = await serve({});
    const { port } = new URL(own.localOrigin);
    const length = 4 * 1024 * 1024;
    const head = `POST /v1/store/delivery_method/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n`;
    const body = Buffer.alloc(length - 1, 32);
    // Each lacks its last byte, so that all of them stay incomplete.
    const sockets = Array.from({ length: MAX_BYTES_IN_FLIGHT / length + 2 }, () => connect(Number(port), '127.0.0.1'));
    const refused = await Promise.race(
      sockets.map(
        (socket) =>
          new Promise<string>((resolve) => {
            socket.on('error', () => undefined);
            socket.on('data', (chunk) => resolve(String(chunk)));
            socket.write(head);
            socket.write(body);
          }),
      ),
    );
    assert.match(refused, /^HTTP\/1\.1 503 [\s\S]*"error":true/);
    for (const socket of sockets) socket.destroy();
    await own.close();
  });
});
