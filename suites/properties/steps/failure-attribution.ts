/** A property covers several clauses. Its finding is attributed to one of them; the others are left to their own checks. */
import { AssertionFailure } from '../../../harness/check/failures.ts';

/** Makes an assertion under one clause of the check. */
export async function underClause<T>(clause: string, assertion: () => Promise<T>): Promise<T> {
  try {
    return await assertion();
  } catch (thrown) {
    if (!(thrown instanceof AssertionFailure)) throw thrown;
    throw new AssertionFailure(thrown.message, { ...thrown.evidence, clauses: [clause] });
  }
}

/**
 * The clauses that a second inspection of a failed case finds broken; undefined when it finds none. Other outcomes of the
 * second inspection do not matter, because the first one found a violation.
 */
export async function clausesFound(inspect: () => Promise<void>): Promise<readonly string[] | undefined> {
  try {
    await inspect();
    return undefined;
  } catch (thrown) {
    return thrown instanceof AssertionFailure ? thrown.evidence.clauses : undefined;
  }
}
