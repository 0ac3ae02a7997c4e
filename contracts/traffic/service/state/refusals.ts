/** What a refusal says about the thing that was requested. */
import { ERROR_NAMES } from '../../../envelopes/index.ts';
import { isJsonObject } from '../../../run/fault.ts';
import { responseKind, type ServiceRequest } from '../../call.ts';

/** Refusals for other reasons than that a thing is not there: of the caller, of the moment. */
const OTHER_REASONS = new Set([401, 402, 403, 405, 406, 407, 408, 409, 412, 415, 423, 425, 428, 429, 451]);

/** Whether a call was refused as one for a thing that does not exist. */
export function isMissing(call: ServiceRequest): boolean {
  const { seen, document } = call;
  if (responseKind(call) !== 'refused' || seen.status >= 500) return false;
  const body = seen.responseBody;
  const code = body.kind === 'json' && isJsonObject(body.value) ? body.value[ERROR_NAMES[document].code] : undefined;
  return !OTHER_REASONS.has(seen.status) && !(typeof code === 'number' && (OTHER_REASONS.has(code) || code >= 500));
}

/** Whether it says so by itself, in its status or its code. */
export function isGone(call: ServiceRequest): boolean {
  const body = call.seen.responseBody;
  const code =
    body.kind === 'json' && isJsonObject(body.value) ? body.value[ERROR_NAMES[call.document].code] : undefined;
  return [call.seen.status, code].some((one) => one === 404 || one === 410);
}
