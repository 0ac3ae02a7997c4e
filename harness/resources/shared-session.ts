/**
 * The one reseller session of a process: a second login may legally end the first token, so that every check shares it. How long a
 * token is good is the target's own affair, and another user may log in meanwhile.
 */
import { type Send, summary } from '../check/expect.ts';
import { GivenFailure, Inconclusive } from '../check/failures.ts';
import type { ServiceRequest } from '../target/client/request.ts';
import type { ServiceResponse } from '../target/client/types.ts';
import { authorizeCall } from '../target/interfaces/reseller.ts';
import { carriesToken, type SessionRenewal } from '../target/interfaces/session-renewal.ts';
import type { Profile } from '../target/profile/types.ts';
import { isObject, isServed } from '../target/response/judge-response.ts';
import type { Secret } from '../target/secrets/secret.ts';

const LOGOUT = 'authorize/logout/';
/** The clause under which a login returns a token. */
const TOKEN = 'reseller.authorize.token';

/** A token that was served this recently is taken for good; sessions that end sooner are renewed in mid-check. */
const TOKEN_TRUSTED_MS = 10_000;

/** What a session needs of the resources of its process. */
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
  /** Set while the account has another password than the profile: one of the run, which the target does not let go. */
  passwordLost: string | undefined;
  #token: Secret | undefined;
  /** The token of the session that was set aside last; a check may have ended it. */
  #former: Secret | undefined;
  /** A token that was logged out here. What shows whether a token is good may be served without one. */
  #loggedOut: Secret | undefined;
  /** The way to send of the check that was last given the token. */
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

  /** Logs in again after the shared token ended; undefined where that is refused, so that the first response counts. */
  async renew(send: Send): Promise<Secret | undefined> {
    const ended = this.#token;
    const { email, password } = this.#owner.profile.reseller ?? {};
    if (ended === undefined || email === undefined || password === undefined) return undefined;
    if (this.passwordLost !== undefined) return undefined;
    const response = await byGetOrPost(send, email, password);
    const token = isServed(response) && isObject(response.json) ? response.json.apiToken : undefined;
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
    const token = isServed(response) && isObject(response.json) ? response.json.apiToken : undefined;
    if (typeof token !== 'string' || token === '') {
      // Right credentials that were served without a token say nothing against the profile.
      if (isServed(response)) throw new GivenFailure('logging in returned no token', TOKEN, { response });
      throw new Inconclusive(
        `the reseller could not log in (${summary(response)}): check reseller.email and reseller.password`,
        'configuration',
      );
    }
    return this.take(token);
  }

  /**
   * The same for a check whose next call only needs to be served: that call shows whether the session is still good, and goes out again
   * in a new one where it is not.
   */
  async tokenUnchecked(send: Send): Promise<Secret> {
    if (this.#token === undefined && this.#former !== undefined) {
      this.givenPassword();
      this.#token = this.#former;
      this.#former = undefined;
      // `token` asks before it hands it on.
      if (!this.#isJustProven()) this.tokenAnswered(false);
      this.#tokenGoodFor = undefined;
    }
    return this.#token ?? this.token(send);
  }

  /** Goes on with a session that was opened this moment. */
  take(token: string): Secret {
    this.#token = this.#owner.secret('API_TOKEN', token);
    this.tokenAnswered(true);
    return this.#token;
  }

  /** Whether the session was in order a moment ago, and this process has sent nothing since that could end one. */
  #isJustProven(): boolean {
    return (
      this.#tokenServedAfter === this.#owner.changesSent && this.#owner.now() - this.#tokenServedAt < TOKEN_TRUSTED_MS
    );
  }

  /** States that the account has the password of the profile: else a refused login says nothing about the target. */
  givenPassword(): void {
    if (this.passwordLost === undefined) return;
    throw new Inconclusive(`the reseller's password does not log in: ${this.passwordLost}`, 'configuration');
  }

  /** Sets the session aside: the next check that asks for it finds out whether it is still good. */
  forget(): void {
    if (this.#token !== undefined) this.#former = this.#token === this.#loggedOut ? undefined : this.#token;
    this.#token = undefined;
    this.#owner.renewal.forget();
  }

  /** Notes how a call was answered; `changesSent` when the call had gone out. */
  answered(call: ServiceRequest, response: ServiceResponse, changesSent?: number): void {
    if (call.path === LOGOUT && isServed(response)) {
      if (carriesToken(call, this.#token)) this.#loggedOut = this.#token;
      if (carriesToken(call, this.#former)) this.#former = undefined;
    }
    if (!carriesToken(call, this.#token)) return;
    if (isServed(response)) this.#owner.renewal.served(call);
    this.tokenAnswered(isServed(response), changesSent);
  }

  /** Notes how a call with the present token was answered: a refusal makes the next check ask whether the token is still good. */
  tokenAnswered(isServed: boolean, changesSent = this.#owner.changesSent): void {
    this.#tokenServedAt = isServed ? this.#owner.now() : Number.NEGATIVE_INFINITY;
    this.#tokenServedAfter = changesSent;
  }
}

/** Logs in by POST, and by GET where a POST is refused: that both work has checks of its own. */
async function byGetOrPost(send: Send, email: Secret, password: Secret): Promise<ServiceResponse> {
  const byPost = await send(authorizeCall(email, password), 'login');
  if (isServed(byPost)) return byPost;
  const byGet = await send(authorizeCall(email, password, 'GET'), 'login');
  return isServed(byGet) ? byGet : byPost;
}
