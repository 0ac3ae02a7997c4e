/** Lists of points that a batch call replaces, at once or in portions. */
import { isJsonObject } from '../../../../json/object.ts';
import type { ServiceRequest } from '../../../call.ts';
import { isRedacted } from '../../../reading/redacted.ts';
import type { Collection } from '../lists/collection.ts';
import type { Cause, Json } from '../lists/item.ts';
import { causeOf, refusalOf } from '../refusals/cause.ts';
import { itemsOf } from './bodies.ts';

/** Uploads in portions that are under way. */
export interface Upload {
  ids: Map<string, Json>;
  readonly country: unknown;
  /** Ends of its calls. */
  endMs: number;
}

/** The points of a method. */
export interface Points {
  readonly collection: Collection;
  upload: Upload | undefined;
  /** The call that deleted the method. */
  deletedBy: Cause | undefined;
}

/** Points of one upload. */
const MAX_UPLOADED = 2_000;

/** A served call that replaces the points of a method, or a portion of one; `isOneOfSeveral`: it names other methods as well. */
export function replacePoints(call: ServiceRequest, points: Points, isOneOfSeveral: boolean): void {
  const { seen } = call;
  const { collection } = points;
  const { body, list, flags } = bodyOf(call);
  const items = list && itemsOf(list);
  const areFlags = flags.every((flag) => flag === undefined || typeof flag === 'boolean');
  if (body === undefined || items === undefined || !areFlags || items.size > 100) {
    points.upload = undefined;
    collection.touched(call);
    return;
  }
  const [initializes, finalizes] = flags.map((flag) => flag !== false);
  const upload = initializes ? { ids: new Map<string, Json>(), country: body.country, endMs: 0 } : points.upload;
  const isApart = upload !== undefined && seen.startMs >= upload.endMs && upload.country === body.country;
  if (!isApart || upload.ids.size + items.size > MAX_UPLOADED || [...items.keys()].some((id) => upload.ids.has(id))) {
    points.upload = undefined;
    collection.touched(call);
    return;
  }
  if (upload.ids.size === 0) upload.ids = items;
  else for (const [id, item] of items) upload.ids.set(id, item);
  upload.endMs = seen.endMs;
  points.upload = finalizes ? undefined : upload;
  if (!finalizes) {
    collection.suspended(call);
    return;
  }
  const { country } = upload;
  const isForCountry = country !== undefined && country !== null && country !== '';
  const isOfCountry = ({ country: own }: Json): boolean =>
    typeof own === 'string' && String(country).toLowerCase() === own.toLowerCase();
  // The contract does not say what happens to points of another country than that of the call.
  if (isForCountry && (typeof country !== 'string' || ![...upload.ids.values()].every(isOfCountry))) {
    collection.touched(call);
    return;
  }
  const wholeClause = isOneOfSeveral
    ? 'delivery.batch.several-handles'
    : isForCountry
      ? 'delivery.batch.country-replaces'
      : initializes
        ? upload.ids.size === 0
          ? 'delivery.batch.empty-list'
          : 'delivery.batch.replaces-all'
        : 'delivery.batch.finalization-publishes';
  const cause = causeOf(call, {
    creates: true,
    item: wholeClause,
    only: wholeClause,
    field: () => 'delivery.batch.fields-kept',
    ...(isForCountry ? { otherItems: 'delivery.batch.country-keeps-others' } : {}),
  });
  collection.replaced(upload.ids, cause, seen.startMs, isForCountry ? country : undefined);
}

interface Body {
  /** Undefined when it can't be read. */
  readonly body: Json | undefined;
  readonly list: readonly unknown[] | undefined;
  readonly flags: readonly unknown[];
}

function bodyOf({ seen }: ServiceRequest): Body {
  const value = seen.requestBody.kind === 'json' ? seen.requestBody.value : undefined;
  const body = isJsonObject(value) ? value : undefined;
  const list = body?.pickup_points;
  return {
    body,
    list: Array.isArray(list) ? list : undefined,
    flags: body === undefined ? [] : [body.is_initialization, body.is_finalization],
  };
}

/** A refused call: afterwards the list contains nothing of it. The contract does not say what happens to an upload whose portion is refused. */
export function refusedPoints(call: ServiceRequest, points: Points): void {
  const { body, list = [], flags } = bodyOf(call);
  if (body === undefined || flags.includes(false) || points.upload !== undefined) {
    points.collection.touched(call);
    return;
  }
  const ids = list.flatMap((item) => (isJsonObject(item) ? [item.id] : []));
  const texts = ids.filter((id) => typeof id === 'string' && id !== '' && !isRedacted(id)) as string[];
  points.collection.refusedWhole(texts, refusalOf(call), call.seen.startMs);
}
