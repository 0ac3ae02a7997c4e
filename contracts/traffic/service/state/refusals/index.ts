/** What a refusal says about the thing that was requested. */
import { ERROR_NAMES } from '../../../../envelopes/index.ts';
import { isJsonObject } from '../../../../json/object.ts';
import { responseKind, type ServiceRequest } from '../../../call.ts';

/** The clause of Reseller that a refused call breaks if it changes something. */
export const REFUSED_CHANGES_NOTHING = 'envelope.reseller.refusal-changes-nothing';

/** Refusals for other reasons than that a thing is not there: of the caller, of the moment. */
const OTHER_REASONS = new Set([401, 402, 403, 405, 406, 407, 408, 409, 412, 415, 423, 425, 428, 429, 451]);

/** Whether a call was refused for what it is, so that it has changed nothing. After a 5XX that is not known. */
export const changedNothing = (call: ServiceRequest): boolean =>
  responseKind(call) === 'refused' && call.seen.status < 500;

/** Whether a call was refused as one for a thing that does not exist. */
export function isMissing(call: ServiceRequest): boolean {
  if (!changedNothing(call)) return false;
  const code = codeOf(call);
  return (
    !OTHER_REASONS.has(call.seen.status) && !(typeof code === 'number' && (OTHER_REASONS.has(code) || code >= 500))
  );
}

/** Whether a call was refused for its credentials. */
export const isUnauthorized = (call: ServiceRequest): boolean =>
  responseKind(call) === 'refused' && (call.seen.status === 401 || codeOf(call) === 401);

/** Whether it says so by itself, in its status or its code. */
export const isGone = (call: ServiceRequest): boolean =>
  [call.seen.status, codeOf(call)].some((one) => one === 404 || one === 410);

function codeOf({ seen, document }: ServiceRequest): unknown {
  const body = seen.responseBody;
  return body.kind === 'json' && isJsonObject(body.value) ? body.value[ERROR_NAMES[document].code] : undefined;
}
