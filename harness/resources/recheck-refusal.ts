/**
 * A refusal may come of what the contract leaves to the service: its session ended, it locks callers out after wrong credentials, or it
 * takes no login while a session is open. Before a refusal is judged, these are looked into, and the call is sent once more where one of
 * them was the reason. A refusal that has another reason stays: it comes again.
 */
import type { Send } from '../check/expect.ts';
import { Inconclusive } from '../check/failures.ts';
import type { ServiceRequest } from '../target/client/request.ts';
import type { ServiceResponse } from '../target/client/types.ts';
import type { Lockouts } from '../target/interfaces/lockouts.ts';
import type { OpenSessions } from '../target/interfaces/open-sessions.ts';
import { carriesToken, type SessionRenewal } from '../target/interfaces/session-renewal.ts';
import { isRefused, isServed } from '../target/response/judge-response.ts';
import type { SharedSession } from './shared-session.ts';

/** What a process knows of its sessions and of locks. */
export interface SessionKnowledge {
  readonly lockouts: Lockouts;
  readonly openSessions: OpenSessions;
  readonly renewal: SessionRenewal;
  readonly session: Pick<SharedSession, 'present' | 'renew'>;
  allArrived(): Promise<void>;
  sleep(ms: number): Promise<void>;
}

/**
 * The response that counts: `first`, unless it refuses a call that is served once its session or a lock is out of the way. Calls that
 * were under way at the same time are rechecked one after the other: one login and one question about the session serve all of them.
 * `refusedAt`: when the last of several refusals came that are rechecked together.
 */
export async function recheckRefusal(
  known: SessionKnowledge,
  call: ServiceRequest,
  first: ServiceResponse,
  send: Send,
  role: string,
  refusedAt = known.renewal.moment(),
): Promise<ServiceResponse> {
  const { lockouts, renewal } = known;
  const { present } = known.session;
  const isOfSession = carriesToken(call, present) || renewal.current(call, present) !== call;
  const isSuspected = lockouts.isSuspected(call) || isPrevented(known, call, first);
  if (!isOfSession && !isSuspected) return first;
  const before = rechecks.get(known) ?? Promise.resolve();
  // One question then serves all that are refused by then.
  const ready = before.then(() => known.allArrived());
  const rechecked = ready.then(() => recheck(known, { call, first, refusedAt }, send, role));
  const done = rechecked.then(
    () => undefined,
    () => undefined,
  );
  rechecks.set(known, done);
  return rechecked;
}

/** When the last recheck of a process has ended. */
const rechecks = new WeakMap<SessionKnowledge, Promise<void>>();

interface RefusedCall {
  readonly call: ServiceRequest;
  readonly first: ServiceResponse;
  /** When the refusal came, as the session counts. */
  readonly refusedAt: number;
}

async function recheck(
  known: SessionKnowledge,
  { call: sent, first, refusedAt }: RefusedCall,
  send: Send,
  role: string,
): Promise<ServiceResponse> {
  const { present } = known.session;
  // A call that was under way beside this one may have met the end of the session, and logged in again.
  const call = known.renewal.current(sent, present);
  const refused = await afterLogout(known, call, call === sent ? first : await send(call, role), send);
  const response = await throughLock(known, call, refused, send, role);
  if (isRefused(response) !== 'refused' || present === undefined || !carriesToken(call, present)) return response;
  const since = call === sent ? refusedAt : known.renewal.moment();
  // What asks whether the token is good has its response.
  if (role !== 'session' && (await known.renewal.isGood(present, send, since))) return response;
  const token = await known.session.renew(async (login, of = 'login') =>
    throughLock(known, login, await afterLogout(known, login, await send(login, of), send), send, of),
  );
  return token === undefined ? response : send(known.renewal.current(call, token), role);
}

/** Whether a login was refused that was served before, while a session is open. */
const isPrevented = (
  { lockouts, openSessions }: SessionKnowledge,
  call: ServiceRequest,
  refusal: ServiceResponse,
): boolean => lockouts.isRightLogin(call) && openSessions.mayPrevent(call, refusal);

/** Sends a login again that an open session may have prevented, when none is open any more. */
const afterLogout = async (
  known: SessionKnowledge,
  call: ServiceRequest,
  first: ServiceResponse,
  send: Send,
): Promise<ServiceResponse> =>
  isRefused(first) === 'refused' && isPrevented(known, call, first)
    ? known.openSessions.logInAfterLogout(call, first, send)
    : first;

/**
 * Sends a call again that a lock may have refused, after its end. Throws `Inconclusive` where the lock does not end in the time that a
 * run waits.
 */
async function throughLock(
  known: SessionKnowledge,
  call: ServiceRequest,
  first: ServiceResponse,
  send: Send,
  role: string,
): Promise<ServiceResponse> {
  const { lockouts } = known;
  if (isRefused(first) !== 'refused' || !lockouts.isSuspected(call)) return first;
  // Once: the lock may be over already, and most refusals have another reason.
  const again = await send(call, role);
  const proof = lockouts.proofFor(call);
  if (isRefused(again) !== 'refused' || proof === undefined) return again;
  const proved = await send(proof, 'session');
  // What shows the end of a lock of logins is a login itself.
  if (isServed(proved)) return proof.path === call.path && proof.method === call.method ? proved : again;
  for (let waits = 0; ; waits += 1) {
    const ms = lockouts.waitMs(waits);
    if (ms === undefined && role === 'cleanup') return again;
    if (ms === undefined) throw new Inconclusive(LOCKED, 'configuration');
    await known.sleep(ms);
    if (isServed(await send(proof, 'session'))) return send(call, role);
  }
}

const LOCKED =
  'after wrong credentials the target refuses credentials that it accepted before: it seems to lock callers out temporarily. Run again when the lock has ended, or have the lock of this account removed';
