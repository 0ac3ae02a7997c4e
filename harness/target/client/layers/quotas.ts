/**
 * A quota of methods that a target answers with 429: an owner has all the methods that it can have, and no pause helps. Such a 429 looks
 * like a wish for fewer requests, so it is taken for the refusal that it is only once a create was served as soon as a method had been
 * deleted. Only creates of methods: for any other call, a 429 that is taken for a refusal would blame a rate limit on the call.
 */
import { operationAt } from '../../../../contracts/operations/match.ts';
import { isRefused } from '../../response/judge-response.ts';
import type { OutgoingRequest, ServiceResponse } from '../types.ts';

const HTTP_TOO_MANY = 429;
const FIRST_FAILURE = 300;

export class Quotas {
  /** Whether a create was given up for its 429, and a method was deleted directly afterwards. */
  #suspicion: 'none' | 'refused' | 'room made' = 'none';
  #isKnown = false;

  /** Whether a response may be the refusal of a quota: a pause of a certain length is a matter of the rate. */
  static mayRefuse(request: OutgoingRequest, response: ServiceResponse): boolean {
    return (
      response.status === HTTP_TOO_MANY &&
      response.header('retry-after') === undefined &&
      isRefused(response) === 'refused' &&
      isCreate(request)
    );
  }

  /** Whether the target is known to refuse creates of methods in this way. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** Notes that a create of a method was given up after such a response. */
  suspect(): void {
    this.#suspicion = 'refused';
  }

  /** Whether a create is worth another try now: a method was deleted after one was refused. */
  hasRoom(request: OutgoingRequest): boolean {
    return this.#suspicion === 'room made' && isCreate(request);
  }

  /** Notes that a request was answered by more than a wish for a pause. */
  answered(request: OutgoingRequest, { status }: { readonly status: number }): void {
    if (this.#suspicion === 'none' || status >= FIRST_FAILURE) return;
    if (operationOf(request) === 'deleteMethod') this.#suspicion = 'room made';
    if (!isCreate(request)) return;
    this.#isKnown ||= this.#suspicion === 'room made';
    this.#suspicion = 'none';
  }
}

const operationOf = ({ method, url }: OutgoingRequest): string | undefined => operationAt(method, url)?.id;
const isCreate = (request: OutgoingRequest): boolean => operationOf(request) === 'addMethod';
