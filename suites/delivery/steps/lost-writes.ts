/** Writes of points that are sent once more if their responses were lost, for checks that send many. */
import type { Context } from '../../../harness/check/context.ts';
import { againIfLost } from '../../../harness/check/sending/repeatable.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { POINT_FIELDS, readBackFaults } from './fields.ts';
import { type Method, readPoint, showsPoint } from './reading.ts';

/** Sends a call that makes a point, alone or with others. */
export const makePoint = (
  context: Context,
  { delivery, handle }: Method,
  id: string,
  call: ServiceRequest,
  purpose: 'add' | 'replace',
): Promise<ServiceResponse> =>
  againIfLost(
    () => context.send(call, purpose),
    async () => showsPoint(await context.send(delivery.readPoint(handle, id), 'read'), id),
  );

/** Updates a point. `write` changes how the call is written, not what it says. */
export function updatePoint(
  context: Context,
  method: Method,
  id: string,
  fields: Json,
  write: (call: ServiceRequest) => ServiceRequest = (call) => call,
): Promise<ServiceResponse> {
  const call = write(method.delivery.changePoint(method.handle, id, fields));
  const isUpdated = async (): Promise<boolean> => {
    const now = await readPoint(context, method, id);
    return POINT_FIELDS.filter((field) => Object.hasOwn(fields, field)).every(
      (field) => readBackFaults(context, field, fields[field], now[field]).length === 0,
    );
  };
  return againIfLost(() => context.send(call, 'change'), isUpdated);
}
