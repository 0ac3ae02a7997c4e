/**
 * How long a token of Reseller is good is not stated: one that ends in mid-run is not a fault of the call that meets it. The call is
 * sent again with a new token, once, before anybody judges its answer. Only the session that all checks share is renewed: what a
 * check does with a token of its own, or with a wrong one, is what it asks about.
 */

import { type CallValue, type ServiceRequest, withPair } from '../client/request.ts';
import type { ServiceResponse } from '../client/types.ts';
import { isRefused } from '../response/judge-response.ts';
import { Secret } from '../secrets/secret.ts';

const PARAMETER = 'apiToken';
const PLACES = ['query', 'form'] as const;

/** Where a call of Reseller carries its token, and the token. */
function tokenOf(
  call: ServiceRequest,
): { readonly place: (typeof PLACES)[number]; readonly token: string } | undefined {
  if (call.api !== 'api') return undefined;
  const form = call.body !== undefined && 'form' in call.body ? call.body.form : [];
  for (const place of PLACES) {
    const [, value] = (place === 'query' ? call.query : form).find(([name]) => name === PARAMETER) ?? [];
    if (value !== undefined) return { place, token: plainOf(value) };
  }
  return undefined;
}

/** Whether a call carries this token. */
export const carriesToken = (call: ServiceRequest, token: Secret | undefined): boolean =>
  token !== undefined && tokenOf(call)?.token === token.reveal();

const plainOf = (value: CallValue): string => (value instanceof Secret ? value.reveal() : value);

/** Whether a refusal says that the credential is good no longer: 401 as its status, or as the number in its envelope. */
function isUnauthorized(answer: ServiceResponse): boolean {
  if (isRefused(answer) !== 'refused') return false;
  const { errorCode } = (typeof answer.json === 'object' && answer.json !== null ? answer.json : {}) as {
    readonly errorCode?: unknown;
  };
  return answer.status === 401 || Number(errorCode) === 401;
}

export class SessionRenewal {
  /** Tokens that the shared session had before: calls that were made with one go out with the present one. */
  readonly #former = new Set<string>();
  /** Calls that a new token did not help. */
  readonly #refusedAnyway = new Set<string>();

  /** The call with the present token, where it carries a former one. */
  current(call: ServiceRequest, present: Secret | undefined): ServiceRequest {
    const carried = tokenOf(call);
    if (carried === undefined || present === undefined || !this.#former.has(carried.token)) return call;
    return withPair(call, carried.place, PARAMETER, present);
  }

  /** Whether an answer asks for a new login: it refuses the present token of the session with 401, for the first time on this path. */
  isDue(call: ServiceRequest, answer: ServiceResponse, present: Secret | undefined): boolean {
    return carriesToken(call, present) && isUnauthorized(answer) && !this.#refusedAnyway.has(call.path);
  }

  /** Notes that a token has ended. */
  ended(token: Secret): void {
    this.#former.add(token.reveal());
  }

  /** Notes the answer to the repeated call: one that is refused again has other reasons than its token. */
  repeated(call: ServiceRequest, answer: ServiceResponse): void {
    if (isUnauthorized(answer)) this.#refusedAnyway.add(call.path);
  }

  /** From now on nothing is known of former tokens: a check has logged out or in by itself. */
  forget(): void {
    this.#former.clear();
  }
}
