import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  boundaryShift,
  type Fields,
  isAuthentic,
  LABEL_REQUEST_FIELDS,
  sign,
  signedMessage,
  tamperings,
  verifySignature,
  withSignature,
} from './index.ts';

const KEY = 'sk_test_4fQ9mZ2c';
const callback: Fields = [
  ['label_request_id', '1042'],
  ['label_url', 'https://labels.example/1042.pdf'],
];

const anyText = fc.string({ unit: 'binary', maxLength: 12 });
const anyFields = fc.array(
  fc.tuple(
    fc.string({ maxLength: 6 }).filter((name) => name !== 'signature'),
    anyText,
  ),
  { maxLength: 7 },
);

test('the message leaves `signature` out wherever it appears', () => {
  assert.equal(signedMessage([['signature', 'x'], ...callback]), signedMessage([...callback, ['signature', 'y']]));
  assert.equal(signedMessage([['Signature', 'x']]), 'x', 'only that very name');
});

test('any signed fields verify, wherever the signature is, and with no other key', () => {
  fc.assert(
    fc.property(anyFields, fc.string({ minLength: 1 }), fc.nat(), (fields, key, place) => {
      const at = place % (fields.length + 1);
      const signed: Fields = [...fields.slice(0, at), ['signature', sign(fields, key)], ...fields.slice(at)];
      assert.deepEqual(verifySignature(signed, key), { authentic: true });
      assert.equal(isAuthentic(signed, `${key}x`), false);
    }),
    { numRuns: 200 },
  );
});

test('every tampering changes the signed bytes, and is refused', () => {
  fc.assert(
    fc.property(anyFields, (fields) => {
      const signed = withSignature(fields, KEY);
      const changes = tamperings(signed);
      assert.equal(new Set(changes.map(({ name }) => name)).size, changes.length, 'names are unique');
      for (const { name, fields: changed } of changes) {
        assert.notEqual(signedMessage(changed), signedMessage(signed), name);
        assert.equal(isAuthentic(changed, KEY), false, name);
        assert.notEqual(asBrowsersSend(changed), asBrowsersSend(signed), `${name}, after a browser`);
      }
    }),
    { numRuns: 100 },
  );
});

/** Browsers send every line break of a form value as CR LF. */
const asBrowsersSend = (fields: Fields) =>
  signedMessage(fields.map(([name, value]) => [name, value.replace(/\r\n|\r|\n/g, '\r\n')]));

test('tamperings reach every field, and leave harmless changes out', () => {
  const fields = withSignature([...callback, ['empty', ''], ['a', 'aa'], ['b', 'a'], ['c', 'a']], KEY);
  const names = tamperings(fields).map(({ name }) => name);
  for (const field of ['label_request_id', 'label_url', 'a', 'b', 'c']) {
    for (const change of ['changed in one character', 'lengthened by one character', 'emptied', 'removed']) {
      assert.ok(names.includes(`"${field}" ${change}`), `${field} ${change}`);
    }
  }
  assert.ok(names.includes('"empty" filled'));
  assert.ok(!names.includes('"empty" removed'), 'removing an empty field leaves the message as it was');
  assert.ok(!names.some((name) => name.includes('"b" and "c"')), 'equal neighbours in the other order');
  assert.ok(!names.some((name) => name.includes('"a" and "b"')), 'aa before a is a before aa');
  assert.ok(names.includes('the values of "label_request_id" and "label_url" exchanged'));
  assert.ok(names.includes('a field added at the end'));
  assert.equal(
    tamperings(fields).every(({ fields: changed }) => changed.some(([name]) => name === 'signature')),
    true,
  );
});

test('bytes moved between neighbours keep the signature: the known weakness', () => {
  fc.assert(
    fc.property(anyFields, (fields) => {
      const shifted = boundaryShift(withSignature(fields, KEY));
      if (shifted === undefined) return;
      assert.notDeepEqual(shifted, withSignature(fields, KEY));
      assert.equal(isAuthentic(shifted, KEY), true);
      const message = asBrowsersSend(fields);
      assert.equal(asBrowsersSend(shifted), message, 'also after a browser');
    }),
    { numRuns: 200 },
  );
  assert.deepEqual(
    boundaryShift([
      ['id', '12'],
      ['url', '3'],
    ]),
    [
      ['id', '1'],
      ['url', '23'],
    ],
  );
  assert.deepEqual(
    boundaryShift([
      ['id', 'a📦'],
      ['signature', 's'],
      ['url', ''],
    ]),
    [
      ['id', 'a'],
      ['signature', 's'],
      ['url', '📦'],
    ],
  );
  assert.equal(
    boundaryShift([
      ['id', ''],
      ['url', '3'],
    ]),
    undefined,
  );
  assert.equal(
    boundaryShift([
      ['id', '3'],
      ['signature', 'x'],
    ]),
    undefined,
  );
});

