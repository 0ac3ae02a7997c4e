import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { appRoutes } from '../apps/apps.ts';
import { overSocket, type Reply, type Send } from '../client.fixture.ts';
import { deliveryRoutes } from '../delivery/routes.ts';
import { resellerRoutes } from '../reseller/reseller.ts';
import type { Routes } from './interface.ts';
import { type RunningServer, serve } from './serve.ts';

const BOTH = [deliveryRoutes, appRoutes, resellerRoutes];

/** Values for path parameters, and for each operation a request that is correct except for its body. */
const VALUES: Record<string, string> = {
  handle: 'honey-lockers',
  point: 'RIX-01',
  language: 'en',
  website: '55003',
  subscription: 'premium',
  domain: '8001',
};

describe('bad input over HTTP', () => {
  let served: RunningServer;
  let send: Send;
  let auth: Record<string, string>;
  let query: string;
  let token: string;
  let stateBefore: unknown;
  before(async () => {
    served = await serve({});
    send = overSocket(served.origin);
    const { state } = served.service;
    const installation = state.installations.all()[0]!;
    auth = {
      delivery: `ApiKey ${state.websites.get('55001')!.apiKey}`,
      apps: `ApiKey ${state.apps.get('3001')!.apiKey}`,
    };
    query = `authCode=${installation.authCode}`;
    const { email, password } = state.resellers.get('9001')!;
    token = (await send('GET', `/api/authorize/?${new URLSearchParams({ email, password })}`, {})).body.apiToken;
    stateBefore = await served.service.control.state();
  });
  after(async () => {
    await served.close();
  });

  const path = (routes: Routes, pattern: string): string =>
    routes.base + pattern.replace(/\{(\w+)\}/g, (_all, name: string) => VALUES[name]!);
  const headersFor = (routes: Routes): Record<string, string> =>
    routes.iface === 'reseller' ? {} : { authorization: auth[routes.iface]! };
  const withCredentials = (routes: Routes, at: string): string =>
    routes.iface === 'apps' ? `${at}?${query}` : routes.iface === 'reseller' ? `${at}?apiToken=${token}` : at;

  function refused(reply: Reply, iface: 'reseller' | 'other', what: string): void {
    assert.ok(reply.status >= 400 && reply.status < 500, `${what}: ${reply.status} ${reply.text}`);
    const [code, message] = iface === 'reseller' ? ['errorCode', 'errorMsg'] : ['error_code', 'error_message'];
    assert.deepEqual(Object.keys(reply.body ?? {}), ['error', code, message], what);
    assert.deepEqual(
      [reply.body.error, typeof reply.body[code], typeof reply.body[message]],
      [true, 'number', 'string'],
      what,
    );
    assert.ok(Number.isInteger(reply.body[code]), what);
    assert.match(reply.headers.get('content-type') ?? '', /^application\/json/, what);
  }
  const nothingChanged = async (): Promise<void> => {
    assert.deepEqual(await served.service.control.state(), stateBefore);
  };

  const bodies: Record<string, string | Buffer> = {
    'not JSON': '{"delivery_method":',
    'trailing text': '{} x',
    'a text': '"delivery_method"',
    'an array': '[1,2]',
    'a number': '17',
    'a large number': '12345678901234567890',
    null: 'null',
    'a form': 'delivery_method=1',
    'not UTF-8': Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    'deep arrays': `{"delivery_method":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
    'deep objects': `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
    'a name twice': '{"delivery_method":{"title":"a","title":"b"},"snippet":"x","snippet":"y","data":{"a":1,"a":2}}',
    'half a surrogate pair':
      '{"delivery_method":{"title":"\\ud800"},"pickup_point":{"id":"\\udfff"},"snippet":"\\ud83d","data":"\\ud83d"}',
    'only __proto__':
      '{"__proto__":{"delivery_method":{},"pickup_point":{"id":"x"},"snippet":"x","data":"x","pickup_points":[],"order_uuid":"x"}}',
    'inherited names': '{"constructor":1,"toString":"x"}',
    'wrong types':
      '{"delivery_method":7,"pickup_point":[],"pickup_points":{},"snippet":{},"data":true,"order_uuid":{},"is_initialization":"1"}',
    'wrong fields':
      '{"delivery_method":{"title":[1]},"pickup_point":{"id":7},"pickup_points":[{"id":{}}],"snippet":"x","language":"xx","data":null,"order_uuid":7}',
  };

  test('bodies of any kind, to every operation that reads one', async () => {
    let sent = 0;
    for (const routes of [deliveryRoutes, appRoutes]) {
      for (const { operation, methods, path: pattern } of routes.operations) {
        const method = methods[0]!;
        if (
          method === 'GET' ||
          method === 'DELETE' ||
          operation === 'finishInstallation' ||
          operation === 'uninstallApp'
        )
          continue;
        for (const [what, body] of Object.entries(bodies)) {
          const at = withCredentials(routes, path(routes, pattern));
          const reply = await send(method, at, { ...headersFor(routes), 'content-type': 'application/json' }, body);
          refused(reply, 'other', `${operation}: ${what}`);
          sent += 1;
        }
      }
    }
    assert.ok(sent > 100);
    await nothingChanged();
  });

  test('compressed bodies get 415 in every interface, and the coding that is read', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const calls = [
      ['other', 'POST', '/v1/store/delivery_method/', headersFor(deliveryRoutes)],
      ['other', 'POST', `/v1/apps/set_data/?${query}`, headersFor(appRoutes)],
      ['reseller', 'POST', '/api/authorize/', form],
      ['reseller', 'POST', '/api/authorize/', { 'content-type': 'multipart/form-data; boundary=x' }],
    ] as const;
    for (const coding of ['gzip', 'x-gzip', 'GZIP', 'deflate', 'br', 'gzip, br']) {
      for (const [iface, method, at, headers] of calls) {
        const reply = await send(method, at, { ...headers, 'content-encoding': coding }, gzipSync('{"data":{}}'));
        refused(reply, iface, `${coding} ${at}`);
        assert.deepEqual([reply.status, reply.headers.get('accept-encoding')], [415, 'identity'], `${coding} ${at}`);
        assert.match(reply.text, /content coding .* is not supported/);
      }
    }
    const identity = { ...headersFor(appRoutes), 'content-encoding': 'identity' };
    assert.equal((await send('POST', `/v1/apps/set_data/?${query}`, identity, '{"data":7}')).status, 400);
    const empty = { ...headersFor(appRoutes), 'content-encoding': 'gzip', 'content-length': '0' };
    assert.equal((await send('GET', `/v1/apps/user/?${query}`, empty)).status, 200);
    await nothingChanged();
  });

  test('a body that is not expected is not read', async () => {
    for (const method of ['GET', 'DELETE']) {
      const reply = await send(method, '/v1/store/delivery_method/nope/', headersFor(deliveryRoutes), '{{{');
      refused(reply, 'other', method);
    }
    const list = await send(
      'GET',
      '/v1/store/delivery_methods/',
      { ...headersFor(deliveryRoutes), 'content-type': 'application/json' },
      '{{{',
    );
    assert.equal(list.status, 200);
  });

  test('paths of any kind', async () => {
    const ends = [
      '%',
      '%zz',
      '%f',
      '%ff',
      '%c3',
      '//',
      '/../',
      '/%2e%2e/',
      '/.%2E/x/',
      '/./',
      '//etc/passwd',
      '/<>"',
      '/%00',
      '/\\..\\',
      '/a;b=c',
    ];
    for (const routes of BOTH) {
      for (const { operation, methods, path: pattern } of routes.operations) {
        for (const end of ends) {
          const at = withCredentials(routes, path(routes, pattern).replace(/\/$/, '') + end);
          const reply = await send(methods[0]!, at, headersFor(routes));
          if (operation === 'authorize' && reply.status === 401) continue;
          refused(reply, routes.iface === 'reseller' ? 'reseller' : 'other', `${operation} ${end}`);
        }
      }
    }
    for (const at of [
      '/v1',
      '/v1/',
      '/v1//store/delivery_methods/',
      '/v1/store',
      '/v1/apps',
      '/v1/apps/',
      '/v1/nothing/',
      '/v1/%',
      '/v1/store/delivery_method//',
    ]) {
      refused(await send('GET', at, headersFor(deliveryRoutes)), 'other', at);
    }
    for (const at of [
      '//v1/store/delivery_methods/',
      '///v1',
      '/V1/store/delivery_methods/',
      '/v1\\store',
      '/v1%2fstore',
    ]) {
      for (const method of ['GET', 'POST']) refused(await send(method, at, headersFor(deliveryRoutes)), 'other', at);
    }
    for (const at of [
      '//api/websites/',
      '/Api/websites/',
      '/api',
      '/api/',
      '/api//websites/',
      '/api/%zz',
      '/api/website/',
      '/api/website/55003/',
      '/api/website/55003/enable_premium/',
    ]) {
      refused(await send('GET', at, {}), 'reseller', at);
    }
    await nothingChanged();
  });

  test('a point with the id .. never addresses its parent', async () => {
    for (const end of ['..', '.', '%2e%2e', '%2E.', '.%2e/', '../']) {
      const at = `/v1/store/delivery_method/honey-lockers/pickup_point/${end}`;
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const reply = await send(method, at, headersFor(deliveryRoutes));
        refused(reply, 'other', `${method} ${end}`);
        assert.match(reply.body.error_message, /a parent/);
      }
    }
    await nothingChanged();
  });

  test('queries of any kind', async () => {
    for (const bad of [
      '%',
      '%zz=1',
      'a=%ff',
      'page_size=%',
      'page_size=-1',
      'page_size=1.5',
      'page_size=1e3',
      'page_start=-1-',
      'page_start=%00',
    ]) {
      refused(await send('GET', `/v1/store/delivery_methods/?${bad}`, headersFor(deliveryRoutes)), 'other', bad);
      if (bad.includes('%') && !bad.includes('%00')) {
        refused(await send('GET', `/v1/apps/user/?${query}&${bad}`, headersFor(appRoutes)), 'other', bad);
        refused(await send('GET', `/api/websites/?apiToken=${token}&${bad}`, {}), 'reseller', bad);
      }
    }
    for (const fine of ['page_size=99999999999999999999', '&&&', '=&=', 'a', '?', '%20', 'page_size=', 'x=1#y']) {
      assert.equal(
        (await send('GET', `/v1/store/delivery_methods/?${fine}`, headersFor(deliveryRoutes))).status,
        200,
        fine,
      );
    }
  });

  test('wrong methods', async () => {
    for (const routes of BOTH) {
      for (const { path: pattern } of routes.operations) {
        const siblings = routes.operations.filter((other) => other.path === pattern).flatMap((other) => other.methods);
        for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'].filter(
          (name) => !siblings.includes(name),
        )) {
          const reply = await send(method, withCredentials(routes, path(routes, pattern)), headersFor(routes));
          refused(reply, routes.iface === 'reseller' ? 'reseller' : 'other', `${method} ${pattern}`);
        }
      }
    }
    const head = await send('HEAD', '/v1/store/delivery_methods/', headersFor(deliveryRoutes));
    assert.deepEqual([head.status, head.text], [405, '']);
    await nothingChanged();
  });

  test('too long bodies are refused, with or without a Content-Length', async () => {
    const long = Buffer.alloc(5 * 1024 * 1024, 'x');
    const api = await send('POST', '/v1/store/delivery_method/', headersFor(deliveryRoutes), long);
    refused(api, 'other', 'long body');
    assert.equal(api.status, 413);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    refused(await send('POST', '/api/settings/set/', form, long), 'reseller', 'long form');
    const chunked = await send(
      'POST',
      '/v1/store/delivery_method/',
      { ...headersFor(deliveryRoutes), 'transfer-encoding': 'chunked' },
      long,
    );
    refused(chunked, 'other', 'long chunked body');
    await nothingChanged();
  });

  test('forms of any kind', async () => {
    const url = `/api/settings/set/?apiToken=${token}`;
    const types: [string, string | Buffer][] = [
      ['application/x-www-form-urlencoded', 'company=%zz'],
      ['application/x-www-form-urlencoded', 'company=%ff'],
      ['application/x-www-form-urlencoded', '__proto__=x'],
      ['application/json', '{"company":"x"}'],
      ['text/plain', 'company=x'],
      ['multipart/form-data', 'no boundary'],
      ['multipart/form-data; boundary=x', 'no parts'],
      [
        'multipart/form-data; boundary=x',
        '--x\r\nContent-Disposition: form-data; name="company"; filename="a"\r\n\r\nx\r\n--x--\r\n',
      ],
      [
        'multipart/form-data; boundary=x',
        Buffer.from('--x\r\nContent-Disposition: form-data; name="company"\r\n\r\nCaf\xe9\r\n--x--\r\n', 'latin1'),
      ],
    ];
    for (const [type, body] of types)
      refused(await send('POST', url, { 'content-type': type }, body), 'reseller', `${type} ${body}`);
    await nothingChanged();
  });

  const raw = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(served.origin).port), '127.0.0.1');
      let response = '';
      socket.setTimeout(5_000, () => socket.destroy(new Error('no answer')));
      socket.on('data', (chunk) => (response += chunk));
      socket.on('close', () => resolve(response));
      socket.on('error', reject);
      socket.end(text);
    });

  test('bytes that are not or barely HTTP', async () => {
    const broken = [
      'GET /v1/ HTTP/9.9\r\n\r\n',
      'nonsense\r\n\r\n',
      'GET  HTTP/1.1\r\nHost: localhost\r\n\r\n',
      `GET /v1/x HTTP/1.1\r\nHost: localhost\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`,
      'GET /api/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n',
      'POST /v1/store/delivery_method/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    ];
    for (const text of broken)
      assert.match(await raw(text), /^HTTP\/1\.1 4\d\d [\s\S]*"error":true/, text.slice(0, 40));
    const target = await raw(
      'GET http://127.0.0.1/v1/nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    );
    assert.match(target, /^HTTP\/1\.1 404 [\s\S]*"error":true/);
    const authority =
      'GET http://user:word@127.0.0.1/v1/nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    assert.match(await raw(authority), /^HTTP\/1\.1 404 [\s\S]*"error":true/);
    for (const other of ['GET ftp://127.0.0.1/v1/nothing', 'OPTIONS *', 'GET v1/nothing']) {
      const reply = await raw(`${other} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      assert.match(reply, /^HTTP\/1\.1 40[05] [\s\S]*"error":true/, other);
    }
    await raw('POST /v1/store/delivery_method/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"del');
    assert.equal((await send('GET', '/v1/store/delivery_methods/', headersFor(deliveryRoutes))).status, 200);
    await nothingChanged();
  });
});
