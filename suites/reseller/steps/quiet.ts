/** Whether an account changes by itself: its websites belong to users, and other people may work on it during a run. */
import type { Context } from '../../../harness/check/context.ts';
import { Inconclusive } from '../../../harness/check/failures.ts';
import type { Resources } from '../../../harness/resources/resources.ts';
import { ask } from './login/session.ts';

/**
 * A value that changes constantly differs between two of six reads. The numbers of calls between the reads: others may toggle something in step
 * with the calls, every third or every eighth, and equal gaps would show the same value each time. These gaps find each such period up
 * to twelve, for reads of up to eight calls.
 */
const CALLS_BETWEEN = [0, 0, 1, 3, 3];

/**
 * Others may also change something only now and then, which a few reads don't show. So the account is watched for as many calls as a
 * change in every 120 needs to be seen, with a reading in every ten: something that is toggled then differs in one of them. A call
 * that changed something only once is still blamed, because nothing happens while it is not sent.
 */
const WATCHED_CALLS = 130;
const WATCHED_GAP = 6;
/** An account that was quiet so many times is not watched again: a run with many findings would be slow. */
const MAX_WATCHES = 3;

/** So many further readings show whether something comes back that only this run can have set. */
const READS_OF_RETURN = 6;

const quietWatches = new WeakMap<Resources, number>();

interface Readings<T> {
  readonly differences: (before: T, after: T) => readonly unknown[];
  readonly read: () => Promise<T>;
  /** Throws where readings in sequence, without calls in between, show what no other client can have caused. */
  readonly judge?: (readings: readonly T[]) => void;
}

/**
 * Reads a few more times without calls in between, before a difference is attributed to a call. Leaves the check undecided if what is
 * read differs between these reads. Costs nothing if there is no difference.
 */
export async function givenStable<T>(
  context: Context,
  { differences, read, judge }: Readings<T>,
  found: readonly unknown[],
): Promise<void> {
  if (found.length === 0) return;
  await readAgain(async () => {
    let before = await read();
    const readAfter = async (calls: number): Promise<void> => {
      for (let n = 0; n < calls; n += 1) {
        const reseller = await context.reseller();
        await ask(context, (via) => reseller.readBalance(via), 'session');
      }
      const after = await read();
      if (differences(before, after).length > 0) {
        const readings = [before, after];
        for (let n = 0; judge !== undefined && n < READS_OF_RETURN; n += 1) readings.push(await read());
        judge?.(readings);
        throw new Inconclusive(
          'the account was changed by another client during this check: run again when no other client uses it',
          'network',
        );
      }
      before = after;
    };
    for (const calls of CALLS_BETWEEN) await readAfter(calls);
    const { resources } = context;
    const watches = quietWatches.get(resources) ?? 0;
    if (watches >= MAX_WATCHES) return;
    const { length: begin } = context.exchanges;
    while (context.exchanges.length - begin < WATCHED_CALLS) await readAfter(WATCHED_GAP);
    quietWatches.set(resources, watches + 1);
  });
}

let rereading = 0;

/** Sends the reads again, although this process has sent nothing that may have changed what was read before. */
export async function readAgain<T>(read: () => Promise<T>): Promise<T> {
  rereading += 1;
  try {
    return await read();
  } finally {
    rereading -= 1;
  }
}

/** Whether the readings to compare must be requested again each time, without using the cache. */
export const isRereading = (): boolean => rereading > 0;

/** The items that only one of two lists contains. */
export const symmetricDifference = (before: readonly string[], after: readonly string[]): string[] => [
  ...before.filter((one) => !after.includes(one)),
  ...after.filter((one) => !before.includes(one)),
];
