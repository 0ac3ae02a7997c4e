import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exactTextOf } from './exact-json.ts';

test('digits that JavaScript can not hold are kept', () => {
  const data = '{"order":12345678901234567891,"list":[0.10000000000000000001,1e400],"text":"1e5"}';
  assert.equal(exactTextOf(`{"error": false, "data": ${data}}`, 'data'), data);
});

test('nothing is returned where all numbers can be held', () => {
  for (const text of ['{"data":{"a":1.5,"b":"12345678901234567891"}}', '{"data":"1e5"}', '{"a":1e400}', '<p>1e5</p>'])
    assert.equal(exactTextOf(text, 'data'), undefined, text);
});
