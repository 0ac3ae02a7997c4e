/** What a check makes besides the methods that its rule is about, where the service takes so many. */
import type { Context } from '../../../../harness/check/context.ts';
import { GivenFailure } from '../../../../harness/check/failures.ts';

/**
 * What `make` returns; undefined if it needs one method more than the owner can have. Only for what shows more of a rule than the
 * methods that the check has already.
 */
export async function unlessFull<T>(
  { resources, sendsMinimum }: Context,
  make: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await make();
  } catch (error) {
    const isRefusal = error instanceof GivenFailure && error.shows === 'refusal';
    // A second method of the fewest and plainest values can be refused only for the number.
    const isForNumber = resources.operations.takesFewMethods || sendsMinimum;
    if (isRefusal && error.clause === CREATE && isForNumber) return undefined;
    throw error;
  }
}

const CREATE = 'delivery.method.create-stores';
