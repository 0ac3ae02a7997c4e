/** Delivery methods that checks have handed on and that none uses now (`borrowed.ts`). */
import type { MethodUnderTest } from '../check/given.ts';
import type { Resources } from './resources.ts';

export interface Borrowed {
  readonly kind: string;
  readonly method: MethodUnderTest;
}

/** What is not in use; the last one in is the first one out. */
export const idle = new WeakMap<Resources, Borrowed[]>();

/** Deletes all methods that checks share, so that others can be made. Returns whether there were any. */
export async function deleteShared(resources: Resources): Promise<boolean> {
  idle.delete(resources);
  return (await resources.kept.deleteMethods()) > 0;
}
