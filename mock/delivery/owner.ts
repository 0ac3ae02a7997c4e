/** The caller of the delivery interface, and its methods. */
import { param, type ServiceRequest } from '../http/call.ts';
import { refuse, unauthorized } from '../http/refusal.ts';
import type { Owner } from '../rules/delivery.ts';
import type { Method } from '../state/state.ts';
import type { Listing } from '../storage/point-list.ts';
import type { MockService } from '../types/service.ts';

/** The owner whose key the request carries. Refuses a missing or wrong key. */
export function callerOf(service: MockService, call: ServiceRequest): Owner {
  const { rules, state } = service;
  const key = rules.apiKeyOf(call.headers.get('authorization'));
  if (key === null) return unauthorized();
  const website = state.websites.find((row) => rules.deliveryKeyMatches(key, row));
  if (website) return { id: `website:${website.id}`, site: website, provider: null, website };
  const provider = state.providers.find((row) => rules.deliveryKeyMatches(key, row));
  if (provider) return { id: `provider:${provider.id}`, site: provider, provider, website: null };
  return unauthorized();
}

/** The method of a path with one handle. Methods of other owners do not exist for the caller. */
export function readableMethod(service: MockService, owner: Owner, call: ServiceRequest): Method {
  const handle = call.segments.handle!;
  const method = service.state.methods.get(handle);
  if (!method || !service.rules.ownerMayRead(owner, method, call.operation)) return noMethod(handle);
  return method;
}

/** The same for a call that changes the method. */
export function changeableMethod(service: MockService, owner: Owner, call: ServiceRequest): Method {
  const handle = call.segments.handle!;
  const method = service.state.methods.get(handle);
  if (!method || !service.rules.ownerMayChange(owner, method, call.operation)) return noMethod(handle);
  return method;
}

/** The methods of a path that takes several handles: all of them, or a refusal. */
export function changeableMethods(service: MockService, owner: Owner, call: ServiceRequest): readonly Method[] {
  const { rules, state } = service;
  const handles = rules.handlesOf(call.segments.handle!);
  const found = handles.flatMap((handle) => {
    const method = state.methods.get(handle);
    return method && rules.ownerMayChange(owner, method, call.operation) ? [method] : [];
  });
  const missing = handles.find((handle) => !found.some((method) => method.handle === handle));
  if (missing !== undefined && (rules.unknownHandleRefusesAll() || found.length === 0)) return noMethod(missing);
  return rules.appliedTo(found, call.operation);
}

const noMethod = (handle: string): never =>
  refuse('not-found', `There is no delivery method ${JSON.stringify(handle)}.`);

/** One page of a list with the link to the next, in the wrapper `name`. */
export function pageResponse<Item>(
  service: MockService,
  call: ServiceRequest,
  name: string,
  list: Listing<Item>,
  render: (item: Item) => unknown,
): Record<string, unknown> {
  const { rules } = service;
  const asked = param(call.params, 'page_size');
  const size = rules.pageSize(asked);
  const descending = rules.descending(param(call.params, 'desc'));
  const backwards = descending !== rules.newestFirst();
  const page = rules.pageOf(list, param(call.params, rules.positionParameter()), size, backwards);
  const items = page.items.map(render);
  if (page.next === null) return { [name]: items, ...rules.linkField(null) };
  const query = [
    ['page_size', String(size)],
    ...(descending ? ([['desc', '1']] as const) : []),
    [rules.positionParameter(), page.next],
  ] as const;
  return { [name]: items, ...rules.linkField(rules.nextLink(`${service.origin}/v1`, call.path, query)) };
}
