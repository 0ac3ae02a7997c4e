/**
 * Which lists are under way while a call begins or goes on with one. Whether lists of several methods may be uploaded at the same
 * time is not shown (A. Delivery endpoints, Batch replace rules), so that a refusal may rest on it and on nothing in the call.
 */
import type { ServiceRequest } from '../target/client/request.ts';
import { isObject } from '../target/response/judge-response.ts';

const BATCH = /^store\/delivery_method\/([^/]+)\/pickup_points\/batch_replace\/$/;
const METHOD = /^store\/delivery_method\/([^/]+)\/$/;

export class OpenUploads {
  /** Handles, as they stand in the path. */
  readonly #open = new Set<string>();

  /** Notes a call that was served. */
  note({ method, path, body }: ServiceRequest): void {
    const handles = handlesIn(BATCH, path);
    if (handles.length > 0) {
      const isLast =
        !(body !== undefined && 'json' in body && isObject(body.json)) || body.json.is_finalization !== false;
      for (const handle of handles) this.#open[isLast ? 'delete' : 'add'](handle);
    } else if (method === 'DELETE') {
      for (const handle of handlesIn(METHOD, path)) this.#open.delete(handle);
    }
  }

  /** Whether a batch call is sent while a list of a method that it does not name is under way. */
  areOthersBeside({ path }: Pick<ServiceRequest, 'path'>): boolean {
    const own = new Set(handlesIn(BATCH, path));
    return own.size > 0 && [...this.#open].some((handle) => !own.has(handle));
  }
}

const handlesIn = (pattern: RegExp, path: string): string[] => pattern.exec(path)?.[1]?.split(/,|%2C/i) ?? [];
