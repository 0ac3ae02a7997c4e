import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { UsageError } from '../../process/usage-error.ts';
import { isAbsent, isLoopbackProfile, loadProfile, parseProfile } from './index.ts';
import { ENV, MISTAKES, parse, refusal, WHOLE } from './profile.fixture.ts';
import { profileJsonSchema } from './shape/schema.ts';
import type { Profile } from './types.ts';

test('every part of a whole profile is read', () => {
  const profile = parse(WHOLE);
  assert.equal(profile.name, 'staging');
  assert.equal(profile.v1, 'https://staging.example/v1/');
  assert.equal(profile.delivery?.private?.otherApiKey?.reveal(), ENV.OTHER_STORE_KEY);
  assert.deepEqual(profile.delivery?.public?.expectedFields, { client_id: 'C-77', api_password: 'field-value-123' });
  assert.deepEqual(profile.website?.languages, ['en', 'lv']);
  assert.equal(profile.apps?.tabMode, 'blank');
  assert.equal(profile.apps?.otherAuthCode?.reveal(), 'code-2');
  assert.equal(profile.reseller?.website, '55090');
  assert.deepEqual([...profile.allow], ['write', 'drive']);
  assert.deepEqual(profile.limits, { requestsPerSecond: 2.5, timeoutMs: 1000, maxPages: 20, maxMinutes: 3 });
  assert.equal(profile.headers[0]?.[1].reveal(), 'Gate gate-value-123');
  assert.equal(profile.proxy?.reveal(), 'http://proxy.example:3128');
});

test('an id has all its digits, in a file, in a module, and from the environment', () => {
  const id = '1152921504606846977';
  for (const written of [id, `"${id}"`, '"${SHOP}"']) {
    const text = `{"reseller": {"website": ${written}}}`;
    const profile = parseProfile(text, { file: 'staging.json', folder: '/', env: { SHOP: id } });
    assert.equal(profile.reseller?.website, id, written);
  }
});

test('an empty profile is a profile; every part may be missing', () => {
  const profile = parse({});
  assert.equal(profile.name, 'staging');
  assert.equal(profile.v1, undefined);
  assert.equal(profile.delivery, undefined);
  assert.deepEqual(profile.listen, { host: '127.0.0.1', port: 0, publicUrl: undefined });
  for (const key of Object.keys(WHOLE)) parse({ ...WHOLE, [key]: undefined });
});

test('limits: gentle elsewhere, no request rate on loopback', () => {
  const limits = (v1: string): Profile['limits'] => parse({ v1 }).limits;
  assert.deepEqual(limits('https://a.example/v1/'), {
    requestsPerSecond: 5,
    timeoutMs: 15_000,
    maxPages: 200,
    maxMinutes: 30,
  });
  for (const host of ['127.0.0.1:80', 'localhost', '[::1]:99', 'x.localhost']) {
    assert.equal(limits(`http://${host}/v1/`).requestsPerSecond, undefined, host);
  }
  assert.equal(parse({ v1: 'http://127.0.0.1/v1/', api: 'https://a.example/api/' }).limits.requestsPerSecond, 5);
  for (const host of ['127.0.0.1.example', 'localhost.example', '10.0.0.1']) {
    assert.equal(limits(`https://${host}/v1/`).requestsPerSecond, 5, host);
  }
});

test('problems are reported with file, line and column, all of them', () => {
  const text =
    '{\n  "v1": "https://a.example/v1",\n  "delivry": {},\n  "limits": { "timeoutMs": "fast" },\n  "allow": ["write", "drvie"]\n}';
  assert.deepEqual(refusal(text).split('\n'), [
    'staging.json:2:9: "v1" must end with "/v1/" (the spec\'s bases do): write "https://a.example/v1/".',
    'staging.json:3:3: The profile has no key "delivry"; the nearest known one is "delivery".',
    'staging.json:4:28: "limits.timeoutMs" must be a whole number, not a string.',
    'staging.json:5:22: "allow[1]" can\'t be "drvie"; the nearest known one is "drive".',
  ]);
});

