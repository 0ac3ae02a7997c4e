/**
 * A service may take an e-mail address among the settings for the one that logs in: after a change of it, the login of the profile is
 * refused. Without this such a refusal would look like a lock, or like a wrong password in the profile.
 */
import { pathOf } from '../../../contracts/operations/index.ts';
import { GivenFailure } from '../../check/failures.ts';
import { type ServiceRequest, withPair } from '../client/request.ts';
import type { ServiceResponse } from '../client/types.ts';
import { isServed } from '../response/judge-response.ts';
import { plain } from '../secrets/secret.ts';

const SET = pathOf('changeSettings', {});
const EMAIL = /email$/i;

type SendCall = (call: ServiceRequest, role: string) => Promise<ServiceResponse>;

export class MovedLogin {
  /** By setting, the address that was last set successfully and not tried as a login since. */
  readonly #untried = new Map<string, string>();
  #found: GivenFailure | undefined;

  /** Notes how a call was answered. */
  note({ path, query, body }: ServiceRequest, response: ServiceResponse): void {
    if (path !== SET || !isServed(response)) return;
    const form = body !== undefined && 'form' in body ? body.form : [];
    for (const [name, value] of [...query, ...form]) if (EMAIL.test(name)) this.#untried.set(name, plain(value));
  }

  /** Whether a refused login may be one whose address has become another one. */
  get isSuspected(): boolean {
    return this.#found !== undefined || this.#untried.size > 0;
  }

  /** Throws if a login that was served before, and is refused now, is served with an address that was set since. */
  async givenInPlace(login: ServiceRequest, send: SendCall): Promise<void> {
    const place = login.method === 'GET' ? 'query' : 'form';
    const pairs = login.body !== undefined && 'form' in login.body ? login.body.form : login.query;
    const own = plain(pairs.find(([name]) => name === 'email')?.[1] ?? '').toLowerCase();
    for (const [setting, email] of this.#untried) {
      this.#untried.delete(setting);
      // The same login again proves nothing: it may be locked, and then be open.
      if (email.toLowerCase() === own) continue;
      const response = await send(withPair(login, place, 'email', email), 'session');
      if (!isServed(response)) continue;
      const message = `the e-mail address with which the account logs in has become the value of ${setting}, after a change of that setting`;
      this.#found = new GivenFailure(message, 'reseller.account.nothing-else-changes', {
        expected: 'the e-mail and the password of the profile log in, as before',
        actual: `they are refused, and the value of ${setting} logs in with this password`,
        response,
      });
    }
    if (this.#found !== undefined) throw this.#found;
  }
}
