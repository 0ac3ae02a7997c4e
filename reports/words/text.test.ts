import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  clip,
  compact,
  duration,
  grouped,
  leftoverLines,
  oneLine,
  ordersPlaced,
  pretty,
  sentence,
  visible,
} from './text.ts';

test('characters that hide, reorder or steer are written out; letters of any script stay', () => {
  assert.equal(visible('a\u001b[31mb\u202ec\u200bd\u0000'), 'a\\u001b[31mb\\u202ec\\u200bd\\u0000');
  assert.equal(visible('Rīga 北京 🇱🇻 é\n\tx'), 'Rīga 北京 🇱🇻 é\n\tx');
  assert.equal(visible('\ud800x\udc00'), '\\ud800x\\udc00');
  assert.equal(visible('a\u00a0b\r'), 'a\\u00a0b\\u000d');
  assert.equal(oneLine('a\nb\tc'), 'a\\nb\\tc');
});

test('clipping says what was left out and never halves a character', () => {
  assert.equal(clip('short', 10), 'short');
  const rest = 'x'.repeat(100);
  assert.equal(clip(`ab🇱🇻${rest}`, 3), 'ab… (104 more characters)');
  // The words would be as long as what they stand for.
  assert.equal(clip('ab🇱🇻', 3), 'ab🇱🇻');
});

test('values that are too deep say so', () => {
  let deep: unknown = 1;
  for (let level = 0; level < 50_000; level += 1) deep = [deep];
  assert.match(pretty(deep), /too deeply|^\[/);
  assert.equal(compact({ a: ['x', undefined] }), '{"a":["x",null]}');
  assert.equal(compact(undefined), 'null');
});

test('placed orders are counted, and named up to a bound', () => {
  assert.equal(ordersPlaced(['a']), 'placed 1 test order, which no interface removes: a');
  assert.match(ordersPlaced(Array.from({ length: 22 }, (_, n) => `o${n}`)), /^placed 22 .* o19 and 2 more$/);
});

test('reasons become sentences', () => {
  assert.equal(sentence('the driver has no openOrder()'), 'The driver has no openOrder().');
  assert.equal(sentence('v1 is not there.'), 'v1 is not there.');
  assert.equal(sentence(''), '');
});

test('whole numbers have commas', () => {
  assert.deepEqual([0, 999, 1000, 12_345, 1_234_567].map(grouped), ['0', '999', '1,000', '12,345', '1,234,567']);
});

test('durations for people', () => {
  assert.deepEqual([3.4, 1234, 125_000].map(duration), ['3 ms', '1.2 s', '2 min 05 s']);
});

test('what was left behind for one reason is one line, however many objects there are', () => {
  const lost = Array.from({ length: 100 }, (_, at) => ({ object: `method ${at}`, reason: 'no list' }));
  assert.deepEqual(leftoverLines([...lost, { object: 'snippet' }]), [
    { objects: 'method 0, method 1, method 2 and 97 more (results.json names them)', reason: 'no list' },
    { objects: 'snippet', reason: undefined },
  ]);
});
