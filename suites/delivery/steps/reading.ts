/** Reads methods and points as preconditions: if they cannot be read, other checks fail for that. */
import { resourceOf } from '../../../contracts/envelopes/index.ts';
import { isJsonObject } from '../../../contracts/json/object.ts';
import type { Context } from '../../../harness/check/context.ts';
import { summary } from '../../../harness/check/expect.ts';
import { Inconclusive } from '../../../harness/check/failures.ts';
import type { AS_SHOWN } from '../../../harness/check/sending/call-sender.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { Delivery, Json } from '../../../harness/target/interfaces/delivery.ts';
import { follow, type Walk, walk } from '../../../harness/target/list-walk.ts';
import { isRefused, isServed } from '../../../harness/target/response/judge-response.ts';

/** A method by its owner and handle. */
export interface Method {
  readonly delivery: Delivery;
  readonly handle: string;
}

/** Whether a response contains the method with this handle. The form of refusals does not matter here. */
export function showsMethod(response: ServiceResponse, handle: string): boolean {
  return shows(response, 'delivery_method', 'handle', handle);
}

/** Whether a response contains the pickup point with this id. */
export function showsPoint(response: ServiceResponse, id: string): boolean {
  return shows(response, 'pickup_point', 'id', id);
}

function shows(response: ServiceResponse, name: string, key: 'handle' | 'id', value: string): boolean {
  if (isRefused(response) === 'unavailable')
    throw new Inconclusive(
      `the target was not available (${summary(response)}): run again when it responds`,
      'network',
    );
  const resource = isServed(response) ? resourceOf(response.json, name) : undefined;
  return isJsonObject(resource) && resource[key] === value;
}

/** A single method; by the role `AS_SHOWN` without a check's own values in place of those that went out for them. */
export async function readMethod(
  { given, send }: Context,
  { delivery, handle }: Method,
  role: 'read' | typeof AS_SHOWN = 'read',
): Promise<Json> {
  const clause = 'delivery.method.read-by-handle';
  const response = await given.promised(send(delivery.readMethod(handle), role), clause);
  const method = await given.resource(response, 'delivery_method', clause);
  given.holds(method.handle === handle, clause, `reading ${handle} returned another method: ${summary(response)}`, {
    response,
  });
  return method;
}

/** A single pickup point. */
export async function readPoint({ given, send }: Context, { delivery, handle }: Method, id: string): Promise<Json> {
  const clause = 'delivery.point.read-by-id';
  const response = await given.promised(send(delivery.readPoint(handle, id), 'read'), clause);
  const point = await given.resource(response, 'pickup_point', clause);
  given.holds(point.id === id, clause, `reading the point ${id} returned another one: ${summary(response)}`, {
    response,
  });
  return point;
}

/** All methods of an owner, as the list shows them. Other checks may add and delete methods meanwhile. */
export async function listMethods({ send, resources }: Context, delivery: Delivery): Promise<Json[]> {
  const call = delivery.listMethods({ pageSize: LARGE_PAGE_ITEMS });
  const { items } = await walk(send, resources, call, 'delivery_methods');
  return items.filter(isJsonObject);
}

/**
 * The listed methods with one of the handles. If one is missing in a list of several pages, the list is walked again
 * with other page sizes: a method that was missed between pages, or while others changed the list, is not a violation. One page
 * shows the list at one moment. What is missing in the same pages again was not missed so.
 */
export async function listedByHandle(
  context: Context,
  delivery: Delivery,
  handles: readonly string[],
): Promise<Map<string, Json>> {
  const found = new Map<string, Json>();
  const take = (items: readonly unknown[]) => {
    for (const item of items.filter(isJsonObject)) {
      if (typeof item.handle === 'string' && handles.includes(item.handle)) found.set(item.handle, item);
    }
  };
  const walked = (options: { readonly pageSize?: number }) =>
    walk(context.send, context.resources, delivery.listMethods(options), 'delivery_methods');
  const first = await walked({ pageSize: LARGE_PAGE_ITEMS });
  take(first.items);
  for (const options of first.pages.length > 1 ? [{}, { pageSize: OTHER_PAGE_SIZE }] : []) {
    if (found.size === new Set(handles).size) break;
    take((await walked(options)).items);
  }
  const missedIn = ({ items }: Walk): string[] =>
    [...found.keys()].filter((handle) => !items.some((item) => isJsonObject(item) && item.handle === handle));
  const missed = missedIn(first);
  if (missed.length > 0) {
    const again = await walked({ pageSize: LARGE_PAGE_ITEMS });
    const still = missedIn(again).filter((handle) => missed.includes(handle));
    if (still.length > 0) noteMissing(context, still, again);
  }
  return found;
}

