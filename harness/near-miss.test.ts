import assert from 'node:assert/strict';
import { test } from 'node:test';
import { caseSwapped, nearMissesOf, nearMissOf } from './near-miss.ts';

test('a near miss differs in one character of the same kind', () => {
  assert.equal(nearMissOf('abcde'), 'abqde');
  assert.equal(nearMissOf('ABCDE'), 'ABQDE');
  assert.equal(nearMissOf('12945'), '12045');
  assert.equal(nearMissOf('aqa'), 'aza');
  assert.equal(nearMissOf('🐝🐝'), '🐝q');
});

test('near misses touch the start, the middle, the end, the length and the case, each by itself', () => {
  assert.deepEqual(
    nearMissesOf('aB1').map(({ value }) => value),
    ['qB1', 'aQ1', 'aB2', 'aB', 'aB1q', 'Ab1'],
  );
});

test('near misses of a short or plain text are neither the text, nor empty, nor twice there', () => {
  for (const text of ['7', 'a', '42', '----', 'Žē']) {
    const values = nearMissesOf(text).map(({ value }) => value);
    assert.ok(!values.includes(text) && !values.includes(''), text);
    assert.equal(new Set(values).size, values.length, text);
  }
});

test('a text without letters has no other case', () => {
  assert.equal(caseSwapped('12-34'), undefined);
  assert.equal(caseSwapped('aB'), 'Ab');
});
