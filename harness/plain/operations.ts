/** Which operations a target has served in this process: what it refuses of them later, it refuses for the values. */

import { operationAt } from '../../contracts/operations/match.ts';
import type { OutgoingRequest } from '../target/client/types.ts';
import { plain } from '../target/secrets/secret.ts';

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

/** An address that is not an operation of the contract counts as an operation of its own. */
function keyOf({ method, url, headers = [] }: Sent): string {
  const operation = operationAt(method, url)?.id ?? url.replace(/[?#].*$/s, '');
  const caller = headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1];
  return `${method} ${operation} ${caller === undefined ? '' : plain(caller)}`;
}
