/**
 * A read of Reseller that is refused intermittently. A call may accept GET or POST only, and a session may end. Neither explains why a
 * read that was served before by one method is refused while the other method serves it at the same moment.
 */
import type { Breach } from '../../../contracts/run/events.ts';
import type { Operations } from '../../plain/operations.ts';
import type { ServiceRequest } from '../../target/client/request.ts';
import type { OutgoingRequest, ServiceResponse } from '../../target/client/types.ts';
import type { Lockouts } from '../../target/interfaces/lockouts.ts';
import type { Profile } from '../../target/profile/types.ts';
import { GATEWAY_STATUSES } from '../../target/response/gateway.ts';

/** The status of calls that are refused for the state of what they are about, and what it is about where that has a user of its own. */
const CONFLICT = 409;
const OF_WEBSITE = /^website\/([^/]+)\//;

/** Statuses of rate limits and locks. */
const LIMITS: ReadonlySet<number> = new Set([401, 403, 408, 423, 425, 429]);

interface Knowledge {
  readonly operations: Pick<Operations, 'wasServed' | 'wasServedBy'>;
  readonly lockouts: Pick<Lockouts, 'isSuspected'>;
  readonly profile: Pick<Profile, 'reseller'>;
}

/** The breach; undefined if a limit, a lock, the method, the place of the parameters or the user of a website may explain the refusal. */
export function passingRefusal(
  { operations, lockouts, profile }: Knowledge,
  call: ServiceRequest,
  request: OutgoingRequest,
  refused: ServiceResponse,
): Breach | undefined {
  const { status, exchange } = refused;
  if (status < 400 || LIMITS.has(status) || GATEWAY_STATUSES.has(status)) return undefined;
  if (status === CONFLICT && isOfUser(profile, call)) return undefined;
  if (!operations.wasServed(request) || lockouts.isSuspected(call)) return undefined;
  // A service that reads parameters only from addresses has served a form beside such an address.
  if (!operations.wasServedBy(request.method, request.url)) return undefined;
  return {
    clause: 'reseller.authorize.token-works',
    reason: `${call.path} by ${call.method} was refused with status ${status}, served by the same method before and by the other one at this moment`,
    exchange,
    pointer: 'status',
    expected: 200,
    actual: status,
  };
}

/** Whether a call is about a website that the run does not have to itself: its user may enable or disable it at any moment. */
function isOfUser({ reseller }: Pick<Profile, 'reseller'>, { path }: ServiceRequest): boolean {
  const [, website] = OF_WEBSITE.exec(path) ?? [];
  return website !== undefined && website !== String(reseller?.website);
}
