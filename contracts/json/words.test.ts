import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inWords, shortened } from './words.ts';

test('what is cut has a mark, beside which a part of a secret is recognised', () => {
  assert.equal(shortened('abc', 3), 'abc');
  assert.equal(shortened('abcd', 3), 'abc…');
  assert.equal(shortened('ab😀d', 3), 'ab\ufffd…');
  assert.equal(inWords('x'.repeat(100)), `the text "${'x'.repeat(79)}…`);
});
