/** Reads of methods and points: which of their items count, and points that a list must not contain. */
import { resourceOf } from '../../../../envelopes/index.ts';
import { isJsonObject } from '../../../../json/object.ts';
import { responseKind, type ServiceRequest } from '../../../call.ts';
import { isRedacted } from '../../../reading/redacted.ts';
import { named } from '../../responses.ts';
import type { Collection } from '../lists/collection.ts';
import type { Json } from '../lists/item.ts';
import { isMissing } from '../refusals/index.ts';
import { isExpected } from '../values/expected.ts';
import { recordsOf } from './bodies.ts';
import type { DeliveryLists } from './lists.ts';
import type { Points } from './uploads.ts';

/** Points of a page that are searched for in other lists. */
const MAX_SEARCHED_POINTS = 20;

/** Compares a page of the list of methods with what calls have written. */
export function readMethods(lists: DeliveryLists, call: ServiceRequest): void {
  const records = recordsOf(call, 'delivery_methods').filter(({ handle }) => lists.isWrittenHereOnly(call, handle));
  lists.methodsOf(call).page(records, call);
}

/** Compares a single method with what calls have written. */
export function readMethod(lists: DeliveryLists, call: ServiceRequest, handle: string): void {
  if (lists.isWrittenHereOnly(call, handle))
    readItem(call, lists.methodsOf(call), { id: handle, name: 'delivery_method', key: 'handle' });
}

/** A page of points. While an upload is open, its points are judged, and the page counts as empty: the old list need not be readable. */
export function readPoints(lists: DeliveryLists, call: ServiceRequest, handle: string): void {
  const records = recordsOf(call, 'pickup_points');
  const points = lists.pointsOf(call, handle);
  const { upload, collection } = points;
  judgeDeletedMethod(lists, call, points, handle, records);
  judgePointsOfOthers(lists, call, handle, records, 'delivery.point.list-of-one-method');
  const isUploadOpen = upload !== undefined && call.seen.startMs >= upload.endMs;
  if (isUploadOpen) judgeEarly(lists, call, points, records);
  collection.page(isUploadOpen ? [] : records, call);
}

/** Compares a single point with what calls have written. */
export function readPoint(lists: DeliveryLists, call: ServiceRequest, handle: string, id: string): void {
  const { collection, upload } = lists.pointsOf(call, handle);
  if (responseKind(call) === 'served')
    judgePointsOfOthers(lists, call, handle, [{ id }], 'delivery.point.unknown-read-refused');
  if (upload === undefined) readItem(call, collection, { id, name: 'pickup_point', key: 'id' });
}

/** A point that is listed before its upload is finished. */
function judgeEarly({ pending }: DeliveryLists, call: ServiceRequest, points: Points, records: readonly Json[]): void {
  const { upload, collection } = points;
  const early = records.find(({ id }) => typeof id === 'string' && upload?.ids.has(id) && collection.isAbsent(id));
  if (early === undefined) return;
  pending.breaks(call, collection, '', 'delivery.batch.unlisted-until-final-portion', {
    message: `the point ${JSON.stringify(early.id)} is listed before the final portion of its upload`,
    pointer: '/pickup_points',
    expected: 'the list without it',
    actual: early.id,
  });
}

/** Points of a method that was deleted. */
function judgeDeletedMethod(
  { pending }: DeliveryLists,
  call: ServiceRequest,
  points: Points,
  handle: string,
  [first]: readonly Json[],
): void {
  const { deletedBy } = points;
  if (deletedBy === undefined || first === undefined || !isExpected(deletedBy.endMs, call.seen.startMs)) return;
  points.deletedBy = undefined;
  pending.breaks(call, points.collection, '', 'delivery.method.delete-removes', {
    message: `the points of the method ${JSON.stringify(handle)} are listed after ${deletedBy.name} (exchange ${deletedBy.n}) deleted it`,
    pointer: '/pickup_points',
    expected: 'no point of a deleted method',
    actual: first.id,
  });
}

/** A point that the method was never given, and that another method of the same owner has. */
function judgePointsOfOthers(
  lists: DeliveryLists,
  call: ServiceRequest,
  handle: string,
  records: readonly Json[],
  clause: string,
): void {
  const { collection } = lists.pointsOf(call, handle);
  for (const { id } of records.slice(0, MAX_SEARCHED_POINTS)) {
    if (typeof id !== 'string' || !collection.isStrange(id, call.seen.startMs)) continue;
    const other = lists.otherMethodWith(call, id);
    if (other === undefined) continue;
    lists.pending.breaks(call, collection, id, clause, {
      message: `${named(call)} returns the point ${JSON.stringify(id)} of the method ${JSON.stringify(other)}, which the method ${JSON.stringify(handle)} was not given`,
      pointer: '',
      expected: 'no point of another method',
      actual: id,
    });
    return;
  }
}

interface RequestedItem {
  readonly id: string;
  /** The name under which a response may wrap it. */
  readonly name: string;
  /** Its field with the id. */
  readonly key: string;
}

function readItem(call: ServiceRequest, collection: Collection, { id, name, key }: RequestedItem): void {
  if (isRedacted(id) || id === '') return;
  const body = call.seen.responseBody;
  if (responseKind(call) === 'served') {
    const record = body.kind === 'json' ? resourceOf(body.value, name) : undefined;
    // Another item than the requested one breaks a clause of its own.
    if (isJsonObject(record) && record[key] === id) collection.read(id, record, call);
    // Many servers refuse an encoded slash in a path before the service sees it (clause delivery.point.id-with-slash).
  } else if (isMissing(call) && !id.includes('/')) collection.missed(id, call);
}
