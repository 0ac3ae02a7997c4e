/** Which methods and points a call names. Whatever a sequence of calls may be refused for is known by these. */

import { isJsonObject } from '../../../contracts/json/object.ts';
import type { ServiceRequest } from '../../target/client/request.ts';

/** What a service may dislike of a call because of the calls before it. */
export interface CallHistory {
  /** Notes a call that was served. */
  note(call: ServiceRequest): void;
  /**
   * Each as one text. `served`: whether the call was, so that one like it has to be served again; then only what is beyond doubt counts.
   */
  traitsOf(call: ServiceRequest, served: boolean): string[];
}

/** What a call of Delivery is about; a point id and handles as the path has them. */
export interface CallSubject {
  readonly kind: 'method' | 'point' | 'list' | 'other';
  readonly handles: readonly string[];
  /** The id in the path. */
  readonly id: string | undefined;
  /** The points that it brings, and their ids as a path would have them. */
  readonly points: ReadonlyArray<{ readonly id: string; readonly fields: Record<string, unknown> }>;
  /** The body, if it is a JSON object. */
  readonly json: Record<string, unknown>;
}

const PATH =
  /^store\/delivery_method\/(?<handles>[^/]+)\/(?:(?<point>pickup_point\/(?:(?<id>[^/]+)\/)?)|(?<list>pickup_points\/batch_replace\/))?$/;

/** @example subjectOf(addPoint(['a', 'b'], point)).handles // ['a', 'b'] */
export function subjectOf({ path, body }: Pick<ServiceRequest, 'path' | 'body'>): CallSubject {
  const { handles, point, id, list } = PATH.exec(path)?.groups ?? {};
  const json = body !== undefined && 'json' in body && isJsonObject(body.json) ? body.json : {};
  const kind = handles === undefined ? 'other' : point !== undefined ? 'point' : list !== undefined ? 'list' : 'method';
  const sent = Array.isArray(json.pickup_points) ? json.pickup_points : [json.pickup_point];
  const points = sent.flatMap((fields) =>
    isJsonObject(fields) ? [{ id: id ?? encodeURIComponent(String(fields.id)), fields }] : [],
  );
  return { kind, handles: handles?.split(/,|%2C/i) ?? [], id, points, json };
}
