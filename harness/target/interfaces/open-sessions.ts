/**
 * The sessions of Reseller that this process has opened and not ended. How many an account may have at a time is not stated: a service
 * may refuse a login while another session is open. A refused login with the right password is sent again after a logout.
 */
import { pathOf } from '../../../contracts/operations/index.ts';
import type { ServiceRequest } from '../client/request.ts';
import type { ServiceResponse } from '../client/types.ts';
import { isObject, isServed, NOT_OFFERED } from '../response/judge-response.ts';
import { Secret } from '../secrets/secret.ts';
import { Reseller } from './reseller.ts';
import { carriesToken } from './session-renewal.ts';

const LOGIN = pathOf('authorize', {});
const LOGOUT = pathOf('logOut', {});

export class OpenSessions {
  #open: readonly Secret[] = [];
  /** Methods with which a login was still refused when no session was open: for another reason, then. */
  readonly #inVain = new Set<string>();

  /** Notes how a call was answered. */
  note(call: ServiceRequest, response: ServiceResponse): void {
    if (!isServed(response)) return;
    if (call.path === LOGOUT) this.#open = this.#open.filter((token) => !carriesToken(call, token));
    if (call.path !== LOGIN) return;
    const token = isObject(response.json) ? response.json.apiToken : undefined;
    if (typeof token !== 'string' || token === '') return;
    const others = this.#open.filter((one) => one.reveal() !== token);
    this.#open = [...others, new Secret('API_TOKEN', token)];
  }

  /** Whether the refusal of this login, which has the right password, may come from a session that is open. */
  mayPrevent(call: ServiceRequest, refusal: ServiceResponse): boolean {
    const isOffered = !NOT_OFFERED.has(refusal.status) && !this.#inVain.has(call.method);
    return call.path === LOGIN && this.#open.length > 0 && isOffered && !isDivided(call);
  }

  /** Ends all of them, the latest first, and sends the login again. */
  async logInAfterLogout(
    login: ServiceRequest,
    first: ServiceResponse,
    send: (call: ServiceRequest, role?: string) => Promise<ServiceResponse>,
  ): Promise<ServiceResponse> {
    const open = this.#open.toReversed();
    this.#open = [];
    let ended = 0;
    for (const token of open) {
      const reseller = new Reseller(token);
      const isEnded = isServed(await send(reseller.logOut(), 'logout'));
      if (isEnded || isServed(await send(reseller.logOut('GET'), 'logout'))) ended += 1;
    }
    if (ended === 0) return first;
    const again = await send(login, 'login');
    if (!isServed(again)) this.#inVain.add(login.method);
    return again;
  }
}

/** Whether its parameters are divided between query and form: a service may read one of the two, and then misses some. */
const isDivided = ({ query, body }: ServiceRequest): boolean =>
  query.length > 0 && body !== undefined && 'form' in body && body.form.length > 0;
