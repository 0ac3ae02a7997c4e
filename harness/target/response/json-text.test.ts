import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type JsonNode, JsonTextError, parseJsonText, positionOf } from './json-text.ts';

function contentOf(node: JsonNode): unknown {
  if (node.kind === 'array') return node.items.map(contentOf);
  if (node.kind === 'object') return Object.fromEntries(node.entries.map(({ key, value }) => [key, contentOf(value)]));
  return node.value;
}

/** Whether the text is JSON, and what it says; `undefined` when it is not. */
function parsed(text: string): unknown {
  try {
    return contentOf(parseJsonText(text));
  } catch (error) {
    assert.ok(error instanceof JsonTextError, String(error));
    return undefined;
  }
}

test('it reads what JSON.parse reads', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), fc.constantFrom(0, 1, '\t'), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      assert.deepEqual(parsed(text), JSON.parse(text));
    }),
    { seed: 1 },
  );
});

test('comments and trailing commas do not change the value', () => {
  const text =
    '// a "x": 1\n{ /* b } */ "a": [1, 2, /* c */ ], // d\n "b": { "http": "//not /* a comment", }, }\n// end';
  assert.deepEqual(contentOf(parseJsonText(text, 'jsonc')), { a: [1, 2], b: { http: '//not /* a comment' } });
  for (const [bad, message] of [
    ['{ # x\n}', /begins with \/\/, not with #/],
    ['{} /* x', /not closed/],
    ['[,]', /Expected a value, found/],
    ['[1,,2]', /Expected a value, found/],
    ['{"a":1,,}', /a key in double quotes/],
    ['[/]', /Expected a value, found/],
  ] as const)
    assert.throws(() => parseJsonText(bad, 'jsonc'), { message }, bad);
});

test('it refuses what JSON.parse refuses', () => {
  const bad = [
    '',
    ' ',
    '{',
    '[1,]',
    '{"a":1,}',
    '{a:1}',
    "{'a':1}",
    '01',
    '1.',
    '+1',
    '.5',
    'NaN',
    'tru',
    '"\n"',
    '"\\x41"',
    '[1 2]',
    '1 2',
    '"a',
    '[]]',
    '{"a" 1}',
  ];
  for (const text of bad) {
    assert.throws(() => JSON.parse(text), text);
    assert.equal(parsed(text), undefined, text);
  }
});

test('the place of an error is its line and column', () => {
  const rows: [string, RegExp, { line: number; column: number }][] = [
    ['{\n  "a": 1,\n}', /extra comma/, { line: 3, column: 1 }],
    ['{\n  // hello\n}', /comments/, { line: 2, column: 3 }],
    ['{"a": 1,\n "a": 2}', /Duplicate/, { line: 2, column: 2 }],
    ['{"a": "x\n"}', /not closed/, { line: 1, column: 7 }],
    ['[1] x', /after the end/, { line: 1, column: 5 }],
    ['[1', /ends where/, { line: 1, column: 3 }],
  ];
  for (const [text, message, position] of rows) {
    assert.throws(
      () => parseJsonText(text),
      (error: JsonTextError) => {
        assert.match(error.message, message);
        assert.deepEqual(positionOf(text, error.at), position, text);
        return true;
      },
    );
  }
});

test('nesting without end is an error, not a crash', () => {
  assert.throws(() => parseJsonText('['.repeat(100_000)), /nested deeper/);
});
