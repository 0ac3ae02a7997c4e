/**
 * The handles of the methods that a run makes: which ones a service gives again, and whose delete was served.
 *
 * The contract only says that a handle is unique, so a service may give one to a new method after the one that had it was deleted. While
 * several workers create and delete methods, a worker would then take a method of another one for its own deleted one, so that checks
 * with methods have to run in one worker at a time.
 */

import { isJsonObject } from '../../../contracts/json/object.ts';
import { matchPath } from '../../../contracts/operations/match.ts';
import type { ServiceRequest } from '../../target/client/request.ts';

/** Reads the mark of the run in a method. */
type MarkReader = (method: unknown) => string | undefined;

export class RunHandles {
  readonly #markIn: MarkReader;
  readonly #onFirst: () => void;
  /** The mark with which each handle was seen first. */
  readonly #seen = new Map<string, string>();
  readonly #deleted = new Set<string>();
  #areReused = false;

  /** `onFirst` is called when the first reuse is seen. */
  constructor(markIn: MarkReader, onFirst: () => void) {
    this.#markIn = markIn;
    this.#onFirst = onFirst;
  }

  /** Whether the service has given a handle to a second method. */
  get areReused(): boolean {
    return this.#areReused;
  }

  /** Takes the methods in a list. */
  sawList(json: unknown): void {
    if (!isJsonObject(json) || !Array.isArray(json.delivery_methods)) return;
    for (const method of json.delivery_methods) {
      const handle = isJsonObject(method) ? method.handle : undefined;
      if (typeof handle !== 'string' || this.#seen.has(handle)) continue;
      const mark = this.#markIn(method);
      if (mark !== undefined) this.#seen.set(handle, mark);
    }
  }

  /** Takes a method that was just created. */
  created(handle: string, fields: unknown): void {
    this.#deleted.delete(handle);
    const mark = this.#markIn(fields);
    if (mark === undefined) return;
    const before = this.#seen.get(handle);
    this.#seen.set(handle, mark);
    if (before === undefined || before === mark || this.#areReused) return;
    this.#areReused = true;
    this.#onFirst();
  }

  /** Takes a call that was served. A service may make a deleted method again when it is updated. */
  served({ api, method, path }: ServiceRequest): void {
    if (api !== 'v1' || method === 'GET') return;
    const match = matchPath(api, path);
    const isDelete = match?.operations.get(method)?.id === 'deleteMethod';
    for (const handle of match?.params.handle?.split(',') ?? [])
      if (isDelete) this.#deleted.add(handle);
      else this.#deleted.delete(handle);
  }

  /** Whether a listed method is one whose delete was served, and not another one with its handle. */
  isDeleted(method: Readonly<Record<string, unknown>>): boolean {
    const handle = String(method.handle);
    return this.#deleted.has(handle) && this.#seen.get(handle) === this.#markIn(method);
  }
}
