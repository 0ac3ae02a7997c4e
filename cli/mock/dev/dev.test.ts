/** The development server in front of a service that listens: log, judgement, redaction, sending, CORS, and who gets in. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { MAX_LEARNED_SECRETS } from '../../../harness/evidence/redaction/index.ts';
import { type RunningServer, serve } from '../../../mock/http/serve.ts';
import { attachDevServer, type DevServer } from './index.ts';
import type { LogEntry } from './log.ts';
import { logLine } from './log-line.ts';
import { secretsOf } from './secrets.ts';

let served: RunningServer;
let attached: DevServer;
const logged: LogEntry[] = [];
const posted: { path: string; body: string }[] = [];
/** What replaces the page of an integrator. */
const integrator = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    posted.push({ path: request.url ?? '', body });
    response.writeHead(302, { location: '/elsewhere' }).end('moved');
  });
});

before(async () => {
  served = await serve({ hints: true });
  attached = attachDevServer(served, { cors: ['http://localhost:5173'], logged: (entry) => void logged.push(entry) });
  await new Promise<void>((resolve) => integrator.listen(0, '127.0.0.1', resolve));
});
after(async () => {
  await served.close();
  integrator.close();
});

const storeKey = (): string => served.service.state.websites.all()[0]!.apiKey;
const call = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(served.origin + path, { redirect: 'manual', ...init });
const keyed = (key = storeKey()): RequestInit => ({ headers: { authorization: `ApiKey ${key}` } });
const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  call(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
const METHODS = '/v1/store/delivery_methods/';

/** Sends bytes on a connection of their own, and waits for its end. */
const sendBytes = (port: number, bytes: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
    socket
      .on('error', reject)
      .on('close', () => resolve())
      .resume();
  });

