import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { createRedaction } from '../../evidence/redaction/index.ts';
import { Secret } from '../../target/secrets/secret.ts';
import { createLeakSearch, learnEncodedParts } from './leaks.ts';

const KEY = new Secret('API_KEY', 'Key-4f1A9c77/e0B2+d6');
const SECRET = new Secret('APP_SECRET', 'Secret-77aE01c9D4b2f8');
const search = createLeakSearch([KEY, SECRET]);
const found = (text: string): string[] => search(text).map(({ name }) => name);

test('a secret is found in every writing that reaches a browser', () => {
  const value = KEY.reveal();
  for (const text of [
    `<p>${value}</p>`,
    `https://a.example/?k=${encodeURIComponent(value)}`,
    `var k = atob("${Buffer.from(`x${value}`).toString('base64')}")`,
    Buffer.from(value).toString('hex'),
    JSON.stringify({ k: value }).replaceAll('/', '\\/'),
    value.replaceAll('+', '&#43;'),
  ]) {
    assert.deepEqual(found(text), ['API_KEY'], text);
  }
});

test('a secret is found in pieces that the texts of a script make up in their order', () => {
  const [first, second, third] = [KEY.reveal().slice(0, 5), KEY.reveal().slice(5, 11), KEY.reveal().slice(11)];
  for (const script of [
    `var k = ["${first}", '${second}', "${third}"].join('')`,
    `k="${first}"+'${second}'+\`${third}\``,
  ]) {
    assert.deepEqual(found(script), ['API_KEY'], script);
    assert.deepEqual(found(`<!doctype html><p>Don't</p><SCRIPT type="module">${script}</SCRIPT>`), ['API_KEY'], script);
  }
  assert.deepEqual(found(`var k = ["${second}", "${first}", "${third}"]`), []);
  assert.deepEqual(found(`var k = ["${first}", "-", "${second}", "${third}"]`), []);
  assert.deepEqual(found(`<p title="${first}">"${second}"</p><i title="${third}"></i>`), []);
});

test('a secret is found in what encoded parts consist of, and the part is made known to the redaction', () => {
  const value = KEY.reveal();
  const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64');
  const json = JSON.stringify({ user: 'anna', api: { key: value } });
  for (const [name, part] of Object.entries({
    'base64 of base64': base64(base64(value)),
    'credentials in JSON': base64(JSON.stringify({ authorization: `Basic ${base64(`shop:${value}`)}` })),
    'three times base64': base64(base64(base64(`key ${value}`))),
    zlib: deflateSync(json).toString('base64url'),
    gzip: base64(gzipSync(json)),
    'deflate without a header': base64(deflateRawSync(json)),
    'hexadecimal digits of base64': Buffer.from(base64(value)).toString('hex'),
    'base64 of hexadecimal digits': base64(Buffer.from(value).toString('hex')),
    'two-byte characters': Buffer.from(value, 'utf16le').toString('base64'),
  })) {
    for (const text of [
      part,
      `<p data-state="${part}">`,
      `/assets/${part}`,
      `s=${encodeURIComponent(part)}; HttpOnly`,
    ]) {
      assert.deepEqual(found(text), ['API_KEY'], `${name}: ${text}`);
      const redaction = createRedaction();
      learnEncodedParts([KEY, SECRET], redaction)({ response: { status: 200, headers: [['Set-Cookie', text]] } });
      assert.ok(!redaction.text(text).includes(part.slice(-20, -4)), `${name}: ${redaction.text(text)}`);
    }
  }
  assert.deepEqual(found([...value].reverse().join('')), ['API_KEY']);
  assert.deepEqual(found(base64(randomBytes(100_000))), []);
});

test('each secret is distinguished from the other, and ordinary pages hold none', () => {
  assert.deepEqual(found(`${SECRET.reveal()} ${KEY.reveal()}`), ['API_KEY', 'APP_SECRET']);
  assert.deepEqual(found('<h1>Settings</h1><p>Key-4f1A is how a key begins.</p>'), []);
  assert.deepEqual(found(''), []);
});

test('a short secret is found only in a field of credentials', () => {
  const weak = createLeakSearch([new Secret('APP_SECRET', 'bee')]);
  assert.equal(weak('a bee in a beehive').length, 0);
  assert.equal(weak('app_secret=bee').length, 1);
});
