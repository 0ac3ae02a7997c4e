/**
 * Delivery methods that checks reuse one after the other: most checks are about points, which any method can hold. The check that
 * borrows a method replaces its list by one call. A deviation may result from what others left there, so a check that does not pass
 * runs again on methods of its own, and only that run counts (`attempt`).
 */
import type { Context } from '../../check/context.ts';
import type { Given, MethodUnderTest } from '../../check/given/index.ts';
import { canDoWithout } from './dispensable.ts';
import { type Borrowed, idle } from './idle-methods.ts';

const inUse = new WeakMap<Context, Borrowed[]>();

/**
 * A method of a kind (its owner, its fields) whose list may contain anything; a check that may not borrow gets one of its own.
 * Borrow a method only for checks that neither delete it nor change its fields.
 */
export async function borrowMethod(
  context: Context,
  kind: string,
  make: (given: Given) => Promise<MethodUnderTest>,
): Promise<{ readonly method: MethodUnderTest; readonly isNew: boolean }> {
  if (!context.mayShare) return { method: await make(context.given), isNew: true };
  const known = idle.get(context.resources) ?? [];
  const at = known.findLastIndex((one) => one.kind === kind);
  const [found] = at < 0 ? [] : known.splice(at, 1);
  const borrowed = found ?? { kind, method: await make(context.givenForAll) };
  inUse.set(context, [...(inUse.get(context) ?? []), borrowed]);
  context.isBrief = true;
  return { method: borrowed.method, isNew: found === undefined };
}

/** Releases what a check has borrowed after it passed. What is not released is not used again. */
export function releaseBorrowed(context: Context): void {
  const { resources } = context;
  idle.set(resources, [...(idle.get(resources) ?? []), ...(inUse.get(context) ?? []).toReversed()]);
  inUse.delete(context);
}

/** Discards what a check has borrowed if it did not pass: it is not used again, and is deleted if the target accepts no more methods. */
export function discardBorrowed(context: Context): void {
  for (const { method } of inUse.get(context) ?? []) canDoWithout(context.resources, method);
  inUse.delete(context);
}
