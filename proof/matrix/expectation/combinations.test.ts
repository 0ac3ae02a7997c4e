import assert from 'node:assert/strict';
import { test } from 'node:test';
import { combinationsOf } from './combinations.ts';

const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

test('combinations are the same from the same seed, and others from another', () => {
  assert.deepEqual(combinationsOf(ids, 20, 3), combinationsOf(ids, 20, 3));
  assert.notDeepEqual(combinationsOf(ids, 20, 3), combinationsOf(ids, 20, 4));
});

test('each is a different set of 2 to 6 ids, none twice', () => {
  const all = combinationsOf(ids, 100, 1);
  assert.equal(all.length, 100);
  assert.equal(new Set(all.map((one) => [...one].sort().join())).size, 100);
  for (const one of all) {
    assert.ok(one.length >= 2 && one.length <= 6);
    assert.equal(new Set(one).size, one.length);
    assert.ok(one.every((id) => ids.includes(id)));
  }
  assert.deepEqual(new Set(all.map((one) => one.length)), new Set([2, 3, 4, 5, 6]));
});

test('asking for more than there are ends', () => {
  assert.equal(combinationsOf(['a', 'b'], 50, 1).length, 1);
  assert.deepEqual(combinationsOf(['a'], 5, 1), []);
});
