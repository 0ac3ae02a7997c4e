import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { judgePortions, MAX_PORTION_ITEMS, portionsOf } from './portions.ts';

test('any list splits into portions that are right and hold every item once, in order', () => {
  fc.assert(
    fc.property(fc.nat({ max: 450 }), fc.integer({ min: 1, max: MAX_PORTION_ITEMS }), (count, size) => {
      const items = Array.from({ length: count }, (_, i) => ({ id: `p${i}` }));
      const portions = portionsOf(items, size);
      assert.deepEqual(
        portions.flatMap((portion) => portion.items),
        items,
      );
      assert.ok(portions.every((portion) => portion.items.length <= size));
      assert.deepEqual(judgePortions(portions), []);
      const firsts = portions.map((portion) => portion.is_initialization);
      const lasts = portions.map((portion) => portion.is_finalization);
      assert.deepEqual([firsts.indexOf(true), firsts.lastIndexOf(true)], [0, 0]);
      assert.deepEqual([lasts.indexOf(true), lasts.lastIndexOf(true)], [portions.length - 1, portions.length - 1]);
    }),
    { numRuns: 100 },
  );
});

test('the limit is the default', () => {
  assert.deepEqual(
    portionsOf(Array.from({ length: 250 })).map((portion) => portion.items.length),
    [100, 100, 50],
  );
});

test('a size that makes no sense is refused in a sentence', () => {
  for (const size of [0, -1, 1.5, Number.NaN])
    assert.throws(() => portionsOf([], size), /positive whole number of items/);
});

test('items without a text as id do not count as duplicates', () => {
  assert.deepEqual(judgePortions([{ items: [{}, {}, null, { id: 1 }, { id: 1 }] }]), []);
});

test('a list that is started again may hold the same ids', () => {
  const items = [{ id: 'a' }];
  const faults = judgePortions([{ items, is_finalization: false }, { items }]);
  assert.deepEqual(
    faults.map(({ rule, level }) => `${level} ${rule}`),
    ['SHOULD portions.initialization-on-first-only'],
  );
});

test('nothing received is not a fault', () => assert.deepEqual(judgePortions([]), []));

test('a fault says which portion, and what to do', () => {
  const [fault] = judgePortions([{ items: [{ id: 'a' }], is_finalization: false }]);
  assert.match(fault!.message, /never finished: no portion with `is_finalization` true/);
});
