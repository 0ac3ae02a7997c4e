/**
 * Whether an answer served a call or refused it. Status and envelope have clauses of their own: here a target is only
 * asked what it did, so that one fault does not fail every check.
 */
import { isJsonObject as isObject } from '../../../contracts/run/fault.ts';
import type { ServiceResponse } from '../client/types.ts';

export type Refusal = 'served' | 'refused' | 'unavailable';

/** An error envelope, or something that means to be one (`error: "true"`, `error: 1`). */
function saysError(answer: ServiceResponse): boolean {
  const error = isObject(answer.json) ? answer.json.error : undefined;
  return error === true || error === 'true' || error === 1;
}

/** Served: a 2xx that does not say error. */
export function isServed(answer: ServiceResponse): boolean {
  return answer.status >= 200 && answer.status < 300 && !saysError(answer);
}

/**
 * Refused: 4XX or 5XX, a redirect (to a sign-in page, say) or an error envelope under any status.
 * A gateway's 429, 502, 503 or 504 without an envelope says nothing about the call.
 */
export function isRefused(answer: ServiceResponse): Refusal {
  if (isServed(answer)) return 'served';
  const gateway = [429, 502, 503, 504].includes(answer.status) && !saysError(answer);
  return gateway ? 'unavailable' : 'refused';
}

/** What a service may answer to any call, for reasons outside of it: a session that ended, a rate limit, a pause. */
const REFUSES_ANYTHING: ReadonlySet<number> = new Set([401, 429, 502, 503, 504]);

/** Whether a refusal counts against a target where the contract promises that the call works. */
export const isRefusalOfPromise = (answer: ServiceResponse): boolean =>
  isRefused(answer) === 'refused' && !REFUSES_ANYTHING.has(answer.status);

export { isObject };
