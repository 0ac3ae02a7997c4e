/** Calls that add, change, delete or replace pickup points, under one handle or several. */
import { POINT_KEPT } from '../../../../fields/catalogue/delivery.ts';
import { responseKind, type ServiceRequest } from '../../../call.ts';
import { named } from '../../responses.ts';
import type { Collection } from '../lists/collection.ts';
import type { Cause } from '../lists/item.ts';
import { causeOf, refusalOf } from '../refusals/cause.ts';
import { changedNothing, isGone } from '../refusals/index.ts';
import { isExpected } from '../values/expected.ts';
import { pointOf, wrapped } from './bodies.ts';
import type { DeliveryLists } from './lists.ts';
import { type Points, refusedPoints, replacePoints } from './uploads.ts';

/** A write to the points of each method that its path names. */
export function writePoints(lists: DeliveryLists, call: ServiceRequest, handles: readonly string[]): void {
  const isOneOfSeveral = handles.length > 1;
  // The contract does not say what happens if one of several methods cannot do its part.
  const isOpen = isOneOfSeveral && !handles.every((handle) => canDo(lists, call, handle));
  for (const handle of handles) {
    const points = lists.pointsOf(call, handle);
    const { deletedBy } = points;
    writeUnderOne(call, points, { isOneOfSeveral, isOpen });
    if (!isOneOfSeveral && deletedBy !== undefined) judgeDeletedHandle(lists, call, points, deletedBy);
  }
}

/** A point that a deleted method is given. Whether its list is refused or empty is left open: some services keep what was deleted. */
function judgeDeletedHandle({ pending }: DeliveryLists, call: ServiceRequest, points: Points, deletedBy: Cause): void {
  const { seen, operation } = call;
  const isGiven = operation?.id === 'addPoint' || operation?.id === 'batchReplace';
  if (!isGiven || responseKind(call) !== 'served' || !isExpected(deletedBy.endMs, seen.startMs)) return;
  pending.breaks(call, points.collection, '', 'delivery.point.unknown-method-refused', {
    message: `${named(call)} is served after ${deletedBy.name} (exchange ${deletedBy.n}) deleted the method`,
    pointer: 'status',
    expected: 'a refusal',
    actual: seen.status,
  });
}

/** Whether the method exists, and has the point to change or delete, or not yet the point to add. */
function canDo(lists: DeliveryLists, call: ServiceRequest, handle: string): boolean {
  if (!lists.methodsOf(call).isPresent(handle)) return false;
  const { collection } = lists.pointsOf(call, handle);
  const id = pointOf(call);
  switch (call.operation?.id) {
    case 'addPoint':
      return id !== undefined && !collection.isPresent(id);
    case 'changePoint':
    case 'deletePoint':
      return id !== undefined && collection.isPresent(id);
    default:
      return true;
  }
}

interface Handles {
  /** Whether the path names other methods as well. */
  readonly isOneOfSeveral: boolean;
  /** Whether the contract leaves open what the call does under each of them. */
  readonly isOpen: boolean;
}

function writeUnderOne(call: ServiceRequest, points: Points, handles: Handles): void {
  const { collection } = points;
  const isReplace = call.operation?.id === 'batchReplace';
  const isServed = responseKind(call) === 'served';
  if (isServed) points.deletedBy = undefined;
  if (changedNothing(call)) {
    refuseUnderOne(call, points, handles);
  } else if (!isServed || handles.isOpen) {
    if (isReplace) points.upload = undefined;
    collection.touched(call, isReplace ? undefined : pointOf(call));
  } else if (isReplace) {
    replacePoints(call, points, handles.isOneOfSeveral);
  } else if (points.upload !== undefined) {
    points.upload = undefined;
    collection.touched(call);
  } else {
    writePoint(call, collection, handles.isOneOfSeveral);
  }
}

function refuseUnderOne(call: ServiceRequest, points: Points, { isOneOfSeveral, isOpen }: Handles): void {
  const { collection } = points;
  const id = pointOf(call);
  // Under several handles, another method may be the one without this point.
  const isGoneHere = isGone(call) && !(isOneOfSeveral && isOpen);
  if (call.operation?.id === 'batchReplace') refusedPoints(call, points);
  else if (points.upload !== undefined) collection.touched(call);
  else if (id !== undefined && isGoneHere) collection.touched(call, id);
  else if (id !== undefined) collection.refused(id, wrapped(call, 'pickup_point') ?? {}, refusalOf(call));
  points.upload = undefined;
}

/** A served call that adds, changes or deletes one point. */
function writePoint(call: ServiceRequest, collection: Collection, isOneOfSeveral: boolean): void {
  const { seen, operation } = call;
  const id = pointOf(call);
  if (id === undefined) {
    collection.touched(call);
    return;
  }
  if (operation?.id === 'deletePoint') {
    const item = isOneOfSeveral ? 'delivery.handles.delete-from-each' : 'delivery.point.delete-removes';
    const otherItems = 'delivery.point.delete-leaves-other-points';
    collection.deleted(id, causeOf(call, { item, otherItems }), seen.startMs);
    return;
  }
  const fields = wrapped(call, 'pickup_point');
  if (fields === undefined) {
    collection.touched(call, id);
    return;
  }
  if (operation?.id === 'addPoint') {
    const item = isOneOfSeveral ? 'delivery.handles.add-to-each' : 'delivery.point.create-stores';
    const field = (name: string): string => POINT_KEPT[name as 'title'];
    collection.created(id, fields, causeOf(call, { creates: true, item, field }), seen.startMs);
    return;
  }
  const isRenamed = fields.id !== undefined && fields.id !== id;
  if (isRenamed) {
    collection.touched(call);
    return;
  }
  const clauses = {
    item: 'delivery.point.read-by-id',
    field: () => (isOneOfSeveral ? 'delivery.handles.update-in-each' : 'delivery.point.update-applies'),
    otherFields: 'delivery.point.update-keeps-omitted-fields',
    otherItems: 'delivery.point.update-leaves-other-points',
  };
  collection.updated(id, fields, causeOf(call, clauses), seen.startMs);
}
