/** Delivery methods that checks have released and that no check uses now (`borrowed.ts`). */
import type { MethodUnderTest } from '../check/given.ts';
import type { Resources } from './resources.ts';

export interface Borrowed {
  readonly kind: string;
  readonly method: MethodUnderTest;
}

/** Methods that are not in use; the last one released is borrowed first. */
export const idle = new WeakMap<Resources, Borrowed[]>();

const dispensable = new WeakMap<Resources, Set<string>>();

/** Notes that the checks which share a method create their own if it was deleted. */
export function canDoWithout(resources: Resources, { handle }: Pick<MethodUnderTest, 'handle'>): void {
  dispensable.set(resources, (dispensable.get(resources) ?? new Set()).add(handle));
}

const deleted = new WeakMap<Resources, Set<string>>();

/** Whether a method was deleted to make room for others. */
export const madeRoom = (resources: Resources, { handle }: Pick<MethodUnderTest, 'handle'>): boolean =>
  deleted.get(resources)?.has(handle) === true;

/**
 * Deletes the methods that no check uses now and those that checks can do without, so that others can be created. Returns whether it
 * deleted any. Other methods of the process stay, because later checks use orders with them.
 */
export async function deleteIdle(resources: Resources): Promise<boolean> {
  const idleNow = (idle.get(resources) ?? []).map(({ method }) => method.handle);
  const handles = new Set([...idleNow, ...(dispensable.get(resources) ?? [])]);
  idle.delete(resources);
  deleted.set(resources, new Set([...handles, ...(deleted.get(resources) ?? [])]));
  return (await resources.kept.deleteMethods(handles)) > 0;
}
