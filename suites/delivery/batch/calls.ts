/** Batch calls (spec: Endpoints, batch replace) with both flags given. The defaults of the flags have checks of their own. */
import { portionsOf } from '../../../contracts/lists/portions.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import type { Delivery, Handles, Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { pointAt, pointValues } from '../steps/values.ts';

/** The target of a batch call: one method or several. */
export interface MethodsOfBatch {
  readonly delivery: Delivery;
  readonly handle: Handles;
}

/** The whole list in one call. `rest`: further parameters, such as `country`. */
export function wholeList(
  { delivery, handle }: MethodsOfBatch,
  points: readonly Json[],
  rest: Json = {},
): ServiceRequest {
  return delivery.batchReplace(handle, {
    pickup_points: points,
    is_initialization: true,
    is_finalization: true,
    ...rest,
  });
}

export type Place = 'first' | 'middle' | 'last';

/** One portion of several. */
export function portion(
  { delivery, handle }: MethodsOfBatch,
  points: readonly Json[],
  place: Place,
  rest: Json = {},
): ServiceRequest {
  return delivery.batchReplace(handle, {
    pickup_points: points,
    is_initialization: place === 'first',
    is_finalization: place === 'last',
    ...rest,
  });
}

/** Points with these ids and different addresses. `rest` overrides their fields. */
export function pointsAt(context: Context, ids: readonly string[], rest: Json = {}): Json[] {
  return ids.map((id) => ({ ...pointAt(context, id), ...rest }));
}

/**
 * Points with these ids, each other one, from the first or the second, with another value in every field and with signs in its texts: a
 * value that comes from a neighbour, or that is escaped, shows at each place of a list.
 */
export function mixedPointsAt(context: Context, ids: readonly string[], from: 'first' | 'second' = 'second'): Json[] {
  if (context.sendsMinimum) return pointsAt(context, ids);
  const others = pointValues(context, 'second');
  return pointsAt(context, ids).map((point, at) => {
    if ((at % 2 === 0) !== (from === 'first')) return point;
    const title = context.given.text(`Station "${ids[at]}" & Café`);
    return {
      ...{ ...point, ...others, title, address: `Street of ${ids[at]} & <7>`, city: 'Rīga & Jūrmala' },
      attributes: { ...(others.attributes as Json), hint: 'Room & <7>' },
    };
  });
}

/** `prefix-001`, `prefix-002` … */
export function idsFrom(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${prefix}-${String(at + 1).padStart(3, '0')}`);
}

/** Makes the points the whole list of a method, as a precondition: in one call, or in portions if there are too many. */
export async function replacePoints(context: Context, methods: MethodsOfBatch, points: readonly Json[]): Promise<void> {
  const portions = portionsOf(points);
  if (portions.length === 1) {
    const call = wholeList(methods, points);
    await context.given.accepted(context.send(call, 'given'), 'delivery.batch.replaces-all');
    return;
  }
  await upload(
    context,
    methods,
    portions.map(({ items }) => items),
  );
}

/** Sends two or more portions as a precondition; the last one publishes the list. */
export async function upload(
  context: Context,
  methods: MethodsOfBatch,
  portions: readonly (readonly Json[])[],
  rest: Json = {},
): Promise<void> {
  for (const [at, points] of portions.entries()) {
    const place = at === 0 ? 'first' : at === portions.length - 1 ? 'last' : 'middle';
    const response = await context.send(portion(methods, points, place, rest), 'given');
    // An open upload may prevent the target from beginning others, so a new list ends it.
    if (at > 0 && !isServed(response)) await context.send(wholeList(methods, portions[0]!.slice(0, 1), rest), 'given');
    await context.given.accepted(response, 'delivery.batch.finalization-publishes');
  }
}
