// Which methods a caller may touch: the isolation of owners, in one place.
import { json, Refusal, type ServiceResponse } from '../server/http.ts';
import type { Method, Owner, World } from '../state.ts';

/** The caller, and the service. */
export interface DeliveryContext {
  world: World;
  owner: Owner;
}

const unknown = () => new Refusal(404, 1004, 'There is no such delivery method.');

/** A method of the caller; a foreign method is treated like an unknown one. */
export function ownMethod({ world, owner }: DeliveryContext, handle: string): Method {
  const method = world.methods.get(handle);
  if (!method || method.owner !== owner) throw unknown();
  return method;
}

/**
 * The methods that a comma-separated path segment names, and the handles in it that name none of the caller's. Throws a
 * 404 when there is no method among them.
 */
export function methodsNamed(
  { world, owner }: DeliveryContext,
  handles: string,
): { methods: Method[]; skipped: string[] } {
  const methods: Method[] = [];
  const skipped: string[] = [];
  for (const handle of new Set(handles.split(','))) {
    const method = world.methods.get(handle);
    if (method && method.owner === owner) methods.push(method);
    else if (handle !== '') skipped.push(handle);
  }
  if (methods.length === 0) throw unknown();
  return { methods, skipped };
}

/** Success, with the handles that were skipped, if any. */
export function done(skipped: string[]): ServiceResponse {
  return json({ error: false, ...(skipped.length ? { skipped } : {}) });
}
