import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync, gzipSync } from 'node:zlib';
import type { Exchange } from '../../contracts/run/events.ts';
import { Secret, sealed } from '../target/secrets/secret.ts';
import { packedStreamsOf } from './packed-streams.ts';
import type { RecordedExchange } from './recorded-exchange.ts';
import { createRecorder, MAX_RECORDED_BODY_BYTES } from './recorder.ts';
import { createRedaction, type Redaction } from './redaction/index.ts';
import { MASK } from './redaction/personal-data.ts';

const KEY = new Secret('STORE_KEY', 'store-key-123456');

function recording(options: { redaction?: Redaction; showPersonalData?: boolean } = {}): {
  events: Exchange[];
  record: (exchange: RecordedExchange) => number;
} {
  const events: Exchange[] = [];
  const redaction = options.redaction ?? createRedaction();
  redaction.add({ name: KEY.name, value: KEY.reveal() });
  const recorder = createRecorder({
    check: () => 'a.check',
    spool: (event) => events.push(event),
    redaction,
    ...(options.showPersonalData === undefined ? {} : { showPersonalData: options.showPersonalData }),
  });
  return { events, record: recorder.record };
}

const exchange = (
  part: Partial<RecordedExchange['request']>,
  response?: RecordedExchange['response'],
): RecordedExchange => ({
  at: Date.parse('2026-01-02T03:04:05Z'),
  durationMs: 12.3456,
  request: { method: 'POST', url: 'https://s.example/v1/', headers: [], ...part },
  ...(response === undefined ? {} : { response }),
});

test('compressed streams that hold a secret are overwritten, the others are kept', () => {
  const stream = (content: string): string =>
    `4 0 obj\n<< /Filter /FlateDecode >>\nstream\n${deflateSync(content).toString('latin1')}\nendstream\nendobj\n`;
  const pdf = (...contents: string[]) => Buffer.from(`%PDF-1.4\n${contents.map(stream).join('')}%%EOF`, 'latin1');
  const recordedOf = (body: Uint8Array): Buffer => {
    const { events, record } = recording();
    record(exchange({}, { status: 200, headers: [['Content-Type', 'application/pdf']], body }));
    const recorded = events[0]?.response?.body;
    return Buffer.from((recorded !== undefined && 'base64' in recorded && recorded.base64) || '', 'base64');
  };
  const shown = ['BT (Anna) Tj ET', `BT (${KEY.reveal()}) Tj ET`, 'BT [(store-)-20(key-)30(123456)] TJ ET'];
  const contents = packedStreamsOf(recordedOf(pdf(...shown))).map(({ content }) => content);
  assert.deepEqual(contents, [shown[0], '', '']);
  assert.deepEqual(recordedOf(pdf('BT (Anna) Tj ET')), pdf('BT (Anna) Tj ET'));
  assert.match(recordedOf(gzipSync(`key=${KEY.reveal()}`)).toString('latin1'), /^\*+$/);
});

test('an exchange becomes an event with its number, check and time', () => {
  const { events, record } = recording();
  const first = record(exchange({ body: '{"a":1}' }, { status: 200, headers: [['X', '1']], body: Buffer.from('{}') }));
  const second = record({
    ...exchange({}),
    role: 'probe',
    direction: 'received',
    failure: `no answer with ${KEY.reveal()}`,
  });
  assert.equal(second, first + 1);
  assert.deepEqual(events[0], {
    type: 'exchange',
    n: first,
    check: 'a.check',
    role: 'request',
    direction: 'sent',
    at: '2026-01-02T03:04:05.000Z',
    durationMs: 12.35,
    request: { method: 'POST', url: 'https://s.example/v1/', headers: [], body: { text: '{"a":1}' } },
    response: { status: 200, headers: [['X', '1']], body: { text: '{}' } },
  });
  assert.deepEqual(
    [events[1]?.role, events[1]?.direction, events[1]?.failure, events[1]?.response],
    ['probe', 'received', 'no answer with $STORE_KEY', undefined],
  );
});

