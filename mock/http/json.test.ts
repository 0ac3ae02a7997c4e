import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { MAX_DEPTH_LEVELS, parseSent, parseStored } from './json.ts';
import { Refusal } from './refusal.ts';

describe('untrusted JSON', () => {
  test('every value survives a round trip', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value);
        assert.equal(JSON.stringify(parseSent(text)), text);
        assert.equal(JSON.stringify(parseStored(JSON.stringify(parseSent(text)))), text);
      }),
      { numRuns: 500, seed: 11 },
    );
  });

  test('digits that JavaScript can’t hold are kept', () => {
    const fractions = ['0.1000000000000000055511151231257827', '1234567890.123456789', '99999999999999.999'];
    for (const text of ['12345678901234567890', '1e400', '-1E-400', ...fractions]) {
      assert.equal(JSON.stringify(parseSent(`{"n":${text}}`)), `{"n":${text}}`);
    }
  });

  test('values that would not survive are refused', () => {
    const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    assert.doesNotThrow(() => parseSent(nested(MAX_DEPTH_LEVELS)));
    const wrong = [
      '',
      '{',
      '{"a":1,}',
      "{'a':1}",
      'NaN',
      '{"a":1,"a":2}',
      '{"a":1,"\\u0061":2}',
      '{"x":{"a":1, "a" : 2}}',
      '["\\ud800"]',
      '{"\\udc00":1}',
      nested(MAX_DEPTH_LEVELS + 1),
      nested(200_000),
      '{"a":'.repeat(200_000),
    ];
    for (const text of wrong) assert.throws(() => parseSent(text), Refusal, text.slice(0, 30));
    for (const text of ['{"a":"a","b":{"a":1}}', '[{"a":1},{"a":1}]', '{"a":"\\"a\\":1,"}', '["\\ud83d\\udc1d"]']) {
      assert.equal(JSON.stringify(parseSent(text)), JSON.stringify(JSON.parse(text)));
    }
  });
});
