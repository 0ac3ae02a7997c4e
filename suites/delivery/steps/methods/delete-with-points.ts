/** Deletes a method that has points. */
import type { Context } from '../../../../harness/check/context.ts';
import type { ServiceResponse } from '../../../../harness/target/client/types.ts';
import { deletePoints } from '../../../../harness/target/delete-points.ts';
import { isServed } from '../../../../harness/target/response/judge-response.ts';

/** Deletes a method. Which conditions a delete has is not stated: where it is refused, the points are deleted first. */
export async function deleteWithPoints({ delivery, send }: Context, handle: string): Promise<ServiceResponse> {
  const response = await send(delivery.deleteMethod(handle), 'delete');
  if (isServed(response)) return response;
  await deletePoints((call) => send(call, 'given'), delivery, handle);
  return send(delivery.deleteMethod(handle), 'delete');
}