test('no part of an event contains a secret', () => {
  const { events, record } = recording();
  const value = KEY.reveal();
  record(
    exchange(
      {
        url: `https://s.example/?k=${value}`,
        headers: [
          ['Authorization', sealed`ApiKey ${KEY}`],
          ['Plain', `x ${value}`],
          ['Unknown', new Secret('OTHER', 'never-added-1234')],
        ],
        body: JSON.stringify({ [value]: value }),
      },
      {
        status: 200,
        headers: [['Echo', Buffer.from(`:${value}`).toString('base64')]],
        body: Buffer.from(encodeURIComponent(value)),
      },
    ),
  );
  const text = JSON.stringify(events);
  assert.ok(!text.includes('store-key') && !text.includes('never-added'), text);
  assert.deepEqual(events[0]?.request.headers, [
    ['Authorization', 'ApiKey $STORE_KEY'],
    ['Plain', 'x $STORE_KEY'],
    ['Unknown', '$OTHER'],
  ]);
});

test('a secret in the name of a header is replaced too', () => {
  const { events, record } = recording();
  const headers: [string, string][] = [[`X-${KEY.reveal()}`, '1']];
  record(exchange({ headers }, { status: 200, headers, body: Buffer.from('{}') }));
  assert.deepEqual(events[0]?.request.headers, [['X-$STORE_KEY', '1']]);
  assert.deepEqual(events[0]?.response?.headers, [['X-$STORE_KEY', '1']]);
});

test('a token that a response issues is redacted in that response', () => {
  const redaction = createRedaction();
  const { events, record } = recording({ redaction });
  record(
    exchange({}, { status: 200, headers: [], body: Buffer.from('{"error":false,"apiToken":"fresh-token-1234"}') }),
  );
  assert.equal(events[0]?.response?.body?.text, '{"error":false,"apiToken":"$API_TOKEN"}');
  record(exchange({ url: 'https://s.example/api/websites/?apiToken=fresh-token-1234' }));
  assert.equal(events[1]?.request.url, 'https://s.example/api/websites/?apiToken=$API_TOKEN');
});

test('codes, passwords and login links of any exchange are learned under their names', () => {
  const { events, record } = recording();
  record(
    exchange({ url: 'https://app.example/install?authCode=code%2D12345678&x=1', body: 'password=new%20pass%20word' }),
  );
  record(
    exchange(
      {},
      { status: 200, headers: [], body: Buffer.from(JSON.stringify({ loginUrl: 'https://e.example/login?once=abc' })) },
    ),
  );
  record(exchange({ url: 'https://e.example/login?once=abc', body: 'code-12345678 and new pass word' }));
  assert.equal(events[0]?.request.url, 'https://app.example/install?authCode=$AUTH_CODE&x=1');
  assert.equal(events[1]?.response?.body?.text, '{"loginUrl":"https://e.example$LOGIN_URL"}');
  assert.deepEqual(
    [events[2]?.request.url, events[2]?.request.body?.text],
    ['https://e.example$LOGIN_URL', '$AUTH_CODE and $PASSWORD'],
  );
});

test('what an admin entered into a password field of an integration is out of sight', () => {
  const { events, record } = recording();
  const fields = { client_id: 'C-7712345', api_password: 'entered by an admin', apiKey: 'abcdefgh' };
  record(exchange({}, { status: 200, headers: [], body: Buffer.from(JSON.stringify({ fields })) }));
  assert.equal(
    events[0]?.response?.body?.text,
    '{"fields":{"client_id":"C-7712345","api_password":"$FIELD_API_PASSWORD","apiKey":"$FIELD_APIKEY"}}',
  );
});

test('a login link without anything secret blackens no address', () => {
  const { events, record } = recording();
  record(exchange({}, { status: 200, headers: [], body: Buffer.from('{"loginUrl":"https://s.example/"}') }));
  record(exchange({}));
  assert.equal(events[1]?.request.url, 'https://s.example/v1/');
});

