import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JsonTexts } from './json-texts.ts';

test('a text that comes again is not parsed again, and others are not forgotten too early', () => {
  const texts = new JsonTexts();
  const first = texts.parse('{"a":[1]}');
  assert.deepEqual(first, { a: [1] });
  for (let n = 0; n < 60; n += 1) assert.deepEqual(texts.parse(`[${n}]`), [n]);
  assert.equal(texts.parse('{"a":[1]}'), first);
});

test('what is remembered has a fixed size', () => {
  const texts = new JsonTexts();
  const first = texts.parse('{"a":1}');
  for (let n = 0; n < 200; n += 1) texts.parse(`[${n}]`);
  assert.notEqual(texts.parse('{"a":1}'), first);
  const long = JSON.stringify(['x'.repeat(40_000)]);
  assert.notEqual(texts.parse(long), texts.parse(long));
});

test('a text that is not JSON is refused each time, and null is a value', () => {
  const texts = new JsonTexts();
  for (const _ of [1, 2]) assert.throws(() => texts.parse('{'), SyntaxError);
  for (const _ of [1, 2]) assert.equal(texts.parse('null'), null);
});
