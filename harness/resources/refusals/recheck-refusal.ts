/**
 * A refusal may have a reason that the contract leaves to the service: the session ended, callers are locked out after wrong
 * credentials, or no login is accepted while a session is open. Before a refusal is judged, these reasons are examined; if one applies,
 * the call is sent once more after it is resolved. A refusal with another reason remains, because it is repeated.
 */
import { type Send, summary } from '../../check/expect.ts';
import { Inconclusive } from '../../check/failures.ts';
import type { ServiceRequest } from '../../target/client/request.ts';
import type { ServiceResponse } from '../../target/client/types.ts';
import type { Lockouts } from '../../target/interfaces/lockouts.ts';
import type { MovedLogin } from '../../target/interfaces/moved-login.ts';
import type { OpenSessions } from '../../target/interfaces/open-sessions.ts';
import { carriesToken, type SessionRenewal } from '../../target/interfaces/session-renewal.ts';
import { isRefused, isServed } from '../../target/response/judge-response.ts';
import type { SharedSession } from '../shared-session.ts';

/** What a process knows of its sessions and of locks. */
export interface SessionKnowledge {
  readonly lockouts: Lockouts;
  readonly movedLogin: MovedLogin;
  readonly openSessions: OpenSessions;
  readonly renewal: SessionRenewal;
  readonly session: Pick<SharedSession, 'present' | 'held' | 'renew'>;
  allArrived(): Promise<void>;
  sleep(ms: number): Promise<void>;
}

/**
 * The response that counts: `first`, unless it refuses a call that is served in a new session or after a lock. Calls that were sent
 * at the same time are rechecked one after the other, so that one login and one verification of the session serve all of them.
 * `refusedAt`: when the last of several refusals that are rechecked together was received.
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
  const isSuspected = lockouts.isSuspected(call) || isPrevented(known, call, first) || mayHaveMoved(known, call);
  if (!isOfSession && !isSuspected) return first;
  const before = rechecks.get(known) ?? Promise.resolve();
  // One verification then serves all calls that are refused by then.
  const ready = before.then(() => known.allArrived());
  const rechecked = ready.then(() => recheck(known, { call, first, refusedAt }, send, role));
  const done = rechecked.then(
    () => undefined,
    () => undefined,
  );
  rechecks.set(known, done);
  return rechecked;
}

/** Settles when the last recheck of a process has ended. */
const rechecks = new WeakMap<SessionKnowledge, Promise<void>>();

interface RefusedCall {
  readonly call: ServiceRequest;
  readonly first: ServiceResponse;
  /** When the refusal was received, in the count of `SessionRenewal.moment`. */
  readonly refusedAt: number;
}

async function recheck(
  known: SessionKnowledge,
  { call: sent, first, refusedAt }: RefusedCall,
  send: Send,
  role: string,
): Promise<ServiceResponse> {
  const { present } = known.session;
  // Another call may have noticed the end of the session meanwhile, and logged in again.
  const call = known.renewal.current(sent, present);
  const refused = await afterLogout(known, call, call === sent ? first : await send(call, role), send);
  const response = await throughLock(known, call, refused, send, role);
  if (isRefused(response) !== 'refused' || present === undefined || !carriesToken(call, present)) return response;
  const since = call === sent ? refusedAt : known.renewal.moment();
  // The read that verifies the token is not verified itself.
  if (role !== 'session' && (await known.renewal.isGood(present, send, since))) return response;
  let refusedLogin: ServiceResponse | undefined;
  const token = await known.session.renew(async (login, of = 'login') => {
    const answer = await throughLock(
      known,
      login,
      await afterLogout(known, login, await send(login, of), send),
      send,
      of,
    );
    // After a change of the password a refusal may say what became of that.
    if (isRefused(answer) === 'refused' && known.lockouts.isRightLogin(login)) refusedLogin = answer;
    return answer;
  });
  if (token !== undefined) return send(known.renewal.current(call, token), role);
  // The call was refused because its session had ended, which says nothing of the operation.
  if (refusedLogin !== undefined) throw new Inconclusive(noLoginLeft(refusedLogin), 'target');
  return response;
}

const noLoginLeft = (refusal: ServiceResponse): string =>
  `the session has ended, and the reseller could not log in again (${summary(refusal)}): let the account log in as often as a run needs`;

/** Whether an open session may be the reason for the refusal of a login that was served before. */
const isPrevented = (
  { lockouts, openSessions }: SessionKnowledge,
  call: ServiceRequest,
  refusal: ServiceResponse,
): boolean => lockouts.isRightLogin(call) && openSessions.mayPrevent(call, refusal);

/** Whether a refused login may be one whose e-mail address is another one since a change of settings. */
const mayHaveMoved = ({ lockouts, movedLogin }: SessionKnowledge, call: ServiceRequest): boolean =>
  movedLogin.isSuspected && lockouts.isRightLogin(call);

/** If an open session may have prevented a login, sends the login again after that session was closed. */
const afterLogout = async (
  known: SessionKnowledge,
  call: ServiceRequest,
  first: ServiceResponse,
  send: Send,
): Promise<ServiceResponse> =>
  isRefused(first) === 'refused' && isPrevented(known, call, first)
    ? known.openSessions.logInAfterLogout(call, first, send, known.session.held, known.lockouts.isSuspected(call))
    : first;

/**
 * If a lock may be the reason for a refusal, sends the call again after the lock. Throws `Inconclusive` if the lock lasts longer than a
 * run waits, and `GivenFailure` if a login is refused because its e-mail address is another one now.
 */
async function throughLock(
  known: SessionKnowledge,
  call: ServiceRequest,
  first: ServiceResponse,
  send: Send,
  role: string,
): Promise<ServiceResponse> {
  const { lockouts, movedLogin } = known;
  if (isRefused(first) === 'refused' && role !== 'cleanup' && mayHaveMoved(known, call))
    await movedLogin.givenInPlace(lockouts.proofFor(call) ?? call, send);
  if (isRefused(first) !== 'refused' || !lockouts.isSuspected(call)) return first;
  // Without waiting: the lock may be over already, and most refusals have another reason.
  const again = await send(call, role);
  const proof = lockouts.proofFor(call);
  if (isRefused(again) !== 'refused' || proof === undefined) return again;
  // A login that is the proof may be refused for a session that is open.
  const proved = await afterLogout(known, proof, await send(proof, 'session'), send);
  // The end of a lock of logins is proved by a login, which may be the call itself.
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
