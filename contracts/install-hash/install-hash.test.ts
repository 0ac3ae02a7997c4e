import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  ENCODING_NAMES,
  encodings,
  hashedQuery,
  installHash,
  pairsOf,
  queryOf,
  unambiguousValue,
  verifyInstallHash,
} from './index.ts';

const SECRET = '9c1f5e0a77d24b6c8a40';
const anyPairs = fc.array(
  fc.tuple(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 5 }).filter((name) => name !== 'hash'),
    fc.string({ unit: 'grapheme', maxLength: 10 }),
  ),
  { maxLength: 6 },
);

test('every encoding is read back as what was written', () => {
  fc.assert(
    fc.property(anyPairs, (pairs) => {
      for (const name of ENCODING_NAMES) assert.deepEqual(pairsOf(encodings[name](pairs)), pairs, name);
    }),
    { numRuns: 200 },
  );
});

test('a hash over any parameters in any encoding verifies, wherever it appears, and under no other secret', () => {
  fc.assert(
    fc.property(anyPairs, fc.constantFrom(...ENCODING_NAMES), fc.nat(), (pairs, encoding, place) => {
      const query = encodings.php(pairs);
      const parts = query === '' ? [] : query.split('&');
      parts.splice(place % (parts.length + 1), 0, `hash=${installHash(query, SECRET, encoding)}`);
      const address = `https://app.example/install?${parts.join('&')}`;
      const response = verifyInstallHash(address, SECRET);
      assert.ok(response.authentic);
      assert.ok(response.agreeing.includes(encoding));
      assert.equal(verifyInstallHash(address, `${SECRET}0`).authentic, false);
    }),
    { numRuns: 60 },
  );
});

test('all encodings agree on unambiguous values, up to the case of the percent digits', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 10 }), (value) => {
      const folded = ENCODING_NAMES.map((name) =>
        encodings[name]([['v', value]]).replace(/%../g, (code) => code.toUpperCase()),
      );
      if (unambiguousValue(value)) assert.equal(new Set(folded).size, 1);
    }),
    { numRuns: 300 },
  );
  for (const value of ['abc-_.09', 'https://store.example/back?step=2&ü', ''])
    assert.equal(unambiguousValue(value), true, value);
  for (const value of ['a b', '~', '*', '!', "'", '(', ')', '\ud800'])
    assert.equal(unambiguousValue(value), false, value);
});

test('the names of all agreeing encodings are reported, the commonest first', () => {
  const query = 'appId=7&language=lv';
  const response = verifyInstallHash(`/?${query}&hash=${installHash(query, SECRET)}`, SECRET);
  assert.ok(response.authentic);
  assert.equal(response.encoding, 'php');
  assert.deepEqual(response.agreeing.slice(0, 3), ['php', 'javascript', 'python']);
  assert.ok(response.agreeing.includes('as-received'));
});

test('the query of an address', () => {
  assert.equal(queryOf('https://app.example/install?appId=7#top'), 'appId=7');
  assert.equal(queryOf('https://app.example/install#a?b'), '');
  assert.equal(queryOf('/install?a=1?b=2'), 'a=1?b=2');
  assert.equal(queryOf('?a=1'), 'a=1');
  assert.equal(queryOf('a=1&callback=https://s.example/?x'), 'a=1&callback=https://s.example/?x');
  assert.equal(queryOf('https://app.example/install'), '');
});

test('a question mark within the query is part of a name', () => {
  assert.deepEqual(pairsOf('a=1&?b=2'), [
    ['a', '1'],
    ['?b', '2'],
  ]);
});

test('hash is removed wherever it appears and however its name is written; like-named parameters stay', () => {
  assert.equal(hashedQuery('?b=2&hash=x&a=%31'), 'b=2&a=1');
  assert.equal(hashedQuery('b=2&h%61sh=x&hash&Hash=y&hash2=z'), 'b=2&Hash=y&hash2=z');
  assert.equal(hashedQuery('hash=x'), '');
});

test('the diagnosis contains neither the secret nor the correct hash', () => {
  const query = 'appId=7&callback=https%3A%2F%2Fs.example%2F';
  const right = installHash(query, SECRET);
  for (const hash of [right.toUpperCase(), right.slice(0, 30), 'x', installHash(query, 'other-secret')]) {
    const response = verifyInstallHash(`https://app.example/?${query}&hash=${hash}`, SECRET, {
      'the API key': 'other-secret',
    });
    assert.ok(!response.authentic);
    for (const hidden of [SECRET, right, 'other-secret'])
      assert.ok(!response.diagnosis.includes(hidden), response.diagnosis);
  }
});

test('each parameter left out is named', () => {
  const pairs = pairsOf('v=2&appId=7&language=lv&callback=https%3A%2F%2Fs.example&platformVersion=4');
  for (const [name] of pairs) {
    const hash = installHash(encodings.php(pairs.filter(([other]) => other !== name)), SECRET);
    const response = verifyInstallHash(`/?${encodings.php(pairs)}&hash=${hash}`, SECRET);
    assert.ok(!response.authentic);
    const expected = name === 'v' ? 'own parameters' : JSON.stringify(name);
    assert.ok(response.diagnosis.includes(expected), response.diagnosis);
  }
});

test('a hostile address of thousands of parameters is refused', () => {
  const query = Array.from({ length: 3_000 }, (_, i) => `p${i}=${'%20'.repeat(20)}`).join('&');
  assert.equal(verifyInstallHash(`/?${query}&hash=${'a'.repeat(64)}`, SECRET).authentic, false);
});
