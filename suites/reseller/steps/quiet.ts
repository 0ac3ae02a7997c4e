/** Whether an account changes by itself: its websites belong to users, and other people may work on it during a run. */
import type { Context } from '../../../harness/check/context.ts';
import { Inconclusive } from '../../../harness/check/failures.ts';

/**
 * What changes all the time changes between two of six looks. Calls between them: others may change something back and forth in step
 * with the calls, every third one or every eighth, and equal gaps would show the same each time. These gaps show each such step up
 * to twelve, however many calls a look takes (up to eight).
 */
const CALLS_BETWEEN = [0, 0, 1, 3, 3];

/**
 * Before a difference is blamed on a call: reads a few times more, with no call between. Leaves the check undecided when what is
 * read differs from one time to the next. Costs nothing where nothing differs.
 */
export async function givenQuiet<T>(
  context: Context,
  {
    differences,
    read,
  }: { readonly differences: (before: T, after: T) => readonly unknown[]; readonly read: () => Promise<T> },
  found: readonly unknown[],
): Promise<void> {
  if (found.length === 0) return;
  looking += 1;
  try {
    let before = await read();
    for (const calls of CALLS_BETWEEN) {
      for (let n = 0; n < calls; n += 1) await context.send((await context.reseller()).readBalance(), 'session');
      const after = await read();
      if (differences(before, after).length > 0)
        throw new Inconclusive(
          'the account was changed by others while this check looked at it: run again when nothing else works on it',
          'network',
        );
      before = after;
    }
  } finally {
    looking -= 1;
  }
}

let looking = 0;

/** Whether readings are compared that have to be made anew each time, though nothing was sent between them. */
export const isLookingAgain = (): boolean => looking > 0;

/** What is in one of two lists only. */
export const inOneOnly = (before: readonly string[], after: readonly string[]): string[] => [
  ...before.filter((one) => !after.includes(one)),
  ...after.filter((one) => !before.includes(one)),
];
