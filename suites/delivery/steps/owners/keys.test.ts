import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Context } from '../../../../harness/check/context.ts';
import type { Probe } from '../../../../harness/check/expect.ts';
import { differences, type ServiceRequest } from '../../../../harness/target/client/request.ts';
import { Delivery } from '../../../../harness/target/interfaces/delivery.ts';
import { looseMissesOf, nearMissesOf, nearMissOf } from '../../../../harness/target/near-miss.ts';
import { Secret } from '../../../../harness/target/secrets/secret.ts';
import { nearMissKey, nearMissKeys, WITHOUT_KEY, wrongKey } from './keys.ts';

const KEY = 'aB3-zzzzzzzz';
const key = new Secret('STORE_KEY', KEY);
const known: string[] = [];
const secret = (name: string, value: string): Secret => {
  known.push(value);
  return new Secret(name, value);
};
/** Only the parts that these functions use: the secrets that redaction learns. */
const context = {
  secret,
  nearMiss: (of: Secret) => secret('NEAR', nearMissOf(of.reveal())),
  allNearMisses: (of: Secret) =>
    [...nearMissesOf(of.reveal()), ...looseMissesOf(of.reveal())].map(({ change, value }) => ({
      change,
      value: secret('NEAR', value),
    })),
} as unknown as Context;
const valid = new Delivery('private', key).listMethods();

const matches = (pattern: string): boolean => pattern !== KEY && new RegExp(`^${pattern}$`).test(KEY);

const headerOf = (call: ServiceRequest): string | undefined => {
  const value = call.headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1];
  return value instanceof Secret ? value.reveal() : value;
};
const all = (): Probe[] => [
  ...WITHOUT_KEY,
  wrongKey(context, key),
  nearMissKey(context, key),
  ...nearMissKeys(context, key),
];

test('each altered call differs from the valid one only in its header', () => {
  for (const { mutate } of all()) {
    const altered = mutate(valid);
    assert.equal(differences(valid, altered).length, 1);
    assert.notEqual(headerOf(altered), `ApiKey ${KEY}`);
  }
});

test('a short wrong key has the length of the correct one and differs in every character', () => {
  const wrong = headerOf(wrongKey(context, key).mutate(valid))!.slice('ApiKey '.length);
  assert.equal(wrong.length, KEY.length);
  assert.ok([...wrong].every((character, at) => character !== KEY[at]));
});

test('a wrong key of usual length has the same characters in other places', () => {
  const long = 'aB3-zzzzzzzz-Kq7Xw';
  const wrong = headerOf(wrongKey(context, new Secret('STORE_KEY', long)).mutate(valid))!.slice('ApiKey '.length);
  assert.notEqual(wrong, long);
  assert.equal([...wrong].sort().join(), [...long].sort().join());
});

test('comparing the whole key refuses near misses, and comparing a part accepts some', () => {
  const values = nearMissKeys(context, key).map(({ mutate }) => headerOf(mutate(valid))!.slice('ApiKey '.length));
  const careless: [string, (presented: string) => boolean][] = [
    ['the first 8 characters', (presented) => presented.slice(0, 8) === KEY.slice(0, 8)],
    ['the last 8 characters', (presented) => presented.slice(-8) === KEY.slice(-8)],
    ['a beginning', (presented) => KEY.startsWith(presented)],
    ['an end', (presented) => KEY.endsWith(presented)],
    ['more than the key', (presented) => presented.startsWith(KEY)],
    ['without regard to case', (presented) => presented.toLowerCase() === KEY.toLowerCase()],
    ['as a pattern of LIKE', (presented) => /^[\w-]+$/.test(presented) && matches(presented.replaceAll('_', '.'))],
    ['as a regular expression', matches],
  ];
  for (const [how, takes] of careless) assert.ok(values.some(takes), how);
  assert.ok(!values.includes(KEY));
});

test('the redaction knows every altered key', () => {
  known.length = 0;
  const headers = all().map(({ mutate }) => headerOf(mutate(valid)));
  for (const header of headers) {
    const value = header?.slice('ApiKey '.length);
    if (value !== undefined && value !== '') assert.ok(known.includes(value), value);
  }
});
