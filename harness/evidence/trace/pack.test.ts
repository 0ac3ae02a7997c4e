/** Traces made by hand, with a secret in every place that Playwright records: what is packed shows none of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { createRedaction, type Redaction } from '../redaction/index.ts';
import { leakInTrace, packTrace } from './pack.ts';
import type { RawRequest, RawTrace } from './raw-trace.ts';

const KEY = 'key~of+the/store=and*"a"<star>&7Qx';
/** Known to no redaction: a driver typed it, a page set it. */
const TYPED = 'Correct-Horse 7!';
const COOKIE = 'c00kie-of-a-user';
const CSRF = 'form-token-4711';
const USER = 'staging:Basic-Pass-1';
const NAME = 'Ilze Kalniņa';
const BASE64 = Buffer.from(`x${KEY}`).toString('base64');
const HEX = Buffer.from(KEY).toString('hex');
const URL_ENCODED = encodeURIComponent(KEY);

const redactionOfRun = (): Redaction => {
  const redaction = createRedaction();
  redaction.add({ name: 'STORE_KEY', value: KEY });
  redaction.add({ name: 'PIN', value: 'x7-2' });
  return redaction;
};

const CONTEXT = {
  type: 'context-options',
  version: 10,
  wallTime: 1_000,
  monotonicTime: 10,
  options: { viewport: { width: 1280, height: 720 }, baseURL: `http://${KEY}/`, storageState: { cookies: [COOKIE] } },
  title: KEY,
};
const EVENTS: readonly object[] = [
  {
    type: 'before',
    callId: 'c1',
    startTime: 11,
    class: 'Frame',
    method: 'goto',
    params: { url: `/in?k=${URL_ENCODED}&token=${CSRF}` },
  },
  {
    type: 'log',
    callId: 'c1',
    time: 11,
    message: `navigating to "http://shop.test/in?k=${URL_ENCODED}&shipping_last_name=${NAME}"`,
  },
  {
    type: 'after',
    callId: 'c1',
    endTime: 12,
    result: { response: KEY },
    error: { name: 'Error', message: `no ${KEY}`, stack: KEY },
  },
  {
    type: 'before',
    callId: 'c2',
    startTime: 13,
    title: `Fill ${KEY}`,
    class: 'Frame',
    method: 'fill',
    stack: [{ file: '/home/user/driver.ts' }],
    params: { selector: `text=${KEY}`, value: TYPED, arg: { value: { s: KEY } }, expression: KEY },
  },
  { type: 'log', callId: 'c2', time: 13, message: `  fill("${TYPED}")` },
  { type: 'log', callId: 'c2', time: 13, message: `  locator resolved to <input name="csrf" value="${CSRF}"/>` },
  {
    type: 'log',
    callId: 'c2',
    time: 13,
    message: `  locator resolved to <textarea name="a">${COOKIE} of ${TYPED}</textarea>`,
  },
  { type: 'input', callId: 'c2', point: { x: 1, y: 2 }, snapshot: KEY },
  {
    type: 'after',
    callId: 'c2',
    endTime: 14,
    error: { name: 'Error', message: `Timeout\n  - fill("${TYPED}")\n  - waiting, ${TYPED}` },
  },
  {
    type: 'before',
    callId: 'c3',
    startTime: 15,
    class: 'Frame',
    method: 'selectOption',
    params: { options: [{ valueOrLabel: 'Latvia' }] },
  },
  { type: 'log', callId: 'c3', time: 15, message: 'chosen: Latvia' },
  { type: 'log', callId: 'c3', time: 15, message: `navigating to "https://${USER}@shop.test/a"` },
  { type: 'before', callId: 'c4', startTime: 16, class: 'Frame', method: 'press', params: { key: 'Enter' } },
  {
    type: 'console',
    messageType: 'log',
    time: 17,
    text: `{"apiKey":${JSON.stringify(KEY)}} ${BASE64} ${HEX} password=x7-2`,
    args: [{ preview: KEY, value: KEY }],
    location: { url: `http://shop.test/?a=${URL_ENCODED}` },
  },
  {
    type: 'event',
    time: 18,
    class: 'BrowserContext',
    method: 'pageError',
    params: {
      error: { error: { name: 'TypeError', message: KEY, stack: KEY } },
      location: { url: `http://shop.test/#${URL_ENCODED}` },
    },
  },
  {
    type: 'event',
    time: 19,
    class: 'BrowserContext',
    method: 'dialog',
    params: { pageId: 'p', type: 'prompt', message: `your key ${KEY}`, defaultValue: KEY },
  },
  {
    type: 'event',
    time: 19,
    class: 'BrowserContext',
    method: 'download',
    params: { pageId: 'p', url: `http://shop.test/?token=${CSRF}`, suggestedFilename: KEY },
  },
  { type: 'frame-snapshot', snapshot: { html: ['HTML', {}, KEY] } },
  { type: 'screencast-frame', file: `screencast/${KEY}.jpeg` },
  { type: 'screenshot', file: KEY },
  { type: 'a kind of the next version', text: KEY },
];
const REQUESTS: readonly RawRequest[] = [
  {
    at: 1_001,
    method: 'POST',
    url: `http://shop.test/in?k=${URL_ENCODED}&token=${CSRF}&return=${encodeURIComponent(`http://a.test/?secret=${CSRF}`)}`,
    kind: 'document',
    headers: {
      authorization: `Bearer ${TYPED}`,
      cookie: `sid=${COOKIE}; other=${COOKIE}`,
      referer: `http://shop.test/?k=${URL_ENCODED}`,
      'x-api-key': KEY,
    },
    response: {
      status: 302,
      statusText: `Found ${KEY}`,
      headers: {
        'set-cookie': `sid=${COOKIE}; Path=/\nb=${COOKIE}`,
        location: `/next?token=${CSRF}`,
        'content-type': 'text/html',
        [`x-${HEX}`]: BASE64,
      },
    },
    durationMs: 12,
    failure: `net::ERR_ABORTED ${KEY}`,
  },
];

