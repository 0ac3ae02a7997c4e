/**
 * Quotas that a target answers with 429: an owner has all the methods that it can have, and no pause helps. Such a 429 looks like a wish
 * for fewer requests, so it is taken for the refusal that it is only once a create was served as soon as something had been deleted.
 */
import { operationAt } from '../../../../contracts/operations/match.ts';
import { isRefused } from '../../response/judge-response.ts';
import type { OutgoingRequest, ServiceResponse } from '../types.ts';

const HTTP_TOO_MANY = 429;
const CREATE = 'POST';
const FIRST_FAILURE = 300;

export class Quotas {
  /** Creates that were given up for their 429, and whether something was deleted directly afterwards. */
  readonly #suspects = new Map<string, 'refused' | 'room made'>();
  readonly #known = new Set<string>();

  /** Whether a response may be the refusal of a quota: a pause of a certain length is a matter of the rate. */
  static mayRefuse({ method }: OutgoingRequest, response: ServiceResponse): boolean {
    return (
      method === CREATE &&
      response.status === HTTP_TOO_MANY &&
      response.header('retry-after') === undefined &&
      isRefused(response) === 'refused'
    );
  }

  /** Notes that a create was given up after such a response. */
  suspect(request: OutgoingRequest): void {
    this.#suspects.set(operationOf(request), 'refused');
  }

  /** Whether the target is known to refuse such a create for a quota. */
  isKnown(request: OutgoingRequest): boolean {
    return this.#known.has(operationOf(request));
  }

  /** Whether it is worth another try now: something was deleted after it was refused. */
  hasRoom(request: OutgoingRequest): boolean {
    return this.#suspects.get(operationOf(request)) === 'room made';
  }

  /** Notes that a request was answered by more than a wish for a pause. */
  answered(request: OutgoingRequest, { status }: { readonly status: number }): void {
    if (this.#suspects.size === 0 || status >= FIRST_FAILURE) return;
    if (request.method === 'DELETE')
      for (const suspect of this.#suspects.keys()) this.#suspects.set(suspect, 'room made');
    const operation = operationOf(request);
    if (this.hasRoom(request)) this.#known.add(operation);
    this.#suspects.delete(operation);
  }
}

const operationOf = ({ method, url }: OutgoingRequest): string =>
  `${method} ${operationAt(method, url)?.id ?? url.replace(/[?#].*/s, '')}`;
