/** Delivery methods that no later check needs: they are deleted first when a service takes no more methods. */
import type { Resources } from '../resources.ts';

interface Handled {
  readonly handle: string;
}

/** By handle; the value is the name under which checks share the method. */
const dispensable = new WeakMap<Resources, Map<string, string | undefined>>();

/** Notes that the checks which share a method create their own if it was deleted; `shares` names what they share, if they do. */
export function canDoWithout(resources: Resources, { handle }: Handled, shares?: string): void {
  dispensable.set(resources, (dispensable.get(resources) ?? new Map()).set(handle, shares));
}

/** Notes that a method was created: a service may give it the handle of a deleted one that checks could do without. */
export function isNeeded(resources: Resources, { handle }: Handled): void {
  dispensable.get(resources)?.delete(handle);
}

/** The handles of such methods, except those that are shared under the name `kept`. */
export const dispensableHandles = (resources: Resources, kept?: string): string[] =>
  [...(dispensable.get(resources) ?? [])]
    .filter(([, shares]) => kept === undefined || shares !== kept)
    .map(([handle]) => handle);
