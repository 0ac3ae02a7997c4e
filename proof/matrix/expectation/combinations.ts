/** Seeded random combinations of variants: two legal variations at once must not raise an alarm that neither raises alone. */
import { randomFrom, shuffled } from '../../../harness/runner/order/shuffle.ts';

/** More at once would hide each other: the later of two that change the same rule wins. */
const MAX_AT_ONCE = 6;
const MIN_AT_ONCE = 2;

/**
 * `count` different combinations of 2 to 6 of the ids, in an order that depends on the seed; fewer when not so many exist.
 *
 * @example combinationsOf(['a', 'b'], 1, 7) // [['b', 'a']] or [['a', 'b']], always the same
 */
export function combinationsOf(ids: readonly string[], count: number, seed: number): string[][] {
  const random = randomFrom(seed);
  const found = new Map<string, string[]>();
  if (ids.length < MIN_AT_ONCE) return [];
  // Attempts are limited, so that a request for more combinations than exist ends.
  for (let attempt = 0; found.size < count && attempt < count * 10; attempt += 1) {
    const range = Math.min(MAX_AT_ONCE, ids.length) - MIN_AT_ONCE + 1;
    const size = MIN_AT_ONCE + Math.floor(random() * range);
    const chosen = shuffled(ids, Math.floor(random() * 2 ** 31)).slice(0, size);
    found.set([...chosen].sort().join(','), chosen);
  }
  return [...found.values()];
}
