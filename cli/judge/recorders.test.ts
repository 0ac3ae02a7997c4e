/**
 * One correct conversation as Chrome, Firefox and Charles write it down, and as a sanitiser leaves it: what each leaves out, encodes or adds is not a fault,
 * and what goes to other hosts is not judged.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { inStartOrder, TrafficFold, type TrafficVerdicts } from '../../contracts/traffic/index.ts';
import { createService } from '../../mock/service.ts';
import { openRecording } from './recording.ts';

interface Turn {
  readonly method: string;
  readonly url: string;
  readonly headers: ReadonlyArray<readonly [string, string]>;
  readonly body?: string;
  readonly status: number;
  readonly responseHeaders: ReadonlyArray<readonly [string, string]>;
  readonly response: string;
}

const ORIGIN = 'https://service.example';
const home = mkdtempSync(join(tmpdir(), 'proofmark-recorders-'));
after(() => rmSync(home, { recursive: true, force: true }));
const turns: Turn[] = [];

before(async () => {
  const service = createService({ origin: ORIGIN });
  const { state } = service;
  const key = `ApiKey ${state.websites.get('55001')?.apiKey}`;
  const say = async (method: string, path: string, body?: unknown, authorization?: string): Promise<string> => {
    const isForm = body instanceof URLSearchParams;
    const text = body === undefined ? undefined : isForm ? String(body) : JSON.stringify(body);
    const headers = [
      ...(authorization === undefined ? [] : [['authorization', authorization] as const]),
      ...(text === undefined
        ? []
        : [['content-type', isForm ? 'application/x-www-form-urlencoded' : 'application/json'] as const]),
    ];
    const url = ORIGIN + path;
    const reply = await service.fetch(
      new Request(url, { method, headers: headers.map(([name, value]) => [name, value]), body: text ?? null }),
    );
    const response = await reply.text();
    turns.push({
      method,
      url,
      headers,
      ...(text === undefined ? {} : { body: text }),
      status: reply.status,
      responseHeaders: [...reply.headers],
      response,
    });
    return response;
  };
  const created = JSON.parse(
    await say(
      'POST',
      '/v1/store/delivery_method/',
      { delivery_method: { title: { en: 'Rīga 🐝' }, reference: 'r' } },
      key,
    ),
  ) as { handle?: string; delivery_method?: { handle: string } };
  const handle = created.handle ?? created.delivery_method?.handle ?? '';
  const points = Array.from({ length: 30 }, (_, at) => ({
    id: `a/b ${at}`,
    title: 'Žagarė & “Co”',
    country: 'LV',
    attributes: { note: '</script>\u2028' },
  }));
  await say('POST', `/v1/store/delivery_method/${handle}/pickup_points/batch_replace/`, { pickup_points: points }, key);
  for (const path of ['', '?page_size=7', '?desc=1'])
    await say('GET', `/v1/store/delivery_method/${handle}/pickup_points/${path}`, undefined, key);
  await say('GET', `/v1/store/delivery_method/${handle}/pickup_point/a%2Fb%201/`, undefined, key);
  await say('GET', '/v1/store/delivery_method/not-there/', undefined, key);
  await say('DELETE', `/v1/store/delivery_method/${handle}/`, undefined, key);
  const [reseller] = state.resellers.all();
  const login = { email: reseller?.email ?? '', password: reseller?.password ?? '' };
  const token = (JSON.parse(await say('POST', '/api/authorize/', new URLSearchParams(login))) as { apiToken: string })
    .apiToken;
  await say('GET', `/api/websites/?apiToken=${encodeURIComponent(token)}`);
  await say('POST', '/api/balance/', new URLSearchParams({ apiToken: token }));
  service.close();
  assert.ok(
    turns.filter(({ status }) => status === 200).length >= 9,
    JSON.stringify(turns.map(({ status }) => status)),
  );
});

const capital = (name: string): string => name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');
const pairs = (list: ReadonlyArray<readonly [string, string]>, name: (text: string) => string = (text) => text) =>
  list.map(([header, value]) => ({ name: name(header), value }));
const typeOf = (list: ReadonlyArray<readonly [string, string]>): string =>
  list.find(([name]) => name === 'content-type')?.[1] ?? '';
const paramsOf = (body: string) => [...new URLSearchParams(body)].map(([name, value]) => ({ name, value }));
const at = (index: number): Date => new Date(Date.UTC(2026, 2, 1, 10, 0, index));

/** No Authorization, HTTP/2's own headers, answers from the cache without their bodies, web sockets, blocked requests. */
function chrome(turn: Turn, index: number): object {
  const { method, url, headers, body, status, responseHeaders, response } = turn;
  const isCached = method === 'GET' && index % 4 === 3;
  return {
    _resourceType: 'fetch',
    _priority: 'High',
    ...(isCached ? { _fromCache: 'disk' } : {}),
    startedDateTime: at(index).toISOString(),
    time: 12.5,
    request: {
      method,
      url,
      httpVersion: 'http/2.0',
      headers: [
        { name: ':authority', value: 'service.example' },
        { name: ':method', value: method },
        { name: ':path', value: new URL(url).pathname },
        { name: ':scheme', value: 'https' },
        ...pairs(headers.filter(([name]) => name !== 'authorization')),
      ],
      queryString: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
      cookies: [],
      headersSize: -1,
      bodySize: body === undefined ? 0 : Buffer.byteLength(body),
      ...(body === undefined ? {} : { postData: { mimeType: typeOf(headers), text: body } }),
    },
    response: {
      status,
      statusText: '',
      httpVersion: 'http/2.0',
      headers: pairs(responseHeaders),
      cookies: [],
      content: {
        size: Buffer.byteLength(response),
        mimeType: typeOf(responseHeaders).split(';', 1)[0],
        ...(isCached ? {} : index % 3 === 0 ? { text: base64(response), encoding: 'base64' } : { text: response }),
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
      _transferSize: 400,
      _error: null,
    },
    cache: {},
    timings: { blocked: -1, dns: -1, connect: -1, send: 0.1, wait: 10, receive: 2.4, ssl: -1 },
  };
}

/** Headers in capitals, forms as text and as parameters, large responses cut without a word beside their size. */
function firefox(turn: Turn, index: number): object {
  const { method, url, headers, body, status, responseHeaders, response } = turn;
  const isForm = typeOf(headers).includes('urlencoded');
  const kept = response.length > 700 ? response.slice(0, 700) : response;
  return {
    startedDateTime: at(index).toISOString().replace('Z', '+00:00'),
    request: {
      bodySize: body === undefined ? 0 : Buffer.byteLength(body),
      method,
      url,
      httpVersion: 'HTTP/2',
      headers: [{ name: 'Host', value: 'service.example' }, ...pairs(headers, capital)],
      cookies: [],
      queryString: [],
      headersSize: 300,
      ...(body === undefined
        ? {}
        : { postData: { mimeType: typeOf(headers), params: isForm ? paramsOf(body) : [], text: body } }),
    },
    response: {
      status,
      statusText: 'OK',
      httpVersion: 'HTTP/2',
      headers: pairs(responseHeaders, capital),
      cookies: [],
      content: { mimeType: typeOf(responseHeaders), size: Buffer.byteLength(response), text: kept },
      redirectURL: '',
      headersSize: 200,
      bodySize: Buffer.byteLength(response) + 200,
    },
    cache: {},
    timings: {},
    time: 9,
    _securityState: 'secure',
    pageref: 'page_1',
  };
}

/** Local times with their offset, forms as parameters alone, every body in base64, no media type of its own, tunnels. */
function charles(turn: Turn, index: number): object {
  const { method, url, headers, body, status, responseHeaders, response } = turn;
  const isForm = typeOf(headers).includes('urlencoded');
  const there = new Date(at(index).getTime() + 2 * 3_600_000);
  return {
    startedDateTime: there.toISOString().replace('Z', '+02:00'),
    time: 31,
    request: {
      method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: [{ name: 'Host', value: 'service.example' }, ...pairs(headers, capital)],
      queryString: [],
      headersSize: 120,
      bodySize: body === undefined ? 0 : Buffer.byteLength(body),
      ...(body === undefined
        ? {}
        : {
            postData: isForm
              ? { mimeType: typeOf(headers), params: paramsOf(body) }
              : { mimeType: typeOf(headers), text: base64(body), encoding: 'base64' },
          }),
    },
    response: {
      _charlesStatus: 'COMPLETE',
      status,
      statusText: 'OK',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(responseHeaders, capital),
      content: {
        size: Buffer.byteLength(response),
        compression: 12,
        mimeType: null,
        text: base64(response),
        encoding: 'base64',
      },
      redirectURL: null,
      headersSize: 0,
      bodySize: 180,
    },
    serverIPAddress: '192.0.2.7',
    cache: {},
    timings: { dns: 1, connect: 2, ssl: 3, send: 4, wait: 5, receive: 6 },
  };
}

/** After a tool that takes secrets out by their names, and leaves the names. */
const sanitised = (turn: Turn, index: number): object =>
  firefox({ ...turn, headers: turn.headers.map(withoutKey) }, index);

const withoutKey = ([name, value]: readonly [string, string]): readonly [string, string] => [
  name,
  name === 'authorization' ? `[${name} redacted]` : value,
];

const bare = (method: string, url: string, status: number, content: object, more: object = {}) => ({
  startedDateTime: at(3).toISOString(),
  time: 1,
  request: { method, url, httpVersion: '', headers: [], queryString: [], cookies: [], headersSize: -1, bodySize: -1 },
  response: { status, statusText: '', headers: [], content, redirectURL: '', headersSize: -1, bodySize: -1 },
  ...more,
});

/** What else a recording holds: sockets, tunnels, pages, pictures, trackers with a v1 and an api of their own, requests that were blocked. */
const internal = (method: string, url: string): object => {
  const entry = bare(method, url, 307, { size: 0, mimeType: 'x-unknown' }) as { response: object };
  const headers = [
    { name: 'Location', value: url.replace('http:', 'https:') },
    { name: 'Non-Authoritative-Reason', value: 'HSTS' },
  ];
  return { ...entry, response: { ...entry.response, statusText: 'Internal Redirect', headers } };
};

const BESIDE: readonly object[] = [
  bare('GET', 'wss://service.example/v1/live', 101, { size: 0 }, { _webSocketMessages: [{ type: 'send', data: '{' }] }),
  bare('CONNECT', 'https://service.example', 200, { size: 0, mimeType: null }),
  bare('GET', 'data:image/png;base64,AAAA', 200, { size: 3, mimeType: 'image/png' }),
  bare('GET', 'blob:https://shop.example/1-2', 200, { size: 3, mimeType: 'text/plain', text: 'abc' }),
  bare('GET', 'chrome-extension://abc/v1/x.js', 200, { size: 1, mimeType: 'text/javascript', text: '1' }),
  bare('GET', `${ORIGIN}/assets/app.js`, 304, { size: 0, mimeType: 'text/javascript' }),
  bare('GET', `${ORIGIN}/v1/store/delivery_methods/`, 0, { size: 0, mimeType: 'x-unknown' }),
  bare('OPTIONS', `${ORIGIN}/v1/store/delivery_methods/`, 204, { size: 0, mimeType: '' }),
  // A browser that knows the host to be reached by HTTPS only.
  internal('GET', `${ORIGIN.replace('https', 'http')}/v1/store/delivery_methods/`),
  bare('POST', 'https://tracker.example/v1/collect', 204, { size: 0, mimeType: '' }),
  bare('GET', 'https://maps.example/api/domains/', 500, { size: 4, mimeType: 'text/html', text: '<p>!' }),
];

async function judged(
  style: (turn: Turn, index: number) => object,
  party: 'service' | 'integrator',
): Promise<TrafficVerdicts> {
  const entries = turns.map(style);
  // In among the others, as they come.
  for (const [index, entry] of BESIDE.entries()) entries.splice((index * 3) % (entries.length + 1), 0, entry);
  const file = join(home, `${style.name}.har`);
  writeFileSync(file, `\uFEFF${JSON.stringify({ log: { version: '1.2', creator: {}, pages: [], entries } })}\n`);
  const recording = await openRecording(file);
  const fold = new TrafficFold({ party, headersComplete: false, complete: false });
  const order = inStartOrder((exchange) => fold.add(exchange));
  await recording.read(order.add);
  order.end();
  return fold.done();
}

describe('the same conversation, as it is recorded by', () => {
  for (const style of [chrome, firefox, charles, sanitised]) {
    for (const party of ['service', 'integrator'] as const) {
      test(`${style.name}: no party is blamed (${party})`, async () => {
        const { clauses, calls, bases } = await judged(style, party);
        assert.deepEqual([...bases].sort(), [`${ORIGIN}/api/`, `${ORIGIN}/v1/`]);
        assert.ok(calls >= turns.length, `${calls} of ${turns.length} calls were recognised`);
        const blamed = [...clauses.values()].flatMap(({ clause, counts, finding, advice }) =>
          counts.breaks + counts.advises === 0 ? [] : [`${clause}: ${finding?.message ?? advice?.finding.message}`],
        );
        assert.deepEqual(blamed, []);
        const kept = [...clauses.values()].filter(({ verdict }) => verdict === 'pass').map(({ clause }) => clause);
        if (party === 'service') {
          for (const clause of [
            'envelope.v1.success-status',
            'envelope.v1.error-code-integer',
            'reseller.authorize.token',
          ])
            assert.ok(kept.includes(clause) || !clauses.has(clause), `${clause} is not decided: ${kept.join(', ')}`);
          assert.ok(kept.length >= 12, kept.join(', '));
        } else assert.ok(kept.length >= 4, kept.join(', '));
      });
    }
  }
});

test('entries that a recorder wrote twice, or that two joined exports share, are judged once', async () => {
  const entries = turns.map(charles);
  const timeless = { ...entries[0], startedDateTime: undefined };
  const file = join(home, 'joined.har');
  writeFileSync(file, JSON.stringify({ log: { entries: [...entries, timeless, ...entries, timeless] } }));
  const recording = await openRecording(file);
  const numbers: number[] = [];
  await recording.read(({ n }) => void numbers.push(n));
  const count = entries.length;
  const expected = [...entries.map((_, index) => index + 1), count + 1, 2 * count + 2];
  assert.deepEqual(numbers, expected);
  assert.match(recording.notices.join(), new RegExp(`^${count} entries of .* were judged once`));
});
