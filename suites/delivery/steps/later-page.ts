/** The second page of a list, for calls with other keys: its link may lead to other code than the first page. */
import type { Context } from '../../../harness/check/context.ts';
import { GivenFailure } from '../../../harness/check/failures.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import type { Delivery, Json } from '../../../harness/target/interfaces/delivery.ts';
import { follow } from '../../../harness/target/list-walk.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { idsFrom, pointsAt, wholeList } from '../batch/calls.ts';

/** Makes the call for the second page with the key of another caller. */
export type LaterPage = (by: Delivery) => ServiceRequest;

/** The second page of the points of a method in pages of one, which its owner has read; undefined if there is none. */
const laterPageOf = (context: Context, owner: Delivery, handle: string): Promise<LaterPage | undefined> =>
  pageOfPoints(context, owner, handle, 1);

const pageOfPoints = (context: Context, owner: Delivery, handle: string, pageSize: number) =>
  secondPage(context, owner, 'pickup_points', (by) => by.listPoints(handle, { pageSize }));

/** A page that services take which refuse small ones. */
const USUAL_PAGE_ITEMS = 10;

/**
 * The same for a method with two of these points; where pages of one are refused, in larger ones, after the method was given as many
 * points like the last of them.
 */
export async function laterPageOfMore(
  context: Context,
  owner: Delivery,
  handle: string,
  points: readonly Json[],
): Promise<LaterPage | undefined> {
  const small = await laterPageOf(context, owner, handle);
  if (small !== undefined) return small;
  const more = pointsAt(context, idsFrom('more', USUAL_PAGE_ITEMS), { address: points.at(-1)?.address });
  const list = wholeList({ delivery: owner, handle }, [...points, ...more]);
  if (!isServed(await context.send(list, 'given'))) return undefined;
  return pageOfPoints(context, owner, handle, USUAL_PAGE_ITEMS);
}

/** The same of the methods of an owner. */
export const laterPageOfMethods = (context: Context, owner: Delivery): Promise<LaterPage | undefined> =>
  secondPage(context, owner, 'delivery_methods', (by) => by.listMethods({ pageSize: 1 }));

async function secondPage(
  context: Context,
  owner: Delivery,
  name: 'pickup_points' | 'delivery_methods',
  firstPage: LaterPage,
): Promise<LaterPage | undefined> {
  const { resources, send } = context;
  const first = firstPage(owner);
  const walked = await follow(send, resources, first, name, 2).catch((thrown: unknown) => {
    // A service may refuse a page of one item.
    if (thrown instanceof GivenFailure) return undefined;
    throw thrown;
  });
  const later = walked?.pages[1];
  if (later === undefined) return undefined;
  const path = later.url.slice(resources.base(first.api).length);
  return (by) => ({ ...firstPage(by), path, query: [] });
}
