/** The second page of a list of points, for calls with other keys: its link may lead to other code than the first page. */
import type { Context } from '../../../harness/check/context.ts';
import { GivenFailure } from '../../../harness/check/failures.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import type { Delivery } from '../../../harness/target/interfaces/delivery.ts';
import { follow } from '../../../harness/target/list-walk.ts';

/** Makes the call for the second page with the key of another caller. */
export type LaterPage = (by: Delivery) => ServiceRequest;

/** The second page of the points of a method in pages of one, which its owner has read; undefined if there is none. */
export async function laterPageOf(context: Context, owner: Delivery, handle: string): Promise<LaterPage | undefined> {
  const { resources, send } = context;
  const first = owner.listPoints(handle, { pageSize: 1 });
  const walked = await follow(send, resources, first, 'pickup_points', 2).catch((thrown: unknown) => {
    // A service may refuse a page of one item.
    if (thrown instanceof GivenFailure) return undefined;
    throw thrown;
  });
  const later = walked?.pages[1];
  if (later === undefined) return undefined;
  const path = later.url.slice(resources.base(first.api).length);
  return (by) => ({ ...by.listPoints(handle, { pageSize: 1 }), path, query: [] });
}
