import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FORMS, fits, isDomainName, isFilledJsonText, isFullAddress, isListOfTlds, type Kind } from './forms.ts';

test('top-level domains are separated by commas', () => {
  for (const text of ['lv', 'lv,com,eu', '.lv, .co.uk', 'xn--p1ai,рф', 'com,'])
    assert.equal(isListOfTlds(text), true, text);
  for (const text of ['lv;com', 'lv com', ',', 'lv,,com', '-']) assert.equal(isListOfTlds(text), false, text);
  assert.equal(isListOfTlds(['lv']), false);
});

test('domain names have no scheme and no path', () => {
  for (const text of ['shop.example', 'rīga.example:8443', 'localhost']) assert.ok(isDomainName(text), text);
  for (const text of ['https://shop.example', 'shop.example/', '', undefined]) assert.ok(!isDomainName(text), text);
});

test('a full address has http or https and a host', () => {
  for (const text of ['https://a.example', 'http://127.0.0.1:8/x?y']) assert.ok(isFullAddress(text), text);
  for (const text of ['https://', '/x', 'ftp://a.example', undefined]) assert.ok(!isFullAddress(text), text);
});

test('a cart is JSON text of an array or object that is not empty', () => {
  for (const text of ['[0]', '{"a":1}']) assert.ok(isFilledJsonText(text), text);
  for (const text of ['[]', '{}', '7', 'null', '{', undefined]) assert.ok(!isFilledJsonText(text), text);
});

/** For each kind a value that it takes and one that it does not; unset values are neither. */
const VALUES: Readonly<Record<Kind, readonly [right: unknown, wrong: unknown]>> = {
  id: ['7', 7],
  text: ['a', 7],
  multilanguage: [{ en: 'a', lv: null }, { en: 7 }],
  country: ['Lv', 'LVA'],
  'lower-case country': ['lv', 'LV'],
  countries: [['LV', 'ee'], ['LVA']],
  languages: [['en'], 'en'],
  email: ['a@b.example', 7],
  address: ['https://a.example', 7],
  'web address': ['https://a.example', '/login'],
  'web link': ['/login', 'login'],
  domain: ['a.example', 7],
  object: [{ a: 1 }, ['a']],
  integer: [7, '7'],
  number: [7.5, ''],
  boolean: [false, ''],
  timestamp: ['2024-02-29 23:59:60', '2023-02-29 10:00:00'],
  money: ['EUR 10.00', '10.00'],
  tlds: ['lv,com', 'lv;com'],
};

test('an object of texts has language codes as its keys', () => {
  for (const code of ['en', 'pt-BR', 'zh_Hant', 'fil', 'de-x-formal', 'sr_RS@latin'])
    assert.ok(fits('multilanguage', { [code]: 'a' }), code);
  for (const key of ['0', '', 'english', 'title']) assert.ok(!fits('multilanguage', { [key]: 'a' }), key);
});

test('each kind takes its values and no others', () => {
  for (const [kind, [right, wrong]] of Object.entries(VALUES) as [Kind, readonly [unknown, unknown]][]) {
    assert.ok(fits(kind, right), kind);
    assert.ok(!fits(kind, wrong), kind);
    assert.ok(FORMS[kind].isUnset(null) && fits(kind, undefined), kind);
  }
});
