/** The responses that a check received last: a failure that names none rests on one of them. */
import { isDeepStrictEqual } from 'node:util';
import type { ServiceResponse } from '../../target/client/types.ts';

/** More reads than that are not compared together. */
const MAX_KEPT = 24;

export class LatestResponses {
  #kept: readonly ServiceResponse[] = [];

  add(response: ServiceResponse): void {
    this.#kept = [...this.#kept.slice(1 - MAX_KEPT), response];
  }

  /**
   * The latest response that contains `actual`, the value that was found in place of the expected one. Where none does, or where nothing
   * was found: the latest read, and the latest of all where nothing was read.
   */
  showing(actual: unknown): ServiceResponse | undefined {
    const found = actual === undefined ? undefined : this.#kept.findLast(({ json }) => contains(json, actual));
    return found ?? this.#kept.findLast(({ request }) => request.method === 'GET') ?? this.#kept.at(-1);
  }
}

function contains(value: unknown, part: unknown): boolean {
  if (isDeepStrictEqual(value, part)) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some((member) => contains(member, part));
}