test('sessions in cookies are out of sight, settings in cookies are not', () => {
  const { events, record } = recording();
  const headers: [string, string][] = [
    ['Set-Cookie', 'sid=0123456789abcdef; Path=/; HttpOnly'],
    ['set-cookie', 'lang=en'],
  ];
  record(exchange({}, { status: 200, headers, body: Buffer.from('') }));
  record(exchange({ headers: [['Cookie', 'lang=en; sid=0123456789abcdef']] }));
  assert.deepEqual(events[0]?.response?.headers, [
    ['Set-Cookie', 'sid=$COOKIE; Path=/; HttpOnly'],
    ['set-cookie', 'lang=en'],
  ]);
  assert.deepEqual(events[1]?.request.headers, [['Cookie', 'lang=en; sid=$COOKIE']]);
  // What a browser brings along, because the target and the harness have one host name.
  record({ ...exchange({ headers: [['Cookie', 'lang=en; user=fedcba9876543210']] }), direction: 'received' });
  assert.deepEqual(events[2]?.request.headers, [['Cookie', 'lang=en; user=$COOKIE']]);
});

test('personal data is masked unless it is asked for', () => {
  const body = Buffer.from('{"userEmail":"ann@example.com"}');
  const response = { status: 200, headers: [], body };
  const masked = recording();
  masked.record(exchange({}, response));
  assert.equal(masked.events[0]?.response?.body?.text, `{"userEmail":"${MASK}"}`);
  const shown = recording({ showPersonalData: true });
  shown.record(exchange({}, response));
  assert.equal(shown.events[0]?.response?.body?.text, body.toString());
});

test('a long body is cut, counted, and no secret is cut in two', () => {
  const { events, record } = recording();
  const total = 200_000;
  for (const at of [10, MAX_RECORDED_BODY_BYTES - 5, MAX_RECORDED_BODY_BYTES + 16_380, total - 20]) {
    const body = 'x'.repeat(at) + KEY.reveal() + 'y'.repeat(total - at);
    record(exchange({ body }));
    const seen = events.at(-1)?.request.body;
    assert.equal(seen?.truncated, body.length - MAX_RECORDED_BODY_BYTES);
    assert.ok(Buffer.byteLength(seen?.text ?? '') <= MAX_RECORDED_BODY_BYTES);
    assert.doesNotMatch(seen?.text ?? '', /store|key|123/, String(at));
  }
});

test('where redaction makes a body shorter, the unread end does not move into sight', () => {
  const { events, record } = recording();
  record(exchange({ body: `${KEY.reveal()};`.repeat(10_000) }));
  assert.match(events[0]?.request.body?.text ?? '', /^(\$STORE_KEY;)+(\$[A-Z_]*)?$/);
});

test('a body cut in the middle of a character stays text', () => {
  const { events, record } = recording();
  record(exchange({ body: `a${'ž'.repeat(60_000)}` }));
  assert.match(events[0]?.request.body?.text ?? '', /^až+$/);
});

test('bytes that are not text are kept as base64, redacted', () => {
  const { events, record } = recording();
  const bytes = Buffer.concat([Buffer.from([0xff, 0x00]), Buffer.from(KEY.reveal()), Buffer.from([0xfe])]);
  record(exchange({ body: bytes }));
  const seen = Buffer.from(events[0]?.request.body?.base64 ?? '', 'base64');
  assert.deepEqual(seen, Buffer.concat([Buffer.from([0xff, 0x00]), Buffer.from('$STORE_KEY'), Buffer.from([0xfe])]));
});

test('an empty body counts as no body', () => {
  const { events, record } = recording();
  record(exchange({ body: '' }, { status: 204, headers: [], body: new Uint8Array() }));
  assert.equal(events[0]?.request.body, undefined);
  assert.equal(events[0]?.response?.body, undefined);
});
