/** Pseudo-random bytes for the marks and ids of a run: the same in every process that repeats the run. */
import { createHash } from 'node:crypto';

/** Draws for the check that is running: its n-th draw is always the same, whatever ran before it and in which process. */
export function prngOf(run: string, check: () => string): (count: number) => Uint8Array {
  const drawn = new Map<string, number>();
  return (count) => {
    const id = check();
    const draw = drawn.get(id) ?? 0;
    drawn.set(id, draw + 1);
    const text = `${run} ${id} ${draw}`;
    return createHash('sha256').update(text).digest().subarray(0, count);
  };
}