test('line breaks that a browser makes equal are neither tampering nor something to cut in two', () => {
  const names = tamperings([
    ['a', '\n'],
    ['b', '\r\n'],
  ]).map(({ name }) => name);
  assert.ok(!names.includes('"a" and "b" in the other order'));
  assert.ok(!names.includes('the values of "a" and "b" exchanged'));
  const halves: Fields = [
    ['a', '1\r'],
    ['b', '\n2'],
  ];
  assert.equal(boundaryShift(halves), undefined);
});

test('without a signature, or with two different ones, nothing is authentic', () => {
  assert.equal(isAuthentic(callback, KEY), false);
  assert.equal(isAuthentic([], KEY), false);
  const right = sign(callback, KEY);
  assert.equal(isAuthentic([['signature', 'x'], ...callback, ['signature', right]], KEY), false);
  assert.equal(isAuthentic([['signature', right], ...callback, ['signature', right]], KEY), true);
});

test('the diagnosis contains neither the key nor the correct signature', () => {
  const right = sign(callback, KEY);
  const wrong = [
    Buffer.from(right, 'base64').toString('hex'),
    right.slice(0, 20),
    right.toLowerCase(),
    `${right} `,
    'x',
  ];
  for (const signature of wrong) {
    const response = verifySignature([...callback, ['signature', signature]], KEY, {
      'the key of the other store': 'sk_other',
    });
    assert.ok(!response.authentic);
    for (const secret of [KEY, right, 'sk_other']) assert.ok(!response.diagnosis.includes(secret), response.diagnosis);
  }
});

test('another key is named when it is known', () => {
  const fields = withSignature(callback, 'sk_other');
  const response = verifySignature(fields, KEY, { 'the key of the other store': 'sk_other' });
  assert.ok(!response.authentic);
  assert.equal(response.mistake, 'another-key');
  assert.match(response.diagnosis, /instead of the key of the other store/);
});

test('a field left out is named', () => {
  const fields: Fields = LABEL_REQUEST_FIELDS.map((name, i) => [name, `${i};`]);
  for (const [name] of fields) {
    const signature = sign(
      fields.filter(([other]) => other !== name),
      KEY,
    );
    const response = verifySignature([...fields, ['signature', signature]], KEY);
    assert.ok(!response.authentic);
    assert.equal(
      response.diagnosis,
      `The signature is wrong; it would be correct if the field "${name}" were part of the message.`,
    );
  }
});

test('a hostile request of a megabyte is refused', () => {
  const fields: Fields = Array.from({ length: 2_000 }, (_, i) => [`f${i}`, 'x'.repeat(500)]);
  const response = verifySignature([...fields, ['signature', 'A'.repeat(44)]], KEY);
  assert.equal(response.authentic, false);
});

test('a value signed with LF is named although another is signed as the browser sends it', () => {
  const stored: Fields = [...callback, ['reference', 'A\n2'], ['shipping_street', 'Lake 5\r\nflat 7']];
  const sent: Fields = stored.map(([name, value]) => [name, value.replace(/\r?\n/g, '\r\n')]);
  const response = verifySignature([...sent, ['signature', sign(stored, KEY)]], KEY);
  assert.ok(!response.authentic);
  assert.equal(response.mistake, 'lf-for-crlf');
  assert.match(response.diagnosis, /line breaks of "reference" were signed as transmitted/);
});

test('an amount that was converted to a number is named', () => {
  const fields: Fields = [
    ['invoice_id', '0042'],
    ['amount', '12.50'],
    ['currency', 'EUR'],
    ['weight', '900'],
    ['language_code', 'en'],
    ['website_alias', 'shop'],
  ];
  const signature = sign(
    fields.map(([name, value]) => [name, name === 'amount' ? '12.5' : value]),
    KEY,
  );
  const response = verifySignature([...fields, ['signature', signature]], KEY);
  assert.ok(!response.authentic);
  assert.equal(response.mistake, 'numbers-rewritten');
});

describe('a message in another character set is named', () => {
  const fields: Fields = [
    ['shipping_city', 'Rīga'],
    ['shipping_street', 'Café 1'],
  ];
  const message = 'RīgaCafé 1';
  const messages: Record<string, readonly [RegExp, Buffer]> = {
    'UTF-16': [/UTF-16/, Buffer.from(message, 'utf16le')],
    'Latin-1 with question marks': [/Latin-1 \(with "\?"/, Buffer.from('R?gaCafé 1', 'latin1')],
    'ASCII with question marks': [/ASCII \(with "\?"/, Buffer.from('R?gaCaf? 1', 'latin1')],
    'Latin-1 with truncated characters': [/Latin-1 \(with the low byte/, Buffer.from(message, 'latin1')],
    'UTF-8 that was decoded as Latin-1': [
      /decoded from UTF-8 instead of from Latin-1/,
      Buffer.from(Buffer.from(message, 'utf8').toString('latin1'), 'utf8'),
    ],
  };
  for (const [name, [says, bytes]] of Object.entries(messages)) {
    test(name, () => {
      const signature = createHmac('sha256', KEY).update(bytes).digest('base64');
      const response = verifySignature([...fields, ['signature', signature]], KEY);
      assert.ok(!response.authentic);
      assert.equal(response.mistake, 'not-utf8');
      assert.match(response.diagnosis, says);
    });
  }
});
