/** Calls that create, change or delete delivery methods. */
import { resourceOf } from '../../../../envelopes/index.ts';
import { METHOD_KEPT } from '../../../../fields/catalogue/delivery.ts';
import { isJsonObject } from '../../../../json/object.ts';
import { responseKind, type ServiceRequest } from '../../../call.ts';
import { isRedacted } from '../../../reading/redacted.ts';
import { named } from '../../responses.ts';
import type { Json } from '../lists/item.ts';
import { causeOf, refusalOf } from '../refusals/cause.ts';
import { changedNothing, isGone } from '../refusals/index.ts';
import { isExpected } from '../values/expected.ts';
import { isEqual } from '../values/index.ts';
import { wrapped } from './bodies.ts';
import type { DeliveryLists } from './lists.ts';

/** Notes a create of a method, as far as its handle is known. */
export function addMethod(lists: DeliveryLists, call: ServiceRequest): void {
  if (changedNothing(call)) return;
  const methods = lists.methodsOf(call);
  const handle = handleReturned(call);
  if (handle === undefined) {
    methods.touched(call);
    return;
  }
  const fields = wrapped(call, 'delivery_method');
  const points = lists.pointsOf(call, handle);
  if (methods.isPresent(handle)) {
    judgeSharedHandle(lists, call, handle, fields);
    methods.touched(call, handle);
    points.collection.touched(call);
    return;
  }
  const isReused = methods.isKnown(handle);
  points.deletedBy = undefined;
  const field = (name: string): string => METHOD_KEPT[name as 'title'];
  const cause = causeOf(call, { creates: true, item: 'delivery.method.create-stores', field });
  methods.createdNew(handle, fields ?? {}, cause, call.seen.startMs);
  // The contract does not say whether a reused handle still has its old points.
  if (isReused) points.collection.touched(call);
  else points.collection.begun(call);
}

/** The handle in the response to a served create; undefined if the response does not show it. */
function handleReturned(call: ServiceRequest): string | undefined {
  const body = call.seen.responseBody;
  const created = resourceOf(body.kind === 'json' ? body.value : undefined, 'delivery_method');
  const handle = isJsonObject(created) ? created.handle : undefined;
  const isReadable = typeof handle === 'string' && handle !== '' && !isRedacted(handle);
  return responseKind(call) === 'served' && isReadable ? handle : undefined;
}

/** A new method with the handle of another one. If the same call is sent again, the service may take it for the first one. */
function judgeSharedHandle(lists: DeliveryLists, call: ServiceRequest, handle: string, fields: Json | undefined): void {
  const other = lists.methodsOf(call).madeBy(handle);
  if (other === undefined || fields === undefined || isEqual(other.fields, fields)) return;
  // Methods of two owners may share a handle.
  if (!lists.isOwnerKnown(call)) return;
  if (!isExpected(other.cause.endMs, call.seen.startMs)) return;
  // Later changes of the other method do not make the shared handle right.
  lists.pending.breaks(call, other, '', 'delivery.method.handle-unique', {
    message: `${named(call)} returned the handle of the method that ${other.cause.name} (exchange ${other.cause.n}) had created`,
    pointer: '/delivery_method/handle',
    expected: 'a handle that no other method has',
    actual: handle,
  });
}

/** An update or a delete. */
export function writeMethod(lists: DeliveryLists, call: ServiceRequest, handle: string): void {
  const methods = lists.methodsOf(call);
  const { startMs } = call.seen;
  const isDelete = call.operation?.id === 'deleteMethod';
  if (changedNothing(call)) {
    if (isGone(call)) methods.touched(call, handle);
    else methods.refused(handle, wrapped(call, 'delivery_method') ?? {}, refusalOf(call));
    return;
  }
  const points = lists.pointsOf(call, handle);
  const isServed = responseKind(call) === 'served';
  if (isDelete || !isServed) points.collection.touched(call);
  const fields = isDelete ? {} : wrapped(call, 'delivery_method');
  if (!isServed || fields === undefined) {
    methods.touched(call, handle);
    return;
  }
  if (isDelete) {
    points.deletedBy = causeOf(call, {});
    const otherItems = 'delivery.method.delete-leaves-other-methods';
    methods.deleted(handle, causeOf(call, { item: 'delivery.method.delete-removes', otherItems }), startMs);
    return;
  }
  // An update may create the method again.
  points.deletedBy = undefined;
  const clauses = {
    item: 'delivery.method.read-by-handle',
    field: () => 'delivery.method.update-applies',
    otherFields: 'delivery.method.update-keeps-omitted-fields',
    otherItems: 'delivery.method.update-leaves-other-methods',
  };
  methods.updated(handle, fields, causeOf(call, clauses), startMs);
}
