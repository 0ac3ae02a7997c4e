/**
 * Delivery methods that checks hand on to each other: most checks are about points, and any method holds these. The check that
 * borrows one makes its list what it needs, by one call. Whatever is wrong may come of what others left there, so that a check
 * which does not pass runs again on methods of its own, and only that counts (`attempt`).
 */
import type { Context } from '../check/context.ts';
import type { Given, MethodUnderTest } from '../check/given.ts';
import { type Borrowed, canDoWithout, idle } from './idle-methods.ts';

const inUse = new WeakMap<Context, Borrowed[]>();

/**
 * A method of a kind (its owner, its fields) whose list may hold anything; a check that may not borrow gets one of its own.
 * Borrow only what the check leaves there, with the fields that it has.
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

/** Hands on what a check has borrowed, once it has passed. Without that it is not used again. */
export function releaseBorrowed(context: Context): void {
  const { resources } = context;
  idle.set(resources, [...(idle.get(resources) ?? []), ...(inUse.get(context) ?? []).toReversed()]);
  inUse.delete(context);
}

/** Gives up what a check has borrowed that did not pass: it is not used again, and is deleted where another method needs the room. */
export function discardBorrowed(context: Context): void {
  for (const { method } of inUse.get(context) ?? []) canDoWithout(context.resources, method);
  inUse.delete(context);
}
