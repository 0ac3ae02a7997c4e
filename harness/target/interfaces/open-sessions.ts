/**
 * The sessions of Reseller that this process has opened and not ended. How many an account may have at a time is not stated: a service
 * may refuse a login while another session is open. A refused login with the right password is sent again after a logout.
 */

import { isJsonObject } from '../../../contracts/json/object.ts';
import { pathOf } from '../../../contracts/operations/index.ts';
import type { ServiceRequest } from '../client/request.ts';
import type { ServiceResponse } from '../client/types.ts';
import { isServed, NOT_OFFERED } from '../response/judge-response.ts';
import { Secret } from '../secrets/secret.ts';
import { Reseller } from './reseller.ts';
import { carriesToken } from './session-renewal.ts';

const LOGIN = pathOf('authorize', {});
const LOGOUT = pathOf('logOut', {});

export class OpenSessions {
  #open: readonly Secret[] = [];
  /** Those of which the latest call was refused: they may have ended by themselves. */
  readonly #doubtful = new Set<string>();
  /** Methods with which a login was still refused when no session was open: for another reason, then. */
  readonly #inVain = new Set<string>();
  /** Whether a login was served only after a logout, or beside another session. */
  #isOneAtATime: boolean | undefined;

  /** Notes how a call was answered. */
  note(call: ServiceRequest, response: ServiceResponse): void {
    const carried = this.#open.find((token) => carriesToken(call, token))?.reveal();
    if (carried !== undefined && call.path !== LOGOUT) this.#doubtful[isServed(response) ? 'delete' : 'add'](carried);
    if (!isServed(response)) return;
    if (call.path === LOGOUT) this.#open = this.#open.filter((token) => !carriesToken(call, token));
    if (call.path !== LOGIN) return;
    const token = isJsonObject(response.json) ? response.json.apiToken : undefined;
    if (typeof token !== 'string' || token === '') return;
    const others = this.#open.filter((one) => one.reveal() !== token);
    if (others.some((one) => !this.#doubtful.has(one.reveal()))) this.#isOneAtATime = false;
    this.#open = [...others, new Secret('API_TOKEN', token)];
  }

  /** Whether the refusal of this login, which has the right password, may come from a session that is open. */
  mayPrevent(call: ServiceRequest, refusal: ServiceResponse): boolean {
    const isOffered = !NOT_OFFERED.has(refusal.status) && !this.#inVain.has(call.method);
    return call.path === LOGIN && this.#open.length > 0 && isOffered && !isDivided(call);
  }

  /**
   * Whether the target refuses every login now, because a session is open and it allows one at a time: then the refusal of a wrong
   * password proves nothing.
   */
  hides(call: ServiceRequest): boolean {
    return this.#isOneAtATime === true && call.path === LOGIN && this.#open.length > 0;
  }

  /** Ends all sessions. */
  async endAll(send: (call: ServiceRequest, role?: string) => Promise<ServiceResponse>): Promise<void> {
    const all = this.#open.toReversed();
    this.#open = [];
    await this.#end(all, send);
  }

  /**
   * Ends them, the latest first, and sends the login again. `kept` is ended last, and only if that may help: where several were open at a
   * time, and the end of the others changed nothing, logins are refused for another reason, and nothing but `kept` can undo what the run did.
   * `mayBeLocked`: a lock after wrong credentials may refuse the login as well, and end meanwhile.
   */
  async logInAfterLogout(
    login: ServiceRequest,
    first: ServiceResponse,
    send: (call: ServiceRequest, role?: string) => Promise<ServiceResponse>,
    kept: Secret | undefined,
    mayBeLocked = false,
  ): Promise<ServiceResponse> {
    const isKept = (token: Secret): boolean => token.reveal() === kept?.reveal();
    const others = this.#open.filter((token) => !isKept(token)).toReversed();
    this.#open = this.#open.filter(isKept);
    const [someEnded, someSurely] = await this.#end(others, send);
    let response = someEnded ? await send(login, 'login') : first;
    if (someSurely && !mayBeLocked && isServed(response)) this.#isOneAtATime ??= true;
    if (isServed(response)) return response;
    const last = someSurely ? [] : this.#open;
    this.#open = this.#open.filter((token) => !last.includes(token));
    const [isEnded, isSurelyEnded] = await this.#end(last, send);
    if (isEnded) response = await send(login, 'login');
    if (isSurelyEnded && !mayBeLocked && isServed(response)) this.#isOneAtATime ??= true;
    if ((someEnded || isEnded) && !isServed(response)) this.#inVain.add(login.method);
    return response;
  }

  /** Whether some of the sessions could be ended, and whether one of them surely was open. */
  async #end(
    sessions: readonly Secret[],
    send: (call: ServiceRequest, role?: string) => Promise<ServiceResponse>,
  ): Promise<[some: boolean, surely: boolean]> {
    let [some, surely] = [false, false];
    for (const token of sessions) {
      const reseller = new Reseller(token);
      const isEnded = isServed(await send(reseller.logOut(), 'logout'));
      if (!isEnded && !isServed(await send(reseller.logOut('GET'), 'logout'))) continue;
      some = true;
      surely ||= !this.#doubtful.has(token.reveal());
    }
    return [some, surely];
  }
}

/** Whether its parameters are divided between query and form: a service may read one of the two, and then misses some. */
const isDivided = ({ query, body }: ServiceRequest): boolean =>
  query.length > 0 && body !== undefined && 'form' in body && body.form.length > 0;
