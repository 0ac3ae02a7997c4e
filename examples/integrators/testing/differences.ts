/** For tests: in which situations an example differs from the correct one, and how. */
import assert from 'node:assert/strict';
import type { Example } from '../index.ts';
import { probe } from './in-process.ts';

/** Situations in which it differs, and what each of them shows then. */
export type Difference = readonly [situations: readonly string[], shows: RegExp];

/** Asserts that an example differs from the correct one in exactly these situations, and that each shows what was said. */
export async function assertDiffers(
  example: Example,
  correct: Pick<Example, 'kind' | 'make'>,
  expected: Difference | undefined,
): Promise<void> {
  assert.ok(expected !== undefined, `${example.id} has no row in the table of this test.`);
  const tabMode = example.tabMode === undefined ? {} : { tabMode: example.tabMode };
  const [right, seen] = [await probe({ ...correct, ...tabMode }), await probe(example)];
  const [situations, shows] = expected;
  const differing = Object.keys(right).filter((situation) => right[situation] !== seen[situation]);
  assert.deepEqual(differing.sort(), [...situations].sort());
  for (const situation of differing) assert.match(seen[situation] ?? '', shows, situation);
}
