/** The time of day with microseconds, for the beginnings of exchanges. */

/** The steady clock may leave the one of the machine behind, which is corrected, and goes on while the machine sleeps. */
const MAX_APART_MS = 5;

let origin = performance.timeOrigin;

/** Milliseconds since 1970 with their fraction, within some milliseconds of `Date.now()`. */
export function wallClockMs(): number {
  const steady = origin + performance.now();
  const apart = Date.now() - steady;
  if (Math.abs(apart) <= MAX_APART_MS) return steady;
  origin += apart;
  return steady + apart;
}
