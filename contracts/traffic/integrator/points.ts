/** Pickup points that are added under an id which the method has already, as far as the traffic shows (spec: A. Delivery endpoints). */
import { isJsonObject } from '../../fault.ts';
import { answerKind, type Call, type Scene } from '../call.ts';
import { Memory } from '../memory.ts';
import { isRedacted } from '../reading/redacted.ts';
import { named } from '../service/answers.ts';

const UNIQUE = 'delivery.calls.point-ids-unique';
export const POINT_CLAUSES = [UNIQUE];

/** Methods and ids that are remembered; what is forgotten is taken as not there. */
const METHODS_MOST = 500;
const IDS_OF_ALL_MOST = 400_000;

/** What the traffic has put into a method. */
interface Method {
  readonly ids: Set<string>;
  /** Ids of an upload under way; undefined when there is none, or when not all of it was served. */
  upload: Set<string> | undefined;
}

/** A rule with memory: call it with every call of one base, in their order. */
export function pointRule({ notes }: Scene): (call: Call) => void {
  const methods = new Memory<Method>({
    entries: METHODS_MOST,
    weight: { of: ({ ids, upload }) => ids.size + (upload?.size ?? 0), most: IDS_OF_ALL_MOST },
  });

  return (call) => {
    const { operation, match, seen } = call;
    if (operation === undefined || match === undefined) return;
    const handles = (match.params.handles ?? match.params.handle ?? '').split(',').filter((handle) => handle !== '');
    const body = seen.requestBody.kind === 'json' && isJsonObject(seen.requestBody.value) ? seen.requestBody.value : {};
    const isServed = answerKind(call) === 'served';
    if (operation.id === 'addPickupPoint') added(call, handles, body.pickup_point, isServed);
    else if (operation.id === 'replacePickupPoints') for (const handle of handles) replaced(handle, body, isServed);
    // A call whose outcome is not known may have changed anything.
    else if (operation.id === 'deleteDeliveryMethod') for (const handle of handles) methods.delete(handle);
    else if (operation.id === 'deletePickupPoint') removed(handles, match.params.id ?? '');
    else if (operation.id === 'changePickupPoint') renamed(handles, match.params.id ?? '', body.pickup_point);
  };

  function added(call: Call, handles: readonly string[], point: unknown, isServed: boolean): void {
    const id = isJsonObject(point) ? point.id : undefined;
    if (typeof id !== 'string' || isRedacted(id)) return;
    const { n } = call.seen;
    if (handles.some((handle) => methods.get(handle)?.ids.has(id) === true)) {
      notes.breaks(UNIQUE, n, {
        message: `${named(call)} adds a point under the id ${JSON.stringify(id)}, which the method has already`,
        pointer: '/pickup_point/id',
        expected: 'an id that the method does not have',
        actual: id,
      });
    } else notes.keeps(UNIQUE, n);
    if (!isServed) return;
    for (const handle of handles) {
      const method = methods.get(handle) ?? NOTHING();
      method.ids.add(id);
      methods.set(handle, method);
    }
  }

  /** Points of other countries, and those of a list that was not seen whole, are not known and taken as not there. */
  function replaced(handle: string, body: Readonly<Record<string, unknown>>, isServed: boolean): void {
    const [begins, ends] = [body.is_initialization !== false, body.is_finalization !== false];
    const method = methods.get(handle) ?? NOTHING();
    const points = Array.isArray(body.pickup_points) ? body.pickup_points : [];
    if (begins) method.upload = new Set();
    for (const point of points) {
      const id = isJsonObject(point) ? point.id : undefined;
      if (typeof id === 'string' && !isRedacted(id)) method.upload?.add(id);
    }
    if (!isServed) method.upload = undefined;
    if (ends) methods.set(handle, { ids: method.upload ?? new Set(), upload: undefined });
    else methods.set(handle, method);
  }

  function removed(handles: readonly string[], id: string): void {
    for (const handle of handles) methods.get(handle)?.ids.delete(id);
  }

  function renamed(handles: readonly string[], id: string, point: unknown): void {
    const next = isJsonObject(point) ? point.id : undefined;
    if (next !== undefined && next !== id) removed(handles, id);
  }
}

const NOTHING = (): Method => ({ ids: new Set(), upload: undefined });
