/** Delivery methods that checks have released and that no check uses now (`borrowed.ts`). */
import type { MethodUnderTest } from '../check/given.ts';
import type { Resources } from './resources.ts';

export interface Borrowed {
  readonly kind: string;
  readonly method: MethodUnderTest;
}

/** Methods that are not in use; the last one released is borrowed first. */
export const idle = new WeakMap<Resources, Borrowed[]>();

/** The handles of the idle methods of an owner. */
export const idleHandles = (resources: Resources, owner: string): string[] =>
  (idle.get(resources) ?? []).flatMap(({ method }) => (method.delivery.owner === owner ? [method.handle] : []));

/** By handle; the value is the name under which checks share the method. */
const dispensable = new WeakMap<Resources, Map<string, string | undefined>>();

/** Notes that the checks which share a method create their own if it was deleted; `shares` names what they share, if they do. */
export function canDoWithout(resources: Resources, { handle }: Pick<MethodUnderTest, 'handle'>, shares?: string): void {
  dispensable.set(resources, (dispensable.get(resources) ?? new Map()).set(handle, shares));
}

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
  const others = [...(dispensable.get(resources) ?? [])].filter(([, shares]) => kept === undefined || shares !== kept);
  const handles = new Set([...idleNow, ...others.map(([handle]) => handle)]);
  idle.delete(resources);
  deleted.set(resources, new Set([...handles, ...(deleted.get(resources) ?? [])]));
  return (await resources.kept.deleteMethods(handles)) > 0;
}
