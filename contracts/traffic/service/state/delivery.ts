/** Delivery methods and their pickup points: what served writes leave behind, and what later reads show of it. */

import { resourceOf } from '../../../envelopes/index.ts';
import { METHOD, METHOD_KEPT, POINT, POINT_KEPT } from '../../../fields/catalogue/delivery.ts';
import type { Fields } from '../../../fields/catalogue/row.ts';
import type { Kind } from '../../../fields/forms.ts';
import { isJsonObject } from '../../../run/fault.ts';
import { type RuleContext, responseKind, type ServiceRequest } from '../../call.ts';
import { Memory } from '../../memory.ts';
import { isRedacted } from '../../reading/redacted.ts';
import { named } from '../responses.ts';
import { causeOf, refusalOf } from './cause.ts';
import { Collection } from './collection.ts';
import { pointOf, recordsOf, wrapped } from './delivery-bodies.ts';
import { isExpected } from './expected.ts';
import type { Json } from './item.ts';
import type { PendingFindings } from './pending.ts';
import { changedNothing, isGone, isMissing } from './refusals.ts';
import { type Points, refusedPoints, replacePoints } from './uploads.ts';
import { isEqual } from './values.ts';

/** A list that was read from its first page to its last. */
export interface FinishedWalk {
  readonly call: ServiceRequest;
  readonly ids: ReadonlySet<string>;
  readonly startMs: number;
  readonly desc: boolean | undefined;
  /** What was asked for: walks that differ in it read one list in two ways. */
  readonly parameters: string;
}

/** Lists that are remembered, and items of all of them. */
const MAX_LISTS = 500;
const MAX_ITEMS_OF_ALL = 10_000;
/** Points of a page that are looked for in other lists. */
const MAX_STRANGE = 20;

const kindsOf = (fields: Fields): Record<string, Kind> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, row]) => (row.kept === undefined ? [] : [[name, row.kind]])),
  );
const METHOD_KINDS = kindsOf(METHOD);
const POINT_KINDS = kindsOf(POINT);

