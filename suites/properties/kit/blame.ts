/** A property proves several clauses; what it finds is laid to one of them, and the others are left to their own checks. */
import { AssertionFailure } from '../../../harness/failures.ts';

/** Makes an assertion under one clause of the check. */
export async function under<T>(clause: string, assertion: () => T | Promise<T>): Promise<T> {
  try {
    return await assertion();
  } catch (thrown) {
    if (!(thrown instanceof AssertionFailure)) throw thrown;
    throw new AssertionFailure(thrown.message, { ...thrown.evidence, clauses: [clause] });
  }
}
