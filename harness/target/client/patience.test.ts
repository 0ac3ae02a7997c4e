/**
 * Texts on which a careless search goes back to the start from each of their characters: for hours, where one look through
 * takes less than a second. Reading a response has to come to an end with each of them.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeIcon } from '../../../contracts/manifests/icon.ts';
import { jsonLines } from '../../../reports/html/exchanges/json-lines.ts';
import { Visitor } from '../../browser/visitor.ts';
import { createRedaction, maskPersonalText } from '../../evidence/redaction/index.ts';
import { readJson, responseOf } from '../response/response.ts';
import { learnSecrets } from '../secrets/received-secrets.ts';

/** Repeated up to the size that is asked for; what is before and after them is there once. */
const UNITS: ReadonlyArray<readonly [before: string, unit: string, after?: string]> = [
  ['"', '\\"'],
  ['{"a":"', '\\"'],
  ['{"a":"', '\\'],
  ['', '"'],
  ['{"a"', ' '],
  ['', '['],
  ['', '"a" '],
  ['', '"email":"'],
  ['', '&email='],
  ['', '"apitoken":"aaaaaaaaaaaa'],
  ['', 'authcode='],
  ['', '; name="email"\r\n'],
  ['', '; name="email"'],
  ['; name="email"', '\r\na'],
  ['', '<'],
  ['', '<!-- '],
  ['<svg ', 'a', '>'],
  ['<svg ', 'a=', '>'],
  ['<svg ', '"', '>'],
  ['', '<meta http-equiv=refresh '],
  ['<meta http-equiv=refresh ', ' content', '>'],
  ['<meta http-equiv=refresh content="0', ' ', '">'],
  ['password', ' '],
  ['', 'password: '],
  ['', '%2525'],
  ['', '&amp;amp;'],
  ['', 'NaN_'],
];
const of = (unit: (typeof UNITS)[number], size: number): string =>
  unit[0] + unit[1].repeat(Math.floor(size / unit[1].length)) + (unit[2] ?? '');

/** Searched from each of its characters, it would keep us for minutes; with PROOFMARK_SOAK=1, for a day. */
const BODY = (process.env.PROOFMARK_SOAK === '1' ? 4096 : 256) * 1024;
/** What a recorder looks through of one body, and what secrets are learnt from. */
const RECORDED = 80 * 1024;
const SEARCHED_BYTES = 256 * 1024;

const redaction = createRedaction();
redaction.add({ name: 'KEY', value: 'store-key-12345678' });
redaction.add({ name: 'SHORT', value: 'abc' });

const READERS: Readonly<Record<string, (unit: (typeof UNITS)[number]) => unknown>> = {
  'JSON is read': (unit) => readJson(Buffer.from(of(unit, BODY))).fault,
  'personal data is masked': (unit) => maskPersonalText(of(unit, BODY)),
  'secrets are found': (unit) => redaction.text(of(unit, RECORDED)),
  'secrets are learnt': (unit) => learnSecrets(received(of(unit, SEARCHED_BYTES)), createRedaction()),
  'JSON is laid out': (unit) => jsonLines(of(unit, RECORDED), true),
  'an icon is judged': (unit) => judgeIcon(Buffer.from(of(unit, BODY))),
  'a page is visited': (unit) => new Visitor(async () => page(of(unit, BODY))).open('http://127.0.0.1/'),
};

for (const [name, read] of Object.entries(READERS)) {
  test(`${name}, whatever the text`, async () => {
    for (const unit of UNITS) await read(unit);
  });
}

test('an unclosed text is still searched for words that JSON does not have', () => {
  assert.equal(readJson(Buffer.from('{"a":NaN,"b":"NaN')).fault, 'contains NaN, which is not valid JSON');
  assert.match(readJson(Buffer.from('{"b":"NaN\\')).fault ?? '', /truncated|not JSON/);
});

const received = (body: string): Parameters<typeof learnSecrets>[0] => ({
  at: 0,
  durationMs: 0,
  request: { method: 'GET', url: 'http://127.0.0.1/', headers: [] },
  response: { status: 200, headers: [['location', body.slice(0, 60_000)]], body: Buffer.from(body) },
});

const page = (text: string) =>
  responseOf({
    status: 200,
    headers: [['content-type', 'text/html']],
    bytes: Buffer.from(text),
    durationMs: 0,
    exchange: 0,
    request: { method: 'GET', url: 'http://127.0.0.1/' },
  });
