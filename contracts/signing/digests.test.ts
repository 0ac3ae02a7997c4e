import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { test } from 'node:test';
import {
  BASE64_FORMATS,
  equalInConstantTime,
  explainDigest,
  hmacSha256,
  keyVariants,
  mistakeSentence,
} from './digests.ts';

const right = { id: 'message', says: '', value: 'm' };
const other = { id: 'other', says: 'another text were signed', value: 'n' };

test('equality is that of the texts', () => {
  assert.equal(equalInConstantTime('abc', 'abc'), true);
  assert.equal(equalInConstantTime('abc', 'abd'), false);
  assert.equal(equalInConstantTime('abc', 'ab'), false);
  assert.equal(equalInConstantTime('', ''), true);
});

test('one mistake is preferred to two, and three are not explained', () => {
  const keys = keyVariants('key');
  const explain = (received: string) =>
    explainDigest(received, [right, other], keys, BASE64_FORMATS)?.map(({ id }) => id);
  assert.deepEqual(explain(hmacSha256('key', 'm').toString('hex')), ['hex']);
  assert.deepEqual(explain(hmacSha256('key', 'n').toString('base64')), ['other']);
  assert.deepEqual(explain(hmacSha256('key\n', 'm').toString('base64')), ['key-with-whitespace']);
  assert.deepEqual(explain(hmacSha256('key', 'n').toString('hex')), ['other', 'hex']);
  assert.deepEqual(explain(hmacSha256('key\n', 'n').toString('base64')), ['other', 'key-with-whitespace']);
  assert.equal(explain(hmacSha256('key\n', 'n').toString('hex')), undefined);
  assert.equal(explain(hmacSha256('key', 'm').toString('base64')), undefined, 'a right digest has no mistake');
});

test('a plain hash is recognised', () => {
  const received = createHash('sha256').update('keym').digest('base64');
  const mistakes = explainDigest(received, [right], keyVariants('key'), BASE64_FORMATS);
  assert.equal(
    mistakeSentence('signature', mistakes!),
    'The signature is wrong; it would be correct if it were an HMAC instead of a plain SHA-256 over key and message.',
  );
  assert.equal(mistakes![0]!.id, 'hash-of-key-and-message');
});

test('another algorithm is named as the wrong one', () => {
  const received = createHmac('sha1', 'key').update('m').digest('base64');
  const mistakes = explainDigest(received, [right], keyVariants('key'), BASE64_FORMATS);
  assert.equal(
    mistakeSentence('signature', mistakes!),
    'The signature is wrong; it would be correct if the algorithm were HMAC with SHA-256 instead of SHA-1.',
  );
});

test('the right key is the first variant, and no variant equals it', () => {
  for (const key of ['abc', 'ABC', '00ff', 'with space ', '', 'ß']) {
    const [first, ...others] = keyVariants(key);
    assert.equal(first?.value.toString(), key);
    for (const { id, value } of others) assert.ok(!value.equals(Buffer.from(key)), id);
  }
});