/** A rule with memory: `call` with every call of one base in their order, `walked` with each finished walk. */
export function deliveryState({ facts }: RuleContext, pending: PendingFindings) {
  /** Languages that are known of each owner's website: the service has returned a text in them. */
  const languages = new Memory<Set<string>>({ entries: MAX_LISTS });
  const methodLists = new Memory<Collection>({ entries: MAX_LISTS });
  const pointLists = new Memory<Points>({
    entries: MAX_LISTS,
    weight: { of: ({ collection, upload }) => collection.size + (upload?.ids.size ?? 0), most: MAX_ITEMS_OF_ALL },
  });

  const owners = new Set<string>();
  const methodsOf = (call: ServiceRequest): Collection => {
    const key = ownerOf(call);
    return methodLists.get(key) ?? methodLists.set(key, newCollection(call, 'method', 'handle', METHOD_KINDS));
  };
  const pointsOf = (call: ServiceRequest, handle: string): Points => {
    const key = `${ownerOf(call)}\n${handle}`;
    const known = pointLists.get(key);
    // Set again so that its weight is counted.
    return pointLists.set(
      key,
      known ?? { collection: newCollection(call, 'point', 'id', POINT_KINDS), upload: undefined, deletedBy: undefined },
    );
  };
  function newCollection(
    call: ServiceRequest,
    what: 'method' | 'point',
    key: string,
    fields: Record<string, Kind>,
  ): Collection {
    const owner = ownerOf(call);
    const known = languages.get(owner) ?? languages.set(owner, new Set(facts.languages));
    return new Collection({
      ...{ what, key, fields, agrees: `delivery.${what}.list-agrees-with-read` },
      readOnly: what === 'method' ? { name: 'delivery.method.name-read-only' } : {},
      nullUnlessSet: what === 'method' ? { print_label_url: 'delivery.method.print-label-url-null-otherwise' } : {},
      ...{ pending, languages: known, isAlone: facts.isAlone === true },
    });
  }

  return {
    call(call: ServiceRequest): void {
      const { operation, match } = call;
      if (operation === undefined || match === undefined) return;
      const kind = responseKind(call);
      const handle = match.params.handle ?? '';
      switch (operation.id) {
        case 'listMethods':
          if (kind === 'served') methodsOf(call).page(methodsListed(call), call);
          return;
        case 'readMethod':
          if (isOwn(call, handle)) readItem(methodsOf(call), handle, 'delivery_method', 'handle', call);
          return;
        case 'addMethod':
          touchOthers(call, '');
          addMethod(call);
          return;
        case 'changeMethod':
        case 'deleteMethod':
          touchOthers(call, handle);
          writeMethod(call, handle);
          return;
        case 'listPoints':
          if (kind === 'served') pointsOf(call, handle).collection.page(pointsListed(call, handle), call);
          return;
        case 'readPoint':
          readPoint(call, handle, match.params.point ?? '');
          return;
        case 'addPoint':
        case 'changePoint':
        case 'deletePoint':
        case 'batchReplace':
          for (const one of handle.split(',')) touchOthers(call, one);
          writeUnderAll(call, handle.split(','));
          if (handle.includes(',')) pointsOf(call, handle).collection.touched(call);
      }
    },
    walked({ call, ids, ...walk }: FinishedWalk): void {
      const { operation, match } = call;
      const isOpen = operation?.id === 'listPoints' && pointsOf(call, match?.params.handle ?? '').upload !== undefined;
      if (!isOpen) collectionOf(call)?.walked(ids, call, walk);
    },
    /** Whether nothing was written to the list of a walk since it began. */
    isUnchanged: (call: ServiceRequest, startMs: number): boolean =>
      collectionOf(call)?.isUnchangedSince(startMs) ?? false,
    forget(): void {
      for (const list of methodLists.values()) list.forgetItems();
      for (const list of pointLists.values()) {
        list.collection.forgetItems();
        list.upload = undefined;
      }
    },
  };

  /** Whether a method is one that these calls have written. Others may be changed by their owners at any time. */
  function isOwn(call: ServiceRequest, handle: unknown): boolean {
    return facts.isAlone !== true || (typeof handle === 'string' && methodsOf(call).isKnown(handle));
  }

  function methodsListed(call: ServiceRequest): Json[] {
    return recordsOf(call, 'delivery_methods').filter(({ handle }) => isOwn(call, handle));
  }

  /** A write to the points of each of several methods, or of one. */
  function writeUnderAll(call: ServiceRequest, handles: readonly string[]): void {
    const isOneOfSeveral = handles.length > 1;
    // What becomes of a call of which one of several methods cannot do its part is open.
    const isOpen = isOneOfSeveral && !handles.every((handle) => canDo(call, handle));
    for (const handle of handles) writePoints(call, handle, isOneOfSeveral, isOpen);
  }

  function canDo(call: ServiceRequest, handle: string): boolean {
    if (!methodsOf(call).isPresent(handle)) return false;
    const { collection } = pointsOf(call, handle);
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

  /** A write with another key: to the same list, if both have the same owner. */
  function touchOthers(call: ServiceRequest, handle: string): void {
    const owner = ownerOf(call);
    owners.add(owner);
    if (owners.size === 1 || responseKind(call) === 'refused') return;
    for (const other of owners) if (other !== owner) pointLists.get(`${other}\n${handle}`)?.collection.touched(call);
    for (const other of owners) if (other !== owner) methodLists.get(other)?.touched(call);
  }

  function collectionOf(call: ServiceRequest): Collection | undefined {
    if (call.operation?.id === 'listMethods') return methodsOf(call);
    return call.operation?.id === 'listPoints' ? pointsOf(call, call.match?.params.handle ?? '').collection : undefined;
  }

  /** The points of a page; those of an upload that is not finished are judged, and left out. */
  function pointsListed(call: ServiceRequest, handle: string): Json[] {
    const records = recordsOf(call, 'pickup_points');
    const points = pointsOf(call, handle);
    const { upload, collection } = points;
    judgeOutliving(call, points, handle, records);
    judgeStrange(call, collection, handle, records, 'delivery.point.list-of-one-method');
    if (upload === undefined || call.seen.startMs < upload.endMs) return records;
    const early = records.find(({ id }) => typeof id === 'string' && upload.ids.has(id) && collection.isAbsent(id));
    if (early !== undefined) {
      pending.breaks(call, collection, '', 'delivery.batch.unlisted-until-final-portion', {
        message: `the point ${JSON.stringify(early.id)} is listed before the final portion of its upload`,
        pointer: '/pickup_points',
        expected: 'the list without it',
        actual: early.id,
      });
    }
    // Whether the old list can be read meanwhile is open.
    return [];
  }

  /** Points of a method that was deleted. */
  function judgeOutliving(call: ServiceRequest, points: Points, handle: string, [first]: readonly Json[]): void {
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

  /** A point that a method was not given, and that another one of the same owner has. */
  function judgeStrange(
    call: ServiceRequest,
    collection: Collection,
    handle: string,
    records: readonly Json[],
    clause: string,
  ): void {
    const areAllRecorded = facts.isAlone === true || facts.complete;
    if (!areAllRecorded) return;
    const own = `${ownerOf(call)}\n`;
    for (const { id } of records.slice(0, MAX_STRANGE)) {
      if (typeof id !== 'string' || !collection.isStrange(id, call.seen.startMs)) continue;
      const has = (key: string): boolean => pointLists.get(key)?.collection.isPresent(id) === true;
      const other = pointLists.keys().find((key) => key.startsWith(own) && has(key));
      if (other === undefined) continue;
      pending.breaks(call, collection, id, clause, {
        message: `${named(call)} returns the point ${JSON.stringify(id)} of the method ${JSON.stringify(other.slice(own.length))}, which the method ${JSON.stringify(handle)} was not given`,
        pointer: '',
        expected: 'no point of another method',
        actual: id,
      });
      return;
    }
  }

  function readPoint(call: ServiceRequest, handle: string, id: string): void {
    const { collection, upload } = pointsOf(call, handle);
    if (responseKind(call) === 'served')
      judgeStrange(call, collection, handle, [{ id }], 'delivery.point.unknown-read-refused');
    if (upload === undefined) readItem(collection, id, 'pickup_point', 'id', call);
  }

  function addMethod(call: ServiceRequest): void {
    const methods = methodsOf(call);
    const fields = wrapped(call, 'delivery_method');
    const { seen } = call;
    const kind = responseKind(call);
    if (changedNothing(call)) return;
    const response = seen.responseBody.kind === 'json' ? seen.responseBody.value : undefined;
    const made = resourceOf(response, 'delivery_method');
    const handle = isJsonObject(made) ? made.handle : undefined;
    if (kind !== 'served' || typeof handle !== 'string' || handle === '' || isRedacted(handle)) {
      methods.touched(call);
      return;
    }
    const [isKnown, wasKnown] = [methods.isPresent(handle), methods.isKnown(handle)];
    const cause = causeOf(call, {
      creates: true,
      item: 'delivery.method.create-stores',
      field: (name) => METHOD_KEPT[name as 'title'],
    });
    const points = pointsOf(call, handle);
    const { collection } = points;
    if (isKnown) {
      judgeShared(call, methods, handle, fields);
      methods.touched(call, handle);
      collection.touched(call);
      return;
    }
    points.deletedBy = undefined;
    methods.createdNew(handle, fields ?? {}, cause, seen.startMs);
    // What a handle that is given again brings along is open.
    if (wasKnown) collection.touched(call);
    else collection.begun(call);
  }

  /** A new method with the handle of another one. The same call made again may have been taken for the first one. */
  function judgeShared(call: ServiceRequest, methods: Collection, handle: string, fields: Json | undefined): void {
    const made = methods.madeBy(handle);
    if (made === undefined || fields === undefined || isEqual(made.fields, fields)) return;
    if (!isExpected(made.cause.endMs, call.seen.startMs)) return;
    // What was done to the other method since takes nothing of this back.
    pending.breaks(call, made, '', 'delivery.method.handle-unique', {
      message: `${named(call)} returned the handle of the method that ${made.cause.name} (exchange ${made.cause.n}) had made`,
      pointer: '/delivery_method/handle',
      expected: 'a handle that no other method has',
      actual: handle,
    });
  }

  function writeMethod(call: ServiceRequest, handle: string): void {
    const methods = methodsOf(call);
    const { seen, operation } = call;
    const isDelete = operation?.id === 'deleteMethod';
    const kind = responseKind(call);
    if (changedNothing(call)) {
      if (isGone(call)) methods.touched(call, handle);
      else methods.refused(handle, wrapped(call, 'delivery_method') ?? {}, refusalOf(call));
      return;
    }
    const fields = isDelete ? {} : wrapped(call, 'delivery_method');
    if (isDelete || kind !== 'served') pointsOf(call, handle).collection.touched(call);
    if (kind !== 'served' || fields === undefined) {
      methods.touched(call, handle);
      return;
    }
    // An update may make the method again.
    pointsOf(call, handle).deletedBy = isDelete ? causeOf(call, {}) : undefined;
    if (isDelete) {
      const otherItems = 'delivery.method.delete-leaves-other-methods';
      methods.deleted(handle, causeOf(call, { item: 'delivery.method.delete-removes', otherItems }), seen.startMs);
      return;
    }
    const clauses = {
      item: 'delivery.method.read-by-handle',
      field: () => 'delivery.method.update-applies',
      otherFields: 'delivery.method.update-keeps-omitted-fields',
      otherItems: 'delivery.method.update-leaves-other-methods',
    };
    methods.updated(handle, fields, causeOf(call, clauses), seen.startMs);
  }

  function writePoints(call: ServiceRequest, handle: string, isOneOfSeveral: boolean, isOpen: boolean): void {
    const points = pointsOf(call, handle);
    const { collection } = points;
    const { seen, operation } = call;
    const kind = responseKind(call);
    if (kind === 'served') points.deletedBy = undefined;
    const known = pointOf(call);
    if (changedNothing(call)) {
      // Under several handles, it may be another one that has no such point.
      const isGoneHere = isGone(call) && !(isOneOfSeveral && isOpen);
      if (operation?.id === 'batchReplace') refusedPoints(call, points);
      else if (points.upload !== undefined) collection.touched(call);
      else if (known !== undefined && isGoneHere) collection.touched(call, known);
      else if (known !== undefined) collection.refused(known, wrapped(call, 'pickup_point') ?? {}, refusalOf(call));
      points.upload = undefined;
      return;
    }
    if (kind !== 'served' || isOpen) {
      if (operation?.id === 'batchReplace') points.upload = undefined;
      collection.touched(call, operation?.id === 'batchReplace' ? undefined : known);
      return;
    }
    if (operation?.id === 'batchReplace') {
      replacePoints(call, points, isOneOfSeveral);
      return;
    }
    if (points.upload !== undefined) {
      points.upload = undefined;
      collection.touched(call);
      return;
    }
    if (known === undefined) {
      collection.touched(call);
      return;
    }
    if (operation?.id === 'deletePoint') {
      const item = isOneOfSeveral ? 'delivery.handles.delete-from-each' : 'delivery.point.delete-removes';
      const otherItems = 'delivery.point.delete-leaves-other-points';
      collection.deleted(known, causeOf(call, { item, otherItems }), seen.startMs);
      return;
    }
    const fields = wrapped(call, 'pickup_point');
    if (fields === undefined) {
      collection.touched(call, known);
      return;
    }
    if (operation?.id === 'addPoint') {
      const item = isOneOfSeveral ? 'delivery.handles.add-to-each' : 'delivery.point.create-stores';
      const field = (name: string): string => POINT_KEPT[name as 'title'];
      collection.created(known, fields, causeOf(call, { creates: true, item, field }), seen.startMs);
      return;
    }
    const isRenamed = fields.id !== undefined && fields.id !== known;
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
    collection.updated(known, fields, causeOf(call, clauses), seen.startMs);
  }
}

function readItem(collection: Collection, id: string, name: string, key: string, call: ServiceRequest): void {
  if (isRedacted(id) || id === '') return;
  const body = call.seen.responseBody;
  if (responseKind(call) === 'served') {
    const record = body.kind === 'json' ? resourceOf(body.value, name) : undefined;
    // Another item than the requested one breaks a clause of its own.
    if (isJsonObject(record) && record[key] === id) collection.read(id, record, call);
    // An encoded slash in a path is refused by many servers before the service sees it (clause delivery.point.id-with-slash).
  } else if (isMissing(call) && !id.includes('/')) collection.missed(id, call);
}

/** Whose list it is: another key may belong to another owner. */
const ownerOf = ({ seen }: ServiceRequest): string => seen.header('authorization') ?? '';