test('each mistake has its sentence', () => {
  const rows: [unknown, RegExp][] = [
    ['{"name":,}', /:1:9: Expected a value, found ","/],
    ['{ # x\n}', /:1:3: A comment begins with \/\//],
    ['[]', /must be an object, not a list/],
    ['', /staging.json is empty/],
    [{ name: 5 }, /"name" must be a string, not a number/],
    [{ name: null }, /"name" must be a string, not null/],
    [{ name: ' ' }, /"name" is empty/],
    [{ delivery: [] }, /"delivery" must be an object, not a list/],
    [{ allow: 'write' }, /"allow" must be a list, not a string/],
    [{ allow: ['all'] }, /can't be "all"; it can be write, drive/],
    [{ absent: ['app'] }, /can't be "app"; the nearest known one is "apps"/],
    [{ apps: { tabMode: 'new' } }, /"apps.tabMode" can't be "new"; it can be blank, self/],
    [{ toString: 1 }, /has no key "toString"/],
    [{ v1: 'staging.example/v1/' }, /must be a full address such as https/],
    [{ v1: 'ftp://staging.example/v1/' }, /must begin with https/],
    [{ v1: 'https://staging.example/' }, /write "https:\/\/staging.example\/v1\/"/],
    [{ v1: 'https://staging.example/v1/store/delivery_methods/' }, /write "https:\/\/staging.example\/v1\/"/],
    [{ v1: 'https://staging.example/V1/' }, /write "https:\/\/staging.example\/v1\/"/],
    [{ v1: 'https://staging.example/v2/' }, /must end with "\/v1\/"/],
    [{ v1: 'https://staging.example/v1/?a=1' }, /remove what follows/],
    [{ v1: 'https://me:pw@staging.example/v1/' }, /user name or password.*"headers"/],
    [{ api: 'https://staging.example/api' }, /write "https:\/\/staging.example\/api\/"/],
    [{ limits: { requestsPerSecond: 0 } }, /must be a number from 0.01/],
    [{ limits: { timeoutMs: 1.5 } }, /must be a whole number from 1/],
    [{ listen: { port: 70000 } }, /from 0 to 65535/],
    [{ reseller: { website: true } }, /"reseller.website" must be a whole number, not true/],
    [{ reseller: { website: 1.5 } }, /"reseller.website" must be a whole number from 1/],
    [{ reseller: { website: 'shop' } }, /"reseller.website" must be a whole number from 1/],
    [{ reseller: { website: '${HOST}' } }, /must be a whole number from 1/],
    [{ website: { country: 'LVA' } }, /2-letter country code/],
    [{ website: { languages: ['en'], defaultLanguage: 'lv' } }, /not one of "website.languages"/],
    [{ website: { languages: ['en'], pages: { lv: 'https://a.example/' } } }, /names the language "lv"/],
    [{ name: '${MISSING}' }, /environment variable MISSING is not set/],
    [{ name: '${EMPTY}' }, /environment variable EMPTY is empty/],
    [{ name: '${HOST:-x}' }, /write \$\{NAME\}/],
    [{ driver: './no-such.driver.mjs' }, /driver module \/nowhere\/no-such.driver.mjs does not exist/],
    [{ headers: { 'x gate': '${GATE}' } }, /"x gate" can't be the name of a header/],
    [{ headers: { 'Content-Length': '${GATE}' } }, /"headers" can't set Content-Length/],
    [
      { v1: 'https://a.example/v1/', headers: { Authorization: '${GATE}' } },
      /"headers" can't set Authorization, in which Delivery and Apps take their keys/,
    ],
    [{ headers: { 'x-gate': '${LETTERS}' } }, /"headers.x-gate" contains a letter that no header can carry/],
    [{ delivery: { private: { apiKey: '${LETTERS}' } } }, /contains a letter that no header can carry/],
    [{ website: { languages: ['en', 'lv', 'en'] } }, /^staging\.json:\d+:\d+: "website.languages" names "en" twice/],
    [{ driver: '/' }, /driver module \/ is a folder/],
    [{ tls: { ca: './no-such.pem' } }, /no-such.pem can't be read: the file does not exist\./],
    [{ tls: { ca: '-----BEGIN CERTIFICATE-----' } }, /"tls.ca" contains a certificate or key: save it in a file/],
    [{ delivery: { private: { apiKey: '${QUOTED}' } } }, /"QUOTED" begins and ends with a quote/],
    [{ apps: { authCode: '${NESTED}' } }, /"NESTED" contains the name of another variable/],
    [{ delivery: { private: { apiKey: '${NL}' } } }, /"NL", the value of .* contains a line break .*: remove it/],
    [
      { delivery: { private: { apiKey: '${CR}' } } },
      /"CR", .* ends with a line break: remove it \(a file with .* Windows/,
    ],
    ['{"driver":".\\drivers\\a.ts"}', /:1:13: \\d is an invalid escape: write \\\\ for a backslash, or \/ in a path/],
    ['{"name":"a\n"}', /:1:9: This string is not closed on its line: write " at its end/],
    [{ delivery: { private: { apiKey: '${STORE_KEY} ' } } }, /ends with a space/],
    [{ proxy: 'proxy.example:3128' }, /must begin with https|whole address/],
  ];
  for (const [profile, message] of rows) assert.match(refusal(profile, { ...ENV, ...MISTAKES }), message);
});

test('a text that is not a profile at all is answered with what a profile is', () => {
  const source = { file: 'staging.json', folder: '/nowhere', env: {} };
  const rows: [string, RegExp][] = [
    ['', /^staging\.json is empty: proofmark init writes a profile\.$/],
    ['# YAML\nv1: https://a.example/v1/\n', /^staging\.json:1:1: .* A profile is JSON/],
    ['v1: https://a.example/v1/\n', /^staging\.json:1:1: .* A profile is JSON/],
    ['<!DOCTYPE html>', /A profile is JSON/],
    ['{"v1": True}', /^staging\.json:1:8: Expected a value, found "T"\.$/],
  ];
  for (const [text, message] of rows)
    assert.throws(
      () => parseProfile(text, source),
      (error) => error instanceof UsageError && message.test(error.message),
    );
});

test('a part is absent with its whole', () => {
  const { absent } = parse({ absent: ['apps', 'delivery.public'] });
  assert.deepEqual(
    (['apps', 'install', 'delivery.public', 'delivery', 'delivery.private', 'labels'] as const).map((part) =>
      isAbsent({ absent }, part),
    ),
    [true, true, true, false, false, false],
  );
});

test('a target is on this machine only when all its addresses are', () => {
  assert.equal(isLoopbackProfile({ v1: undefined, api: undefined }), false);
  assert.equal(isLoopbackProfile({ v1: 'http://127.0.0.1/v1/', api: undefined }), true);
  assert.equal(isLoopbackProfile({ v1: 'http://127.0.0.1/v1/', api: 'https://a.example/api/' }), false);
});

test('the published schema is made from the same table, and agrees with the loader', () => {
  const file = new URL('../../../docs/profile.schema.json', import.meta.url);
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), profileJsonSchema(), 'run `npm run generate`');
  const valid = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true }).compile(profileJsonSchema());
  assert.ok(valid(WHOLE), JSON.stringify(valid.errors));
  assert.ok(valid({ $schema: 'x', ...WHOLE, allow: ['${PERMISSION}'] }));
  const wrong: unknown[] = [
    [],
    { delivry: {} },
    { name: 5 },
    { name: '' },
    { allow: ['all'] },
    { absent: 'apps' },
    { v1: 'https://a.example/v1' },
    { api: 'https://a.example/v1/' },
    { limits: { timeoutMs: 'x' } },
    { listen: { port: 70000 } },
    { website: { country: 'LVA' } },
    { delivery: { private: { key: '${STORE_KEY}' } } },
    { headers: { x: 5 } },
  ];
  for (const profile of wrong) {
    assert.equal(valid(profile), false, JSON.stringify(profile));
    refusal(profile);
  }
});

test('a variable without braces and a number in place of a string: the message says what to write, for each at its place', () => {
  const text =
    '{ "v1": "http://127.0.0.1/v1/",\n  "delivery": { "private": { "apiKey": "$STORE_KEY" } },\n  "apps": { "appId": 3001 } }';
  const read = () => parseProfile(text, { file: 'p.json', folder: '.', env: { STORE_KEY: 'the-key-of-the-store' } });
  assert.throws(read, (error: Error) => {
    const [first, second] = error.message.split('\n');
    assert.match(first ?? '', /^p\.json:2:\d+: "delivery\.private\.apiKey" .* write "\$\{STORE_KEY\}"\.$/);
    assert.match(second ?? '', /^p\.json:3:\d+: "apps\.appId" must be a string, not a number: write "3001"\.$/);
    return true;
  });
});

test('a variable in the syntax of another language is not accepted as a key', () => {
  for (const form of [
    '$STORE_KEY',
    '$env:STORE_KEY',
    '$(STORE_KEY)',
    '%STORE_KEY%',
    '{{ STORE_KEY }}',
    '<STORE_KEY>',
  ]) {
    const text = JSON.stringify({ v1: 'http://127.0.0.1/v1/', delivery: { private: { apiKey: form } } });
    assert.throws(() => parseProfile(text, { file: 'p.json', folder: '.', env: {} }), /write "\$\{STORE_KEY\}"/, form);
  }
});

test('spaces at the ends are refused, except where people enter them in a form', () => {
  const read = (delivery: object, reseller: object = {}) =>
    parseProfile(JSON.stringify({ v1: 'http://127.0.0.1/v1/', delivery, reseller }), {
      file: 'p.json',
      folder: '.',
      env: {},
    });
  assert.throws(() => read({ public: { orderUuid: 'an-order ' } }), /begins or ends with a space: remove it/);
  assert.throws(() => read({ private: { apiKey: ' the-key' } }), /begins or ends with a space: remove it/);
  read({ public: { expectedFields: { client_id: 'C-77 ' } } }, { password: ' secret words ' });
});

test("a profile that can't be read is one sentence", (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'proofmark-unreadable-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const loop = join(folder, 'loop.json');
  symlinkSync(loop, loop);
  const cases: ReadonlyArray<readonly [file: string, says: RegExp]> = [
    ['https://a.example/v1/', /The target is an address, .* write one with proofmark init --v1 https/],
    ['', /The target profile has no name: give --target a profile file, or "mock"\./],
    [folder, /can't be read: it is a folder\. Give --target/],
    [loop, /can't be read: its links form a loop\./],
    [join(folder, 'none.json'), /can't be read: the file does not exist\./],
  ];
  for (const [file, says] of cases) assert.throws(() => loadProfile(file), says);
});

test('a profile in UTF-16, as the shell of Windows writes it, is read', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'proofmark-profile-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'staging.json');
  writeFileSync(file, Buffer.from('\ufeff{"name": "ž"}', 'utf16le'));
  assert.equal(loadProfile(file, {}).name, 'ž');
});

test('a profile in another encoding is refused: its passwords would be read as others', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'proofmark-profile-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'staging.json');
  writeFileSync(file, Buffer.from('{"name": "Bücher"}', 'latin1'));
  assert.throws(() => loadProfile(file, {}), /staging\.json is not UTF-8 text: save it as UTF-8\./);
});
