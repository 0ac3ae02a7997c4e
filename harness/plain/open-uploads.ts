/**
 * Which lists are under way while a call starts or continues one. Whether lists of several methods may be uploaded at the same time,
 * and whether an unfinished one may be replaced, is not shown (A. Delivery endpoints, Batch replace rules), so that a refusal may rest
 * on it and on nothing in the call.
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

  /**
   * What a service may dislike of a batch call: that a list of a method which it does not name is under way, or that it starts a list
   * while the last one of its method is not finished.
   */
  traitsOf({ path, body }: Pick<ServiceRequest, 'path' | 'body'>): string[] {
    const own = handlesIn(BATCH, path);
    if (own.length === 0) return [];
    const json = body !== undefined && 'json' in body && isObject(body.json) ? body.json : {};
    const isStart = json.is_initialization !== false;
    return [
      ...([...this.#open].some((handle) => !own.includes(handle)) ? ['a list beside one of another method'] : []),
      ...(isStart && own.some((handle) => this.#open.has(handle)) ? ['a list in place of an unfinished one'] : []),
    ];
  }
}

const handlesIn = (pattern: RegExp, path: string): string[] => pattern.exec(path)?.[1]?.split(/,|%2C/i) ?? [];
