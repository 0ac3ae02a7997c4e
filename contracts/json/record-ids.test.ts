import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRecords, recordId } from './record-ids.ts';

type Records = Readonly<Record<string, unknown>>[];

test('an id keeps all its digits, and neighbours are told apart', () => {
  const text = `[{"id": 1152921504606846977, "other": 9007199254740993},{"id":\n1152921504606846976},{"id":-1152921504606846977}]`;
  const records = parseRecords(text) as Records;
  assert.deepEqual(
    records.map((record) => recordId(record, 'id')),
    ['1152921504606846977', '1152921504606846976', '-1152921504606846977'],
  );
  assert.equal(recordId(records[0]!, 'other'), '9007199254740993');
  assert.deepEqual(records, JSON.parse(text), 'the value is that of JSON.parse');
});

test('small integers and texts of digits are ids, other values are not', () => {
  const [record] = parseRecords(
    '[{"small":7,"zero":0,"text":"0042","float":1.5,"large":1e21,"null":null,"words":"a1","list":[1],"pad":1000000000000000000}]',
  ) as Records;
  const found = Object.fromEntries(Object.keys(record!).map((name) => [name, recordId(record!, name)]));
  assert.deepEqual(found, {
    small: '7',
    zero: '0',
    text: '0042',
    float: undefined,
    large: undefined,
    null: undefined,
    words: undefined,
    list: undefined,
    pad: '1000000000000000000',
  });
  assert.equal(recordId(record!, 'missing'), undefined);
});

test('a text that is nested as deep as JSON.parse takes it is read as well', () => {
  const depth = 100_000;
  let inner = parseRecords(`${'['.repeat(depth)} 1152921504606846977${']'.repeat(depth)}`);
  let levels = 0;
  for (; Array.isArray(inner); levels += 1) [inner] = inner as unknown[];
  assert.equal(levels, depth);
  assert.throws(() => parseRecords('[1152921504606846977'), SyntaxError);
});
