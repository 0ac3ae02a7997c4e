/** What requests and responses of Delivery hold. */
import { isJsonObject } from '../../../../json/object.ts';
import type { ServiceRequest } from '../../../call.ts';
import { isRedacted } from '../../../reading/redacted.ts';
import type { Json } from '../lists/item.ts';

/** The items on a page of a list. */
export function recordsOf(call: ServiceRequest, name: string): Json[] {
  const body = call.seen.responseBody;
  const list = body.kind === 'json' && isJsonObject(body.value) ? body.value[name] : undefined;
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** The object in a request under its name; undefined when it can't be read. */
export function wrapped({ seen }: ServiceRequest, name: string): Json | undefined {
  const body = seen.requestBody.kind === 'json' ? seen.requestBody.value : undefined;
  const inner = isJsonObject(body) ? body[name] : undefined;
  return isJsonObject(inner) ? inner : undefined;
}

/** The id of the point that a call writes; undefined where it cannot be known. */
export function pointOf(call: ServiceRequest): string | undefined {
  const id = call.operation?.id === 'addPoint' ? wrapped(call, 'pickup_point')?.id : call.match?.params.point;
  return typeof id === 'string' && !isRedacted(id) ? id : undefined;
}

/** The points of a portion by id; undefined when any has none, or two share one. */
export function itemsOf(list: readonly unknown[]): Map<string, Json> | undefined {
  const items = new Map<string, Json>();
  for (const item of list) {
    const id = isJsonObject(item) ? item.id : undefined;
    if (!isJsonObject(item) || typeof id !== 'string' || id === '' || isRedacted(id) || items.has(id)) return undefined;
    items.set(id, item);
  }
  return items;
}