describe('proofmark mock as a development server', () => {
  test('logs a request as received, without secrets, with what is wrong in it and the hint', async () => {
    await call(METHODS, keyed());
    await call(METHODS, { headers: { authorization: 'Bearer another-service-key-77' } });
    const { entries } = (await (await call('/_dev/api/log')).json()) as { entries: LogEntry[] };
    const [right, wrong] = entries.slice(-2) as [LogEntry, LogEntry];
    assert.deepEqual(right.wrong, []);
    assert.equal(headerOf(right, 'authorization'), 'ApiKey $STORE_KEY_55001');
    assert.deepEqual(
      wrong.wrong.map(({ kind, clause }) => [kind, clause]),
      [['breaks', 'provider.calls.authorization-header']],
    );
    assert.equal(headerOf(wrong, 'authorization'), 'Bearer (22 characters, no key of this service)');
    assert.equal(wrong.hint, 'the scheme is ApiKey, not Bearer');
    assert.match(
      logLine(logged.at(-1)!),
      / GET {4}\/v1\/store\/delivery_methods\/ 401 .*\n {2}hint: the scheme is ApiKey.*\n {2}✕ wrong: /,
    );
    const one = (await (await call(`/_dev/api/log/${wrong.n}`)).json()) as LogEntry;
    assert.equal(one.n, wrong.n);
    const page = await (await call('/_dev/')).text();
    assert.ok(page.includes('Would be judged wrong:') && page.includes('the scheme is ApiKey, not Bearer'));
    assert.ok(!page.includes(storeKey()) && !page.includes('another-service-key-77'));
  });

  test('judges a body by its bytes: what is not UTF-8 stays so', async () => {
    const headers = { authorization: `ApiKey ${storeKey()}`, 'content-type': 'application/json' };
    const latin1 = Buffer.from('{"delivery_method":{"title":"caf\xe9"}}', 'latin1');
    assert.equal((await call('/v1/store/delivery_method/', { method: 'POST', headers, body: latin1 })).status, 400);
    const { exchange, wrong } = logged.at(-1) as LogEntry;
    assert.equal(exchange.request.body?.base64, latin1.toString('base64'));
    assert.match(wrong.map(({ message }) => message).join(), /with a body that is not UTF-8/);
  });

  test('logs what is refused before it reaches the service, and calls beside the base', async () => {
    const { port } = new URL(served.origin);
    const host = `Host: 127.0.0.1:${port}`;
    const key = `Authorization: ApiKey ${storeKey()}`;
    const cases: [sent: string, line: RegExp, hint: RegExp][] = [
      [`GET ${METHODS} HTTP/1.1\r\n${key}`, /^GET .*delivery_methods\/ 400/, /no Host header/],
      [
        `GET ${METHODS} HTTP/1.1\r\nHost: store.example\r\n${key}`,
        /^GET .*delivery_methods\/ 421/,
        /call the service as/,
      ],
      [`POST ${METHODS} HTTP/1.1\r\n${host}\r\nExpect: more`, /^POST .* 417/, /100-continue/],
      [`TRACE ${METHODS} HTTP/1.1\r\n${host}`, /^TRACE .* 405/, /takes GET, POST, PUT, DELETE/],
      [
        `GET /v1/store/k\u0137/ HTTP/1.1\r\n${host}`,
        /^GET {4}\/v1\/store\/k%C4%B7\/ 400/,
        /percent-encode it as UTF-8/,
      ],
      ['CONNECT other.example:443 HTTP/1.1\r\nHost: other.example:443', /^CONNECT .* 405/, /not a proxy/],
      ['\x16\x03\x01\x02', /^NOT HTTP \/ 400/, /bytes are those of https/],
      ['PRI * HTTP/2.0', /400/, /not readable as HTTP|no Host|neither/],
      [`GET /store/delivery_methods/ HTTP/1.1\r\n${host}`, /^GET .* 404/, /below another base: \/v1\/store/],
      [`GET /V1/store/delivery_methods/ HTTP/1.1\r\n${host}`, /^GET .* 404/, /begin with \/v1\//],
    ];
    for (const [sent, line, hint] of cases) {
      const before = logged.length;
      await sendBytes(Number(port), `${sent}\r\n\r\n`);
      const entry = logged[before];
      assert.ok(entry !== undefined, sent);
      assert.match(logLine(entry).slice(13), line);
      assert.match(entry.hint ?? '', hint, sent);
      assert.ok(!JSON.stringify(entry).includes(storeKey()), sent);
    }
    assert.equal((await call('/_dev/')).status, 200);
  });

  test('leads past a long log to the tools below it', async () => {
    const page = await (await call('/_dev/')).text();
    for (const [, id] of page.matchAll(/href="#([a-z]+)"/g)) assert.ok(page.includes(`<h2 id="${id}">`), id);
    assert.match(page, /href="#service"/);
  });

  test('shows a hostile request as text', async () => {
    await call('/v1/store/<img%20src=x>/?a=<script>alert(1)</script>', {
      headers: { 'x-a': '<script>alert(2)</script>' },
    });
    const rows = await (await call('/_dev/rows?after=0')).text();
    assert.ok(!rows.includes('<script>') && rows.includes('&lt;script&gt;'));
  });

  test('none of its pages contains a secret of the state', async () => {
    const { state } = served.service;
    const secrets = [
      ...state.apps.all().flatMap(({ apiKey, manifest }) => [apiKey, manifest.app_secret]),
      ...state.installations.all().map(({ authCode }) => authCode),
      ...state.resellers.all().map(({ password }) => password),
      ...state.websites.all().map(({ apiKey }) => apiKey),
    ];
    const [app] = state.apps.all();
    const fresh = 'Secret-of-an-app-that-a-portal-made';
    served.service.change(() =>
      state.apps.set('3999', { ...app!, id: '3999', manifest: { ...app!.manifest, app_secret: fresh } }),
    );
    secrets.push(fresh);
    const settings = await post('/_dev/api/send', { kind: 'settings', installation: '0' });
    assert.equal(settings.status, 200);
    for (const path of ['/_dev/', '/_dev/state', '/_dev/api/state', '/_dev/api/sent', '/docs', '/openapi.json']) {
      const text = await (await call(path)).text();
      for (const secret of secrets) assert.ok(!text.includes(secret), path);
    }
  });

  test('learns no more tokens than are remembered, however many a client leaves', async () => {
    const { service } = served;
    const token = (n: number): string => `token-of-a-client-${n}`;
    service.change(() => {
      for (let n = 1; n <= 2 * MAX_LEARNED_SECRETS; n += 1)
        service.state.tokens.set(token(n), { token: token(n), resellerId: 9001 });
    });
    const learned = secretsOf(service).filter(({ learned: isLearned }) => isLearned === true);
    assert.ok(learned.length <= MAX_LEARNED_SECRETS, `${learned.length} are learned with each request`);
    assert.ok(learned.some(({ value }) => value === token(2 * MAX_LEARNED_SECRETS)));
    await service.control.reset();
  });

  test('sends a label request as a browser would, and again byte for byte', async () => {
    const { state } = served.service;
    const order = state.orders.all()[0]!;
    const { port } = integrator.address() as AddressInfo;
    served.service.change(() =>
      state.methods.patch(order.method.handle, { print_label_url: `http://127.0.0.1:${port}/label` }),
    );
    const sent = (await (await post('/_dev/api/send', { kind: 'label', order: order.uuid })).json()) as {
      n: number;
      reply: { status: number; location: string };
    };
    assert.deepEqual([sent.reply.status, sent.reply.location], [302, '/elsewhere']);
    await post('/_dev/api/resend', { n: sent.n });
    const [first, second] = posted.slice(-2);
    assert.match(first?.body ?? '', /label_request_id=.*&signature=/);
    assert.deepEqual(second, first);
  });

  test('switches faults on and off, slows calls down, and resets', async () => {
    const unknown = await post('/_dev/api/deviations', { ids: ['no.such.fault'] });
    assert.equal(unknown.status, 400);
    const { faults } = (await (await call('/_dev/api/deviations')).json()) as { faults: { id: string }[] };
    const id = faults.find((fault) => fault.id.includes('bearer') || fault.id.includes('list'))?.id ?? faults[0]!.id;
    assert.deepEqual(await (await post('/_dev/api/deviations', { add: id })).json(), { active: [id] });
    assert.deepEqual(await (await post('/_dev/api/deviations', { remove: id })).json(), { active: [] });
    await post('/_dev/api/latency', { ms: 120 });
    const began = performance.now();
    await call(METHODS, keyed());
    assert.ok(performance.now() - began >= 115);
    served.service.change(() => served.service.state.methods.delete('honey-courier'));
    assert.equal((await post('/_dev/api/reset', {})).status, 200);
    assert.ok(served.service.state.methods.has('honey-courier'));
    assert.deepEqual(await (await call('/_dev/api/log')).json(), { entries: [] });
    assert.deepEqual(await (await call('/_dev/api/latency')).json(), { ms: 0 });
  });

  test('refuses calls that it can’t understand, with a sentence that says what to send', async () => {
    const { settings, service } = attached.parts;
    const active = settings.active;
    const wrong: [string, unknown, RegExp][] = [
      ['deviations', { ids: 'batch.country-ignored' }, /"ids": \[ID/],
      ['deviations', { ids: [5] }, /"ids": \[ID/],
      ['deviations', {}, /"add": ID/],
      ['latency', { ms: null }, /^ms is a whole number/],
      ['latency', { ms: 60_001 }, /^ms is a whole number/],
      ['latency', { ms: '' }, /^ms is a whole number/],
      ['send', { kind: 'install', app: '3001' }, /^Name website/],
      ['send', { kind: 'install', app: '3001', website: 'honey' }, /^website is the number of a store/],
    ];
    for (const [path, body, sentence] of wrong) {
      const response = await post(`/_dev/api/${path}`, body);
      assert.equal(response.status, 400, JSON.stringify(body));
      assert.match(((await response.json()) as { message: string }).message, sentence);
    }
    assert.equal((await call('/_dev/api/log?after=abc')).status, 400);
    assert.deepEqual([settings.active, settings.latencyMs], [active, 0]);
    // The ids of apps and stores are shown as digits, so that they may also be sent as numbers.
    const app = Number(service.state.apps.all()[0]!.id);
    const website = service.state.websites.all()[0]!.id;
    const sent = await post('/_dev/api/send', { kind: 'install', app, website: String(website) });
    assert.equal(sent.status, 200, await sent.text());
  });

  test('is there for this machine only, and changes nothing for pages of other sites', async () => {
    const foreign: [string, RequestInit, number][] = [
      ['/_dev/', { headers: { 'x-forwarded-for': '203.0.113.9' } }, 404],
      ['/_dev/api/state', { headers: { forwarded: 'for=203.0.113.9' } }, 404],
      ['/_dev/api/reset', { method: 'POST', headers: { origin: 'https://evil.example' } }, 403],
      ['/_dev/api/reset', { method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } }, 403],
      ['/_dev/api/latency', { method: 'POST', headers: { origin: 'null' }, body: 'ms=5' }, 403],
    ];
    for (const [path, init, status] of foreign) assert.equal((await call(path, init)).status, status, path);
    const cross = await call('/_dev/api/state', { headers: { origin: 'http://localhost:5173' } });
    assert.equal(cross.headers.get('access-control-allow-origin'), null);
    const own = await call('/_dev/api/latency', {
      method: 'POST',
      headers: { origin: served.origin },
      body: new URLSearchParams({ ms: '0' }),
    });
    assert.equal(own.status, 303);
  });

  test('lets pages of named origins read the interfaces, and no others', async () => {
    const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' };
    const preflight = await call(METHODS, {
      method: 'OPTIONS',
      headers: { origin: 'http://localhost:5173', ...asked },
    });
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers.get('access-control-allow-headers'), 'authorization');
    const allowed = await call(METHODS, { headers: { origin: 'http://localhost:5173' } });
    assert.equal(allowed.headers.get('access-control-allow-origin'), 'http://localhost:5173');
    const other = await call(METHODS, { headers: { origin: 'http://localhost:9' } });
    assert.equal(other.headers.get('access-control-allow-origin'), null);
    const refused = await call(METHODS, { method: 'OPTIONS', headers: { origin: 'http://localhost:9', ...asked } });
    assert.equal(refused.status, 405);
    assert.match(refused.headers.get('x-proofmark-hint') ?? '', /with --cors http:\/\/localhost:9$/);
  });

  test('is not part of a service that judges: a precheck does not have its addresses', async () => {
    const bare = await serve({ pages: 'precheck' });
    try {
      for (const path of ['/_dev/', '/_dev/api/state', '/_dev/api/log', '/docs', '/openapi.json'])
        assert.equal((await fetch(bare.origin + path)).status, 404, path);
    } finally {
      await bare.close();
    }
  });

  test('serves the documents as one consistent document, and pages that load nothing from other hosts', async () => {
    const text = await (await call('/openapi.json')).text();
    const document = JSON.parse(text) as { paths: Record<string, unknown>; servers: { url: string }[] };
    assert.equal(document.servers[0]?.url, served.origin);
    for (const path of ['/v1/apps/user/', '/api/websites/']) assert.ok(path in document.paths, path);
    for (const [, reference] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const found = reference!
        .split('/')
        .reduce<unknown>((at, part) => (at as Record<string, unknown>)?.[part.replaceAll('~1', '/')], document);
      assert.ok(found !== undefined, reference);
    }
    for (const path of ['/docs', '/_dev/']) {
      const page = await call(path);
      const html = await page.text();
      assert.doesNotMatch(html, /(?:src|href)="(?:https?:)?\/\//);
      assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'.*frame-ancestors 'none'/);
    }
    const docs = await (await call('/docs')).text();
    for (const path of Object.keys(document.paths)) assert.ok(docs.includes(`<code>${path}</code>`), path);
  });
});

const headerOf = ({ exchange }: LogEntry, name: string): string | undefined =>
  exchange.request.headers.find(([key]) => key === name)?.[1];
