/**
 * Uploads that a check has begun and not finished, because the target refused a later portion of them, say. A target may take only one
 * upload at a time: one that is left open would keep other checks, and the store itself, from their own.
 */

import { isJsonObject } from '../../../../contracts/json/object.ts';
import { matchPath } from '../../../../contracts/operations/match.ts';
import type { ServiceRequest } from '../../../target/client/request.ts';

const BATCH = '/store/delivery_method/{handle}/pickup_points/batch_replace/';

export class OpenUploads {
  /** By path: the last portion that was served. */
  readonly #open = new Map<string, ServiceRequest>();

  /** Notes a call that was served. */
  served(call: ServiceRequest): void {
    if (call.method === 'DELETE')
      for (const path of this.#open.keys()) if (path.startsWith(call.path)) this.#open.delete(path);
    const body = portionIn(call);
    if (body === undefined) return;
    if (body.is_finalization !== false) this.#open.delete(call.path);
    else if (body.is_initialization !== false || this.#open.has(call.path)) this.#open.set(call.path, call);
  }

  /** The calls that finish them with nothing more, each of them once. */
  finals(): ServiceRequest[] {
    const calls = [...this.#open.values()].map((call) => {
      const { country } = portionIn(call) ?? {};
      const json = {
        pickup_points: [],
        ...(country === undefined ? {} : { country }),
        is_initialization: false,
        is_finalization: true,
      };
      return { ...call, body: { json } };
    });
    this.#open.clear();
    return calls;
  }
}

function portionIn({ api, method, path, body }: ServiceRequest): Readonly<Record<string, unknown>> | undefined {
  if (method !== 'POST' || body === undefined || !('json' in body) || !isJsonObject(body.json)) return undefined;
  return matchPath(api, path)?.template === BATCH ? body.json : undefined;
}
