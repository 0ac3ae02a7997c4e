/** A property proves several clauses; what it finds is laid to one of them, and the others are left to their own checks. */
import type { Context } from '../../../harness/check/context.ts';
import { AssertionFailure, GivenFailure } from '../../../harness/check/failures.ts';

/** Tries a simpler rule; throws the `GivenFailure` that names it when that is broken. */
export type Simpler = (context: Context) => Promise<void>;

/**
 * Makes an assertion under one clause of the check. When it fails, the simpler rules that it rests on are tried, and the
 * first of them that is broken is blamed instead.
 */
export async function under<T>(
  context: Context,
  clause: string,
  simpler: readonly Simpler[],
  assertion: () => T | Promise<T>,
): Promise<T> {
  try {
    return await assertion();
  } catch (thrown) {
    if (!(thrown instanceof AssertionFailure)) throw thrown;
    const broken = (await firstBroken(context, simpler)) ?? clause;
    throw new AssertionFailure(thrown.message, { ...thrown.evidence, clauses: [broken] });
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

/** The clause of the first rule that is broken. */
export async function firstBroken(context: Context, simpler: readonly Simpler[]): Promise<string | undefined> {
  for (const rule of simpler) {
    try {
      await rule(context);
    } catch (thrown) {
      if (thrown instanceof GivenFailure) return thrown.clause;
      throw thrown;
    }
  }
  return undefined;
}
