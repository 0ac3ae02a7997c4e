/** A key with letters outside ASCII is found where a service, or a reader of its response, took it for another charset. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRedaction } from '../index.ts';

const KEY = 'Zürich-ÿkey-Wd83jsPqTb6';
const latin1 = Buffer.from(KEY, 'latin1');

const WRITTEN: Readonly<Record<string, string>> = {
  'Latin-1 read as UTF-8': latin1.toString('utf8'),
  'Latin-1 read as UTF-8, in an address': encodeURIComponent(latin1.toString('utf8')),
  'UTF-8 read as Latin-1': Buffer.from(KEY).toString('latin1'),
  'UTF-8 read as Latin-1, and written as UTF-8 in an address': encodeURIComponent(Buffer.from(KEY).toString('latin1')),
  'written as ASCII': KEY.replaceAll(/[^\0-\x7f]/g, '?'),
  'read as ASCII': KEY.replaceAll(/[^\0-\x7f]/g, '\ufffd'),
  'Latin-1 in an address': [...latin1].map((byte) => `%${byte.toString(16)}`).join(''),
  'Latin-1 in base64': latin1.toString('base64'),
  'Latin-1 in base64 behind a user': Buffer.from(`user:${KEY}`, 'latin1').toString('base64'),
  'Latin-1 in hexadecimal digits': latin1.toString('hex'),
};

for (const [how, text] of Object.entries(WRITTEN)) {
  test(`replaces a secret that is ${how}`, () => {
    const redaction = createRedaction();
    redaction.add({ name: 'KEY', value: KEY });
    // Neighbours share up to two characters of base64 with the secret.
    assert.match(redaction.text(`<<${text}>>`), /^<<(?:dXNlcj\w{0,2})?\$KEY(?:\(\w+\))?\w{0,2}={0,2}>>$/);
  });
}

test('replaces a letter that Latin-1 does not have as a writer of Latin-1 does', () => {
  const redaction = createRedaction();
  redaction.add({ name: 'KEY', value: 'price-in-€-of-ü' });
  assert.equal(redaction.text('price-in-?-of-ü'), '$KEY');
});

test('a secret of which hardly a letter is ASCII does not blacken damaged text', () => {
  const redaction = createRedaction();
  redaction.add({ name: 'KEY', value: 'парольпароль' });
  assert.equal(redaction.text('????????????'), '????????????');
  assert.equal(redaction.text('\ufffd'.repeat(12)), '\ufffd'.repeat(12));
});
