/** Which operations a target has served in this process: what it refuses of them later, it refuses for the values. */

import type { OutgoingRequest } from '../target/client/types.ts';
import { plain } from '../target/secrets/secret.ts';

/** Segments of paths that name one thing among many. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/\/delivery_method\/[^/]+\//, '/delivery_method/*/'],
  [/\/pickup_point\/[^/]+\//, '/pickup_point/*/'],
  [/\/get_snippet\/[^/]+\//, '/get_snippet/*/'],
  [/\/website\/[^/]+\//, '/website/*/'],
  [/\/enable_premium\/[^/]+\//, '/enable_premium/*/'],
  [/\/domain\/[^/]+\/remove\//, '/domain/*/remove/'],
];

type Sent = Pick<OutgoingRequest, 'method' | 'url' | 'headers'>;

export class Operations {
  readonly #served = new Set<string>();

  /** Notes that a request was served. */
  served(request: Sent): void {
    this.#served.add(keyOf(request));
  }

  /** Whether a request of the same operation, of the same caller, was served before. */
  wasServed(request: Sent): boolean {
    return this.#served.has(keyOf(request));
  }
}

function keyOf({ method, url, headers = [] }: Sent): string {
  const path = url.replace(/[?#].*$/s, '');
  const operation = NAMES.reduce((text, [segment, name]) => text.replace(segment, name), path);
  const caller = headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1];
  return `${method} ${operation} ${caller === undefined ? '' : plain(caller)}`;
}
