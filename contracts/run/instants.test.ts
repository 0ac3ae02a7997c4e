import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instantOf, instantText } from './instants.ts';

test('an instant keeps its microseconds', () => {
  const text = '2026-11-25T12:35:22.410875Z';
  assert.equal(instantText(instantOf(text)), text);
});

test('whole milliseconds are written without further digits', () => {
  assert.equal(instantText(Date.UTC(2026, 0, 1)), '2026-01-01T00:00:00.000Z');
});

for (const [text, fraction] of [
  ['2026-11-25T12:35:22.4101239+02:00', 0.1239],
  ['2026-11-25T12:35:22.410+02:00', 0],
  ['2026-11-25T12:35:22Z', 0],
] as const)
  test(`${text} is ${fraction} ms beyond a whole millisecond`, () => {
    const read = instantOf(text);
    assert.ok(Math.abs(read - Date.parse(text) - fraction) < 0.001, String(read));
  });

test('a text that is not a date is not a number', () => {
  assert.ok(Number.isNaN(instantOf('yesterday')));
});
