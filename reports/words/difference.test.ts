import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differenceOf, firstDifference, isComparable, isDescription } from './difference.ts';

const shown = (lines: ReturnType<typeof differenceOf>['expected']) => lines.map((line) => `${line.kind} ${line.text}`);

test('lines that differ are marked on both sides, the middle of a changed line alone', () => {
  const { expected, actual } = differenceOf({ a: 'Paka', b: 1 }, { a: 'Pakka', b: 1, c: [] });
  assert.deepEqual(shown(expected), ['same {', 'differs   "a": "Paka",', 'same   "b": 1', 'same }']);
  assert.deepEqual(shown(actual), [
    'same {',
    'differs   "a": "Pakka",',
    'same   "b": 1,',
    'differs   "c": []',
    'same }',
  ]);
  const [from, to] = actual[1]?.mark ?? [0, 0];
  assert.equal(actual[1]?.text.slice(from, to), 'k');
  assert.deepEqual(expected[1]?.mark, [from, from]);
});

test('long equal stretches are left out, however long the values', () => {
  const list = Array.from({ length: 5000 }, (_, index) => index);
  const { expected, actual } = differenceOf(list, [...list.slice(0, 2500), 'x', ...list.slice(2500)]);
  assert.ok(actual.length < 20 && expected.length < 20);
  assert.deepEqual(
    actual.filter((line) => line.kind === 'differs').map((line) => line.text),
    ['  "x",'],
  );
  assert.ok(actual[0]?.text.startsWith('… 2498 equal lines'));
});

test('wholly different large values stay bounded in time and size', () => {
  const one = Array.from({ length: 20_000 }, (_, index) => index);
  const { expected } = differenceOf(
    one,
    one.map((index) => index + 0.5),
  );
  assert.ok(expected.length <= 401);
});

test('the first difference is named by its pointer', () => {
  assert.equal(firstDifference({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }), undefined);
  assert.deepEqual(firstDifference({ a: [1, { 'b/~': 2 }] }, { a: [1, { 'b/~': 3 }] }), {
    pointer: '/a/1/b~1~0',
    expected: 2,
    actual: 3,
  });
  assert.deepEqual(firstDifference([1, 2], [1]), { pointer: '/1', expected: 2, actual: undefined });
  assert.deepEqual(firstDifference({ a: 1, b: 2 }, { b: 2, a: 1 }), undefined);
  // Not the items that have moved into the place of a missing one.
  const missing = { pointer: '/0', expected: 'gone', actual: undefined };
  assert.deepEqual(firstDifference(['gone', 'same'], ['same']), missing);
  assert.deepEqual(firstDifference(['a', 'b'], ['a', 'new', 'b']), {
    pointer: '/1',
    expected: undefined,
    actual: 'new',
  });
  assert.deepEqual(firstDifference(['a', 'b'], ['b', 'a']), { pointer: '/0', expected: 'a', actual: 'b' });
  assert.deepEqual(firstDifference(['a', 'b'], ['c', 'b']), { pointer: '/0', expected: 'a', actual: 'c' });
  assert.deepEqual(firstDifference([], {})?.pointer, '');
  const hostile = JSON.parse('{"__proto__": {"x": 1}}');
  assert.equal(firstDifference({}, hostile)?.pointer, '/__proto__');
});

test('a description in words is not compared with what it describes', () => {
  assert.equal(isComparable('a refusal: 4XX or 5XX', '200 {"error":false}'), false);
  assert.equal(isComparable('an integer', 3), false);
  assert.equal(isComparable({ exactly: ['a'] }, ['a']), false);
  assert.equal(isComparable(null, { a: 1 }), false);
  assert.equal(isComparable(['a'], ['b']), true);
  assert.equal(isComparable('Parcel to home', 'Parcel to hom'), true);
  assert.equal(isComparable('LV', 'lv'), true);
});

test('a description in words is distinguished from a text that was received', () => {
  for (const words of ['a non-empty string', 'nothing']) assert.ok(isDescription(words), words);
  for (const value of ['en', '', null, 7, ['nothing']]) assert.ok(!isDescription(value), String(value));
});