const linesOf = (events: readonly object[]): string => events.map((event) => JSON.stringify(event)).join('\n');
const RAW: RawTrace = { lines: `${linesOf([CONTEXT, ...EVENTS])}\n{"type":"bef`, requests: REQUESTS };
const options = (redaction = redactionOfRun()) => ({ redaction, showPersonalData: false });

function packed(traces: readonly RawTrace[]): { readonly names: string[]; readonly text: string } {
  const result = packTrace(traces, options());
  assert.ok('zip' in result, JSON.stringify(result));
  const entries = unzipSync(result.zip);
  return {
    names: Object.keys(entries),
    text: Object.values(entries)
      .map((bytes) => strFromU8(bytes))
      .join('\n'),
  };
}

test('nothing secret is in a packed trace, whether the redaction knows it or not', () => {
  const { names, text } = packed([RAW]);
  assert.deepEqual(names, ['0-trace.trace', '0-trace.network']);
  for (const secret of [
    KEY,
    JSON.stringify(KEY).slice(1, -1),
    URL_ENCODED,
    BASE64.slice(4, -4),
    HEX,
    TYPED,
    COOKIE,
    CSRF,
    NAME,
    'x7-2',
    'Latvia',
    USER,
    '/home/user',
  ])
    assert.ok(!text.includes(secret), secret);
});

test('what was done, what the pages reported and what was requested can still be read', () => {
  const { text } = packed([RAW]);
  const [context, ...events] = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  assert.deepEqual(context.options, { viewport: { width: 1280, height: 720 } });
  const goto = events.find(({ method }) => method === 'goto');
  assert.equal(goto.params.url, '/in?k=$STORE_KEY&token=(not shown)');
  assert.deepEqual(events.find(({ method }) => method === 'press').params, { key: 'Enter' });
  assert.match(
    events.find(({ callId, type }) => callId === 'c2' && type === 'after').error.message,
    /^Timeout\n.*waiting/s,
  );
  const { snapshot } = events.find(({ type }) => type === 'resource-snapshot');
  assert.equal(snapshot.response.status, 302);
  assert.equal(snapshot._monotonicTime, 11, 'by the clock of the trace');
  const headers = Object.fromEntries(
    snapshot.request.headers.map((one: { name: string; value: string }) => [one.name, one.value]),
  );
  assert.equal(headers.cookie, 'sid=(not shown); other=(not shown)');
  assert.equal(headers['x-api-key'], '$STORE_KEY');
  assert.ok(
    !events.some(({ type }) => /snapshot$|screen/.test(type) && type !== 'resource-snapshot'),
    'no pictures, no pages',
  );
});

test('several browser contexts are one trace; an action that is not over, or lacks its beginning, harms none', () => {
  const late: RawTrace = {
    lines: linesOf([CONTEXT, { type: 'after', callId: 'lost', endTime: 2 }, EVENTS[0]!]),
    requests: [],
  };
  const { names, text } = packed([RAW, { lines: '', requests: [] }, late]);
  assert.deepEqual(names, ['0-trace.trace', '0-trace.network', '1-trace.trace', '1-trace.network']);
  assert.ok(!text.includes('"lost"'));
});

test('a trace that shows a secret is found out in any of its entries, and is not kept', () => {
  const redaction = redactionOfRun();
  const zipOf = (text: string) => zipSync({ '0-trace.trace': strToU8(text) });
  for (const text of [
    `{"a":${JSON.stringify(KEY)}}`,
    `{"a":"${URL_ENCODED}"}`,
    `{"a":["${HEX}"]}`,
    `not JSON ${BASE64}`,
    '{"password":"x7-2"}',
  ])
    assert.notEqual(leakInTrace(zipOf(text), redaction), undefined, text);
  assert.equal(leakInTrace(zipOf('{"a":"$STORE_KEY"}'), redaction), undefined);
  // A redaction that forgets what it knows, as a mistake in the cleaning would.
  let isBroken = true;
  const broken: Redaction = {
    ...redaction,
    text: (text) => (isBroken ? text : redaction.text(text)),
    field: (name, value) => (isBroken ? value : redaction.field(name, value)),
    value: (value) => {
      isBroken = false;
      return redaction.value(value);
    },
  };
  const result = packTrace([RAW], options(broken));
  assert.ok('omitted' in result && /a secret was left in it/.test(result.omitted), JSON.stringify(result));
  assert.ok(!JSON.stringify(result).includes(KEY));
});

test('without steps, and beyond its size, there is a sentence in place of a trace', () => {
  const nothing = packTrace([{ lines: linesOf([CONTEXT]), requests: [] }], options());
  assert.match('omitted' in nothing ? nothing.omitted : '', /none was recorded/);
  const large = packTrace([RAW], { ...options(), maxBytes: 1024 });
  assert.match('omitted' in large ? large.omitted : '', /more than 1 KB/);
});

test('a page that throws a megabyte of tags that are not closed costs no more than one look at it', () => {
  const message = `${'<textarea '.repeat(100_000)}\n<textarea>${TYPED}</textarea> end`;
  const lines = linesOf([
    CONTEXT,
    EVENTS[0]!,
    { type: 'after', callId: 'c1', endTime: 2, error: { name: 'Error', message } },
  ]);
  const started = process.cpuUsage().user;
  const { text } = packed([{ lines, requests: [] }]);
  assert.ok(process.cpuUsage().user - started < 5_000_000);
  assert.ok(!text.includes(TYPED));
});
