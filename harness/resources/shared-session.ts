/**
 * The one reseller session of a process, which all checks share because a second login may legally end the first token. The contract
 * does not say how long a token is valid, and another user may log in meanwhile.
 */

import { isJsonObject } from '../../contracts/json/object.ts';
import { type Send, summary } from '../check/expect.ts';
import { GivenFailure, Inconclusive } from '../check/failures.ts';
import type { ServiceRequest } from '../target/client/request.ts';
import type { ServiceResponse } from '../target/client/types.ts';
import { authorizeCall } from '../target/interfaces/reseller.ts';
import { carriesToken, type SessionRenewal } from '../target/interfaces/session-renewal.ts';
import type { Profile } from '../target/profile/types.ts';
import { isFailure, isServed } from '../target/response/judge-response.ts';
import type { Secret } from '../target/secrets/secret.ts';

const LOGOUT = 'authorize/logout/';
/** The clause under which a login returns a token. */
const TOKEN = 'reseller.authorize.token';

/** A token that was served this recently counts as valid. A session that ends sooner is renewed in the middle of a check. */
const TOKEN_TRUSTED_MS = 10_000;

/** The part of the process's resources that a session uses. */
export interface SessionOwner {
  readonly profile: Profile;
  readonly renewal: SessionRenewal;
  /** How many requests were sent that may change something. */
  readonly changesSent: number;
  secret(name: string, value: string): Secret;
  /** Milliseconds since 1970. */
  now(): number;
}

export class SharedSession {
  readonly #owner: SessionOwner;
  /** Set while the account has a password of the run that could not be changed back: a sentence that says why. */
  passwordLost: string | undefined;
  #token: Secret | undefined;
  /** The token of the session that was set aside last; a check may have ended it. */
  #former: Secret | undefined;
  /** A token that was logged out here. The read that verifies tokens cannot be used for it, because it may be served without one. */
  #loggedOut: Secret | undefined;
  /** The `send` of the check that received the token last. */
  #tokenGoodFor: Send | undefined;
  /** When the target last served a call with the token, in milliseconds since 1970. */
  #tokenServedAt = Number.NEGATIVE_INFINITY;
  /** `changesSent` when that call went out. */
  #tokenServedAfter = Number.NaN;

  constructor(owner: SessionOwner) {
    this.#owner = owner;
  }

  /** The token of the shared session as it is now, without asking for one. */
  get present(): Secret | undefined {
    return this.#token;
  }

  /** The same, or the token of the session that was set aside: what can still be done where logins are refused. */
  get held(): Secret | undefined {
    return this.#token ?? this.#former;
  }

  /** Logs in again after the shared token ended; undefined where that is refused. */
  async renew(send: Send): Promise<Secret | undefined> {
    const ended = this.#token;
    const { email, password } = this.#owner.profile.reseller ?? {};
    if (ended === undefined || email === undefined || password === undefined) return undefined;
    if (this.passwordLost !== undefined) return undefined;
    const response = await byGetOrPost(send, email, password);
    const token = isServed(response) && isJsonObject(response.json) ? response.json.apiToken : undefined;
    if (typeof token !== 'string' || token === '') return undefined;
    this.#owner.renewal.ended(ended);
    this.#token = this.#owner.secret('API_TOKEN', token);
    return this.#token;
  }

