/** Delivery methods that checks have released and that no check uses now (`borrowed.ts`). */
import type { MethodUnderTest } from '../../check/given/index.ts';
import type { Resources } from '../resources.ts';
import { dispensableHandles } from './dispensable.ts';

export interface Borrowed {
  readonly kind: string;
  readonly method: MethodUnderTest;
}

/** Methods that are not in use; the last one released is borrowed first. */
export const idle = new WeakMap<Resources, Borrowed[]>();

/** The handles of the idle methods of an owner. */
export const idleHandles = (resources: Resources, owner: string): string[] =>
  (idle.get(resources) ?? []).flatMap(({ method }) => (method.delivery.owner === owner ? [method.handle] : []));

const deleted = new WeakMap<Resources, Set<string>>();

/** Whether a method was deleted to make room for others. */
export const madeRoom = (resources: Resources, { handle }: Pick<MethodUnderTest, 'handle'>): boolean =>
  deleted.get(resources)?.has(handle) === true;

/**
 * Deletes the methods that no check uses now and those that checks can do without, so that others can be created, except those that
 * are shared under the name `kept`. Returns whether it deleted any. Other methods of the process stay, because later checks use orders
 * with them.
 */
export async function deleteIdle(resources: Resources, kept?: string): Promise<boolean> {
  const idleNow = (idle.get(resources) ?? []).map(({ method }) => method.handle);
  const handles = new Set([...idleNow, ...dispensableHandles(resources, kept)]);
  idle.delete(resources);
  deleted.set(resources, new Set([...handles, ...(deleted.get(resources) ?? [])]));
  return (await resources.kept.deleteMethods(handles)) > 0;
}
