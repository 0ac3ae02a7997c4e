/** What must not be seen: methods that were deleted, and the methods and points of another store. */

import { isJsonObject } from '../../../../../contracts/json/object.ts';
import type { ServiceResponse } from '../../../../../harness/target/client/types.ts';
import type { ListOptions } from '../../../../../harness/target/interfaces/delivery.ts';
import { showsMethod, showsPoint } from '../../../../delivery/steps/reading.ts';
import type { MethodState } from '../world.ts';
import type { Reader } from './reader.ts';

/** Asserts that nothing is left of a method that was deleted. */
export async function expectNothingLeft(reader: Reader, method: MethodState): Promise<void> {
  const store = reader.store(method);
  const gone = `method ${method.place}, which was deleted,`;
  const read = await reader.send(store.readMethod(method.handle));
  const isShown = showsMethod(read, method.handle);
  reader.expectRefusal('delivery.method.delete-removes', isShown, `${gone} must not be read`, read);
  const list = await reader.send(store.listPoints(method.handle));
  reader.expectRefusal('delivery.point.unknown-method-refused', listsPoints(list), `${gone} lists points`, list);
}

/**
 * Asserts that the other store sees neither the method nor its points. The points of a delivery provider's method may be read: it is
 * offered in every store.
 */
export async function expectHiddenFromOtherStore(
  reader: Reader,
  method: MethodState,
  options: ListOptions = {},
): Promise<void> {
  const other = reader.stores[method.owner === 'own' ? 'other' : 'own'];
  if (other === undefined) return;
  const { handle, points, place } = method;
  const [id] = points.keys();
  const all = [
    ['method', other.readMethod(handle), (response: ServiceResponse) => showsMethod(response, handle)],
    ['points', other.listPoints(handle, options), (response: ServiceResponse) => listsPoints(response)],
    ...(id === undefined
      ? []
      : [['point', other.readPoint(handle, id), (response: ServiceResponse) => showsPoint(response, id)] as const]),
  ] as const;
  const calls = reader.store(method).owner === 'public' ? all.slice(0, 1) : all;
  for (const [what, call, shows] of calls) {
    const response = await reader.send(call);
    const clause = `delivery.owner.${what === 'method' ? 'methods' : 'points'}-not-readable`;
    const message = `another store must not see the ${what} of method ${place}`;
    reader.expectRefusal(clause, shows(response), message, response);
  }
}

const listsPoints = ({ json }: ServiceResponse): boolean =>
  isJsonObject(json) && Array.isArray(json.pickup_points) && json.pickup_points.length > 0;
