import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyInstallHash } from '../install-hash/index.ts';
import { alteredKeys } from './altered-keys.ts';
import { hmacSha256 } from './digests.ts';
import { verifySignature } from './index.ts';

const KEY = 'a+b%20c&d-and-more-than-32-characters';

/** The mistake that is named for a hash and for a signature under another key. */
const namedFor = (key: string): readonly string[] => {
  const hash = verifyInstallHash(`?appId=7&hash=${hmacSha256(key, 'appId=7').toString('hex')}`, KEY);
  const fields: [string, string][] = [
    ['amount', '1.50'],
    ['signature', hmacSha256(key, '1.50').toString('base64')],
  ];
  const signature = verifySignature(fields, KEY);
  return [hash, signature].map((result) => (result.authentic ? 'none' : result.mistake));
};

test('a key that was cut off, encoded, decoded or escaped is named', () => {
  for (const length of [16, 32, KEY.length - 1])
    assert.deepEqual(namedFor(KEY.slice(0, length)), ['key-cut-off', 'key-cut-off']);
  assert.deepEqual(namedFor(KEY.slice(1)), ['key-cut-off', 'key-cut-off']);
  assert.deepEqual(namedFor(encodeURIComponent(KEY)), ['key-encoded', 'key-encoded']);
  assert.deepEqual(namedFor('a b c&d-and-more-than-32-characters'), ['key-decoded', 'key-decoded']);
  assert.deepEqual(namedFor(KEY.replace('&', '&amp;')), ['key-escaped', 'key-escaped']);
});

test('another key is not taken for a part of the right one', () => {
  assert.deepEqual(namedFor('a+b%20c&d-and'), ['unexplained', 'unexplained']);
});

test('no altered key is empty or the key itself', () => {
  for (const key of ['', 'a', 'ab', KEY])
    for (const { value } of alteredKeys(key)) assert.ok(value.length > 0 && value.toString() !== key);
});
