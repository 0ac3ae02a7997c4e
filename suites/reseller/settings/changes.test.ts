import assert from 'node:assert/strict';
import { test } from 'node:test';
import { separatingSubsets } from './changes.ts';

test('for any two items one subset has the first and not the second', () => {
  for (const count of [1, 2, 3, 6, 7, 17, 20]) {
    const all = Array.from({ length: count }, (_, at) => at);
    const subsets = separatingSubsets(all);
    for (const one of all)
      for (const other of all.filter((item) => item !== one))
        assert.ok(subsets.some((some) => some.includes(one) && !some.includes(other)));
  }
});

test('a few subsets do, and none of them is empty', () => {
  assert.equal(separatingSubsets(Array.from({ length: 17 }, (_, at) => at)).length, 6);
  assert.deepEqual(separatingSubsets(['alone']), [['alone']]);
});
