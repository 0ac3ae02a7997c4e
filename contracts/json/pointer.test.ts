/** JSON pointers, written and followed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pointerOf, valueAt } from './pointer.ts';

const DOCUMENT = { list: [{ 'a/b': 1 }], 'm~n': null };

test('a pointer leads to the value that its steps name', () => {
  assert.equal(pointerOf('list', 0, 'a/b'), '/list/0/a~1b');
  assert.equal(valueAt(DOCUMENT, pointerOf('list', 0, 'a/b')), 1);
  assert.equal(valueAt(DOCUMENT, pointerOf('m~n')), null);
  assert.equal(valueAt(DOCUMENT, ''), DOCUMENT);
});

test('a pointer beside the document leads to nothing', () => {
  for (const pointer of ['/list/1', '/m~0n/x', '/list/0/a', '/toString'])
    assert.equal(valueAt(DOCUMENT, pointer), undefined);
});