/** A list that lacks a method each time that it is read so, and has it in pages of another size, is stale. */
function noteMissing(context: Context, handles: readonly string[], { pages }: Walk): void {
  context.note(context.breaches, [
    {
      clause: 'delivery.method.list-contains-own',
      exchange: pages[0]!.response.exchange,
      reason: 'a list twice lacked a method in pages of one size, and showed it in pages of another',
      pointer: '/delivery_methods',
      expected: handles,
      actual: 'none of them',
    },
  ]);
}

/** Several methods, in their order: at the first try as one list shows them, else each alone. */
export const readEach = async (context: Context, delivery: Delivery, methods: readonly Method[]): Promise<Json[]> =>
  (await readEachBeside(context, delivery, methods, [])).own;

/**
 * The same, and the methods with other handles as the list shows them. Those that it does not contain are left out: they belong to other
 * checks.
 */
export async function readEachBeside(
  context: Context,
  delivery: Delivery,
  methods: readonly Method[],
  others: readonly string[],
): Promise<{ readonly own: Json[]; readonly beside: ReadonlyMap<string, Json> }> {
  const pick = (listed: ReadonlyMap<string, Json>) =>
    new Map([...listed].filter(([handle]) => others.includes(handle)));
  if (context.explains) {
    const own: Json[] = [];
    for (const method of methods) own.push(await readMethod(context, method));
    return { own, beside: others.length === 0 ? new Map() : pick(await listedByHandle(context, delivery, others)) };
  }
  const handles = methods.map(({ handle }) => handle);
  const listed = await listedByHandle(context, delivery, [...handles, ...others]);
  const own = handles.map((handle) =>
    context.given.present(
      listed.get(handle),
      'delivery.method.list-contains-own',
      `the method ${handle} is not in the list of methods`,
    ),
  );
  return { own, beside: pick(listed) };
}

/** Most stores have fewer methods, so that one page shows all of them at one moment. */
const LARGE_PAGE_ITEMS = 100;

/** A size that is not a usual default and does not divide one. */
const OTHER_PAGE_SIZE = 7;

/** All pickup points of a method in its list. Nothing else changes them. */
export async function listPoints({ send, resources, given }: Context, { delivery, handle }: Method): Promise<Json[]> {
  const { items } = await walk(send, resources, delivery.listPoints(handle), 'pickup_points');
  given.holds(items.every(isJsonObject), 'delivery.point.list-contains', 'the list of points contains something else');
  return items as Json[];
}

/** The ids in a list of points, as text, in the order of the list. */
export const idsOf = (points: readonly Json[]): string[] => points.map((point) => String(point.id));

/**
 * The ids in the list of a method. If they are wrong, the list is read again with another page
 * size: ids that are lost or repeated only between pages are a violation of paging, which has checks of its own.
 */
export async function listedIds(
  context: Context,
  method: Method,
  isRight: (ids: readonly string[]) => boolean,
): Promise<string[]> {
  const ids = idsOf(await listPoints(context, method));
  if (isRight(ids)) return ids;
  const call = method.delivery.listPoints(method.handle, { pageSize: OTHER_PAGE_SIZE });
  const again = await follow(context.send, context.resources, call, 'pickup_points').catch(() => undefined);
  const other = again?.end === 'last-page' ? idsOf(again.items.filter(isJsonObject)) : ids;
  return isRight(other) ? other : ids;
}

/** Adds pickup points, one call each. */
export async function addPoints({ send, given }: Context, method: Method, points: readonly Json[]): Promise<void> {
  for (const point of points) {
    await given.accepted(send(method.delivery.addPoint(method.handle, point), 'given'), 'delivery.point.create-stores');
  }
}

/** How often each text occurs. */
export function countOf(texts: readonly string[], text: string): number {
  return texts.filter((one) => one === text).length;
}
