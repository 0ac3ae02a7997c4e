import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from '../../target/secrets/secret.ts';
import { createLeakSearch } from './leaks.ts';

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
