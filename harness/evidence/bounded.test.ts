import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bounded, boundedSentence } from './bounded.ts';

const MEGABYTE = 1024 * 1024;
const sizeOf = (value: unknown): number => JSON.stringify(value).length;

test('a small value stays unchanged', () => {
  for (const value of [undefined, null, 0, 'x', [], {}, { a: ['x'.repeat(60_000)] }, Array(10_000).fill(1)]) {
    assert.equal(bounded(value), value);
  }
});

/** A value of the test below. */
interface Cut {
  readonly title: string;
  readonly list: readonly unknown[];
}

test('a large value is cut, states its size, and still distinguishes two values', () => {
  const large = (last: string) => ({ title: `${'x'.repeat(MEGABYTE)}${last}`, list: Array(50_000).fill({ id: last }) });
  const [one, other] = [bounded(large('a')), bounded(large('b'))] as [Cut, Cut];
  assert.ok(sizeOf(one) < 10_000);
  assert.match(String(one.title), /^x{2000}… \(1,046,577 more characters, SHA-256 [0-9a-f]{12} in all\)$/);
  assert.match(String(one.list.at(-1)), /^… \(49,900 more, SHA-256/);
  assert.notEqual(one.title, other.title);
  assert.notEqual(one.list.at(-1), other.list.at(-1));
});

test('many keys, long keys, many levels and many medium-sized texts are cut as well', () => {
  let deep: unknown = 'ground';
  for (let level = 0; level < 5_000; level += 1) deep = { deep };
  const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`k${n}`, n]));
  const texts = Array.from({ length: 99 }, () => Array.from({ length: 99 }, () => 'y'.repeat(1_900)));
  for (const value of [deep, wide, texts, { ['k'.repeat(MEGABYTE)]: 1 }]) assert.ok(sizeOf(bounded(value)) < 100_000);
});

test('keys of objects that mean something to JavaScript stay keys', () => {
  const value = JSON.parse(`{"__proto__":{"x":1},"title":"${'x'.repeat(MEGABYTE)}"}`);
  assert.deepEqual(Object.keys(bounded(value) as object), ['__proto__', 'title']);
});

test('a sentence is cut, never in the middle of a character', () => {
  assert.equal(boundedSentence('short'), 'short');
  const cut = boundedSentence(`x${'🚚'.repeat(3_000)}`);
  assert.ok(cut.isWellFormed());
  assert.match(cut, /more characters/);
});
