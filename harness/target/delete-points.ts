/** Deletes all pickup points of a method one by one: a target may refuse to delete a method that has any. */

import { isJsonObject } from '../../contracts/json/object.ts';
import { isLastPage } from '../../contracts/lists/pagination.ts';
import type { ServiceRequest } from './client/request.ts';
import type { ServiceResponse } from './client/types.ts';
import type { Delivery } from './interfaces/delivery.ts';
import { isServed } from './response/judge-response.ts';

/**
 * Deletes the points of the first page until it is also the last one, or none of its points can be deleted. The caller's next call
 * shows whether points are left. The first page is read in the service's own size, which no service refuses.
 */
export async function deletePoints(
  send: (call: ServiceRequest) => Promise<ServiceResponse>,
  delivery: Delivery,
  handle: string,
): Promise<void> {
  for (;;) {
    const { json } = await send(delivery.listPoints(handle));
    if (!isJsonObject(json) || !Array.isArray(json.pickup_points)) return;
    let deleted = 0;
    for (const point of json.pickup_points) {
      if (!isJsonObject(point) || typeof point.id !== 'string') continue;
      if (isServed(await send(delivery.deletePoint(handle, point.id)))) deleted += 1;
    }
    if (deleted === 0 || isLastPage(json.next_page_uri)) return;
  }
}
