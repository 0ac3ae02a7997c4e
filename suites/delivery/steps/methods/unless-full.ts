/** What a check makes besides the methods that its rule is about, where the service takes so many. */
import type { Context } from '../../../../harness/check/context.ts';
import { GivenFailure } from '../../../../harness/check/failures.ts';

/**
 * What `make` returns; undefined if it needs one method more than the owner can have. Only for what shows more of a rule than the
 * methods that the check has already.
 */
export async function unlessFull<T>({ resources }: Context, make: () => Promise<T>): Promise<T | undefined> {
  try {
    return await make();
  } catch (error) {
    const isRefusal = error instanceof GivenFailure && error.shows === 'refusal';
    if (isRefusal && error.clause === CREATE && resources.operations.takesFewMethods) return undefined;
    throw error;
  }
}

const CREATE = 'delivery.method.create-stores';
