/** A property proves several clauses; what it finds is laid to one of them, and the others are left to their own checks. */
import { AssertionFailure } from '../../../harness/check/failures.ts';

/** Makes an assertion under one clause of the check. */
export async function under<T>(clause: string, assertion: () => Promise<T>): Promise<T> {
  try {
    return await assertion();
  } catch (thrown) {
    if (!(thrown instanceof AssertionFailure)) throw thrown;
    throw new AssertionFailure(thrown.message, { ...thrown.evidence, clauses: [clause] });
  }
}

/**
 * The clauses that a closer look finds broken, for a case that failed already; undefined when it finds none: whatever else
 * comes of a second look, the first one found a fault.
 */
export async function clausesFound(look: () => Promise<void>): Promise<readonly string[] | undefined> {
  try {
    await look();
    return undefined;
  } catch (thrown) {
    return thrown instanceof AssertionFailure ? thrown.evidence.clauses : undefined;
  }
}