  /**
   * The token of the session; a check that goes on with one that was not served lately asks first whether it still is good.
   * `forget` after a check that logged in or out by itself: then the session goes on if it is still good, because a service may
   * limit logins.
   */
  async token(send: Send): Promise<Secret> {
    const isFresh = this.#owner.now() - this.#tokenServedAt < TOKEN_TRUSTED_MS;
    if (this.#token !== undefined && this.#tokenGoodFor !== send && !isFresh) {
      if (!(await this.#owner.renewal.isGood(this.#token, send))) {
        this.forget();
        this.#former = undefined;
      }
    }
    this.#tokenGoodFor = send;
    if (this.#token !== undefined) return this.#token;
    this.givenPassword();
    const former = this.#former;
    this.#former = undefined;
    if (former !== undefined && this.#isJustProven()) {
      this.#token = former;
      return former;
    }
    if (former !== undefined && (await this.#owner.renewal.isGood(former, send))) {
      this.#token = former;
      this.tokenAnswered(true);
      return former;
    }
    const { email, password } = this.#owner.profile.reseller ?? {};
    if (email === undefined || password === undefined) {
      throw new Inconclusive('the profile has no "reseller.email" and "reseller.password": add them', 'configuration');
    }
    const response = await byGetOrPost(send, email, password);
    const token = isServed(response) && isJsonObject(response.json) ? response.json.apiToken : undefined;
    if (typeof token !== 'string' || token === '') {
      // A login that was served without a token is not the fault of the profile.
      if (isServed(response)) throw new GivenFailure('logging in returned no token', TOKEN, { response });
      if (isFailure(response)) {
        const reason = `the service fails at logins (${summary(response)}): repair it, then run again`;
        throw new Inconclusive(reason, 'target');
      }
      throw new Inconclusive(
        `the reseller could not log in (${summary(response)}): check reseller.email and reseller.password`,
        'configuration',
      );
    }
    return this.take(token);
  }

  /**
   * The same without verifying the token, for a check whose next call only needs to be served: if that call is refused because the session
   * has ended, it is sent again in a new one.
   */
  async tokenUnchecked(send: Send): Promise<Secret> {
    if (this.#token === undefined && this.#former !== undefined) {
      this.givenPassword();
      this.#token = this.#former;
      this.#former = undefined;
      // The next caller of `token` verifies it.
      if (!this.#isJustProven()) this.tokenAnswered(false);
      this.#tokenGoodFor = undefined;
    }
    return this.#token ?? this.token(send);
  }

  /** Uses a session that was just opened. */
  take(token: string): Secret {
    this.#token = this.#owner.secret('API_TOKEN', token);
    this.tokenAnswered(true);
    return this.#token;
  }

  /** Whether the session was valid a moment ago, and this process has sent nothing since that could end it. */
  #isJustProven(): boolean {
    return (
      this.#tokenServedAfter === this.#owner.changesSent && this.#owner.now() - this.#tokenServedAt < TOKEN_TRUSTED_MS
    );
  }

  /** States the precondition that the account has the password of the profile; otherwise a refused login proves nothing. */
  givenPassword(): void {
    if (this.passwordLost === undefined) return;
    throw new Inconclusive(`the reseller's password does not log in: ${this.passwordLost}`, 'configuration');
  }

  /** Sets the session aside: the next check that needs it verifies whether it is still valid. */
  forget(): void {
    if (this.#token !== undefined) this.#former = this.#token === this.#loggedOut ? undefined : this.#token;
    this.#token = undefined;
    this.#owner.renewal.forget();
  }

  /** Notes the response to a call; `changesSent`: the count when the call was sent. */
  answered(call: ServiceRequest, response: ServiceResponse, changesSent?: number): void {
    if (call.path === LOGOUT && isServed(response)) {
      if (carriesToken(call, this.#token)) this.#loggedOut = this.#token;
      if (carriesToken(call, this.#former)) this.#former = undefined;
    }
    if (!carriesToken(call, this.#token)) return;
    if (isServed(response)) this.#owner.renewal.served(call);
    this.tokenAnswered(isServed(response), changesSent);
  }

  /** Notes whether a call with the present token was served: after a refusal the next check verifies the token. */
  tokenAnswered(isServed: boolean, changesSent = this.#owner.changesSent): void {
    this.#tokenServedAt = isServed ? this.#owner.now() : Number.NEGATIVE_INFINITY;
    this.#tokenServedAfter = changesSent;
  }
}

/** Logs in by POST, and by GET if the POST is refused: other checks judge whether both work. */
async function byGetOrPost(send: Send, email: Secret, password: Secret): Promise<ServiceResponse> {
  const byPost = await send(authorizeCall(email, password), 'login');
  if (isServed(byPost)) return byPost;
  const byGet = await send(authorizeCall(email, password, 'GET'), 'login');
  return isServed(byGet) ? byGet : byPost;
}
