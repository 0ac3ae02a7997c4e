/** A pseudo-random generator: the same seed gives the same inputs on every machine. */

export interface Chance {
  /** A whole number from 0, smaller than `end`. */
  below(end: number): number;
  /** True with the probability 1 / `times`. */
  oneIn(times: number): boolean;
  pick<T>(items: readonly T[]): T;
}

/** Mulberry32: small, and good enough to choose inputs. */
export function prngOf(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    below,
    oneIn: (times) => below(times) === 0,
    pick: (items) => {
      if (items.length === 0) throw new RangeError('There is nothing to pick from.');
      return items[below(items.length)] as (typeof items)[number];
    },
  };
}
