/**
 * Which points were deleted. Whether their ids can be given to new ones is not stated (A. Pickup point), so that a refusal may rest on
 * it and on nothing else in the call.
 */
import type { ServiceRequest } from '../target/client/request.ts';
import { isObject } from '../target/response/judge-response.ts';

const POINT = /^store\/delivery_method\/([^/]+)\/pickup_point\/([^/]+)\/$/;
const NEW_POINTS = /^store\/delivery_method\/([^/]+)\/(pickup_point|pickup_points\/batch_replace)\/$/;

export class DeletedIds {
  /** A handle and an id, as they stand in the path. */
  readonly #deleted = new Set<string>();

  /** Notes a call that was served. */
  note({ method, path }: Pick<ServiceRequest, 'method' | 'path'>): void {
    const [, handles = '', id] = POINT.exec(path) ?? [];
    if (method !== 'DELETE' || id === undefined) return;
    for (const handle of handlesIn(handles)) this.#deleted.add(`${handle} ${id}`);
  }

  /** What a service may dislike of a call: that it brings a point with the id of one that was deleted from the same method. */
  traitsOf({ method, path, body }: Pick<ServiceRequest, 'method' | 'path' | 'body'>): string[] {
    const [, handles, into = ''] = NEW_POINTS.exec(path) ?? [];
    if (method !== 'POST' || handles === undefined || this.#deleted.size === 0) return [];
    const json = body !== undefined && 'json' in body && isObject(body.json) ? body.json : {};
    const points = Array.isArray(json.pickup_points) ? json.pickup_points : [json.pickup_point];
    const ids = points.flatMap((point) => (isObject(point) ? [encodeURIComponent(String(point.id))] : []));
    const areDeleted = handlesIn(handles).some((handle) => ids.some((id) => this.#deleted.has(`${handle} ${id}`)));
    return areDeleted ? [`the id of a deleted point in ${into}`] : [];
  }
}

const handlesIn = (segment: string): string[] => segment.split(/,|%2C/i);
