import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUnset } from './unset.ts';

test('absent, null, the empty text and the empty list say that nothing is there', () => {
  assert.ok([undefined, null, '', []].every(isUnset));
});

test('zero, false, an empty object, a blank and a list with null in it are values', () => {
  assert.ok(![0, false, {}, ' ', [null]].some(isUnset));
});
