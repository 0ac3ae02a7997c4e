import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LateArbitrary } from './late-arbitrary.ts';

const SEED = 7;

test('it is made with its first value, once, and generates what the other one does', () => {
  let made = 0;
  const make = (): fc.Arbitrary<string> => {
    made += 1;
    return fc.string({ minLength: 1, maxLength: 20 });
  };
  const late = fc.oneof(new LateArbitrary(make), fc.constant('')).filter((text) => text !== '');
  assert.equal(made, 0);
  const values = fc.sample(late, { numRuns: 20, seed: SEED });
  assert.equal(made, 1);
  const early = fc.oneof(make(), fc.constant('')).filter((text) => text !== '');
  assert.deepEqual(values, fc.sample(early, { numRuns: 20, seed: SEED }));
});

test('it shrinks what was generated, and what it is given', () => {
  const shortest = (arbitrary: fc.Arbitrary<number>, examples: [number][] = []): unknown =>
    fc.check(
      fc.property(arbitrary, (number) => number < 50),
      { seed: SEED, examples },
    ).counterexample;
  const late = (): fc.Arbitrary<number> => new LateArbitrary(() => fc.integer({ min: 0, max: 1_000 }));
  assert.deepEqual(shortest(late()), [50]);
  assert.deepEqual(shortest(late(), [[900]]), [50]);
});
