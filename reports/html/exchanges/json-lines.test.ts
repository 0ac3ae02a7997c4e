import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonLines, linesAt } from './json-lines.ts';

const text = (json: string, cutOff = false) => jsonLines(json, cutOff)?.map((line) => line.text);

test('JSON is laid out as JSON.stringify would, from the text as it came', () => {
  for (const value of [{ a: 1, b: [1, { c: null }, []], d: {} }, [], {}, [[[]]], { 'x"y': 'a{,:}"' }]) {
    assert.equal(text(JSON.stringify(value))?.join('\n'), JSON.stringify(value, null, 2));
    assert.equal(text(JSON.stringify(value, null, 7))?.join('\n'), JSON.stringify(value, null, 2));
  }
  assert.deepEqual(text('{"n":12345678901234567890.10,"n":1}'), [
    '{',
    '  "n": 12345678901234567890.10,',
    '  "n": 1',
    '}',
  ]);
});

test('every line knows the pointer of its value', () => {
  const lines = jsonLines('{"a/b":[1,{"c~":2},[]],"d":{"e":3}}') ?? [];
  const at = (pointer: string) => linesAt(lines, pointer).map((index) => lines[index]?.text.trim());
  assert.deepEqual(at('/a~1b/1/c~0'), ['"c~": 2']);
  assert.deepEqual(at('/a~1b/1'), ['{', '"c~": 2', '},']);
  assert.deepEqual(at('/a~1b/2'), ['[]']);
  assert.deepEqual(at('/d'), ['"d": {', '"e": 3', '}']);
  assert.deepEqual(at('/nowhere'), []);
  assert.deepEqual(at(''), []);
});

test('text that is not JSON, not a structure or too deep is not changed; a truncated body is formatted as far as possible', () => {
  for (const json of ['', '"text"', '12', '<html>', '{"a":', '['.repeat(9000) + ']'.repeat(9000)]) {
    assert.equal(jsonLines(json), undefined);
  }
  assert.deepEqual(text('{"a":[1,2,"thr', true), ['{', '  "a": [', '    1,', '    2,"thr']);
});
