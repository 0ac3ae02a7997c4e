/**
 * Whether a response served a call or refused it. Status and envelope have clauses of their own: here a target is only
 * asked what it did, so that one fault does not fail every check.
 */
import { isJsonObject } from '../../../contracts/json/object.ts';
import type { ServiceResponse } from '../client/types.ts';
import { GATEWAY_STATUSES } from './gateway.ts';

export type Refusal = 'served' | 'refused' | 'unavailable';

/** An error envelope, or something that means to be one (`error: "true"`, `error: 1`). */
function saysError(response: ServiceResponse): boolean {
  const error = isJsonObject(response.json) ? response.json.error : undefined;
  return error === true || error === 'true' || error === 1;
}

/** Served: a 2xx that does not say error. */
export function isServed(response: ServiceResponse): boolean {
  return response.status >= 200 && response.status < 300 && !saysError(response);
}

/**
 * Refused: 4XX or 5XX, a redirect (to a sign-in page, say) or an error envelope under any status.
 * A gateway's 429, 502, 503 or 504 without an envelope says nothing about the call.
 */
export function isRefused(response: ServiceResponse): Refusal {
  if (isServed(response)) return 'served';
  const isGateway = response.status === 429 || GATEWAY_STATUSES.has(response.status);
  return isGateway && !saysError(response) ? 'unavailable' : 'refused';
}

/** A failure of the service itself: 5XX without an envelope says nothing about what was sent. */
export const isFailure = (response: ServiceResponse): boolean => response.status >= 500 && !saysError(response);

/** Statuses, and codes of envelopes, of servers that do not have the operation, or not by this method. */
export const NOT_OFFERED: ReadonlySet<unknown> = new Set([404, 405, 501]);

/** Whether a response may mean that the operation is not offered by this method of HTTP. */
export const refusesMethod = ({ status, json }: ServiceResponse): boolean =>
  NOT_OFFERED.has(status) || (isJsonObject(json) && NOT_OFFERED.has(json.errorCode));

/** What a service may answer to any call, for reasons outside of it: a session that ended, a rate limit, a pause. */
const REFUSES_ANYTHING: ReadonlySet<number> = new Set([401, 429, ...GATEWAY_STATUSES]);

/** Whether a refusal counts against a target where the contract promises that the call works. */
export const isRefusalOfPromise = (response: ServiceResponse): boolean =>
  isRefused(response) === 'refused' && !REFUSES_ANYTHING.has(response.status);
