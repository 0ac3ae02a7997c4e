/**
 * A service may lock callers out for a while after wrong keys, tokens or passwords, and refuse right ones in any way: nothing is
 * stated about it. Refusals of a credential that opened the interface before are suspicious while wrong ones were sent since its last
 * success: they may be such a lock, and then say nothing about the call.
 */
import { pathOf } from '../../../contracts/operations/index.ts';
import type { ServiceRequest } from '../client/request.ts';
import type { ServiceResponse } from '../client/types.ts';
import { isRefused, isServed } from '../response/judge-response.ts';
import { plain } from '../secrets/secret.ts';

/** What a lock may close: logging in, the calls of Reseller with a token, those of Delivery and Apps. */
type Door = 'login' | 'api' | 'v1';
const DOORS: readonly Door[] = ['login', 'api', 'v1'];

const LOGIN = pathOf('authorize', {});
const PASSWORD = pathOf('changePassword', {});
/** Calls after which the credential that they carry opens nothing any more, as the contract says. */
const ENDS_CREDENTIAL: ReadonlySet<string> = new Set([pathOf('logOut', {}), pathOf('uninstallApp', {})]);

/** So long a run waits for the end of locks, in all. */
const MAX_WAITS_MS = 60_000;
/** The first wait; the next ones double. */
const FIRST_WAIT_MS = 1_000;

export class Lockouts {
  readonly #good = new Set<string>();
  /** Credentials to which the read that shows a lock was served: one that opens some calls only may not open it. */
  readonly #proved = new Set<string>();
  /** Where Reseller calls that were served carried their parameters: a target may read one of the places only. */
  readonly #places = new Set<Place>();
  /** The login that was last served, by its e-mail: the account has no other password at that time. */
  readonly #logins = new Map<string, ServiceRequest>();
  /** The password that was set last. */
  #password: string | undefined;
  /** Wrong credentials that were refused since a right one was last served there. */
  readonly #wrong: Record<Door, number> = { login: 0, api: 0, v1: 0 };
  #waitedMs = 0;

  /** Notes how a call was answered. */
  note(call: ServiceRequest, response: ServiceResponse): void {
    const credential = credentialOf(call);
    if (isServed(response)) {
      this.#wrong[doorOf(call)] = 0;
      if (call.api === 'api') this.#places.add(placeOf(call));
      if (call.path === PASSWORD) {
        this.#logins.clear();
        this.#password = parameterOf(call, 'password');
      }
      if (ENDS_CREDENTIAL.has(call.path)) this.#good.delete(credential);
      else if (doorOf(call) === 'login') this.#logins.set(parameterOf(call, 'email'), call);
      else this.#good.add(credential);
      if (call.method === 'GET' && call.path === PROOFS[partOf(call)]) this.#proved.add(credential);
    } else if (isRefused(response) === 'refused' && (!this.#isGood(call) || this.#isReadElsewhere(call))) {
      for (const door of DOORS) this.#wrong[door] += 1;
    }
  }

  /** Whether the refusal of this call may be a lock: its credential was good, and wrong ones were sent since. */
  isSuspected(call: ServiceRequest): boolean {
    return this.#wrong[doorOf(call)] > 0 && this.#isGood(call);
  }

  /** Whether this is a login with the e-mail and the password of one that was served, or with a password that was set since. */
  isRightLogin(call: ServiceRequest): boolean {
    if (call.api !== 'api' || call.path !== LOGIN) return false;
    return this.#loginLike(call) !== undefined || parameterOf(call, 'password') === this.#password;
  }

  /** Whether the target may take a credential in this place for none, as it was never seen to read one there. */
  #isReadElsewhere(call: ServiceRequest): boolean {
    return call.api === 'api' && this.#places.size > 0 && !this.#places.has(placeOf(call));
  }

  #isGood(call: ServiceRequest): boolean {
    return doorOf(call) === 'login' ? this.#loginLike(call) !== undefined : this.#good.has(credentialOf(call));
  }

  /** The served login with the same e-mail and password, which may have gone the other way. */
  #loginLike(call: ServiceRequest): ServiceRequest | undefined {
    const known = this.#logins.get(parameterOf(call, 'email'));
    return known !== undefined && parameterOf(known, 'password') === parameterOf(call, 'password') ? known : undefined;
  }

  /**
   * A call that was served with the same credential, and shows whether it opens the interface now: it changes nothing, and nothing is
   * chosen in it. Undefined where there was none, and for calls with a token: one that is refused may have ended.
   */
  proofFor(call: ServiceRequest): ServiceRequest | undefined {
    if (call.api === 'api') return this.#loginLike(call);
    if (!this.#proved.has(credentialOf(call))) return undefined;
    const { headers, query } = call;
    return { api: 'v1', method: 'GET', path: PROOFS[partOf(call)], query: query.filter(isCode), headers };
  }

  /** How long to wait before a call is sent again, by the number of waits before; undefined when no wait is left. */
  waitMs(waits: number): number | undefined {
    const ms = FIRST_WAIT_MS * 2 ** waits;
    if (this.#waitedMs + ms > MAX_WAITS_MS) return undefined;
    this.#waitedMs += ms;
    return ms;
  }
}

const doorOf = ({ api, path }: ServiceRequest): Door => (api === 'v1' ? 'v1' : path === LOGIN ? 'login' : 'api');

type Place = 'query' | 'form';

const placeOf = ({ query }: ServiceRequest): Place => (query.length > 0 ? 'query' : 'form');

/** Reads that need nothing but a credential. */
const PROOFS = { apps: pathOf('getLanguages', {}), delivery: pathOf('listMethods', {}) } as const;

const isCode = ([name]: readonly [string, unknown]): boolean => name.toLowerCase() === 'authcode';

const partOf = ({ query }: ServiceRequest): keyof typeof PROOFS => (query.some(isCode) ? 'apps' : 'delivery');

/** All that a call shows of who sends it. */
const credentialOf = (call: ServiceRequest): string =>
  call.api === 'api'
    ? parameterOf(call, 'apiToken')
    : JSON.stringify(
        [
          call.headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? '',
          call.query.find(isCode)?.[1] ?? '',
        ].map(plain),
      );

/** The value of a parameter, in the query or in the form. */
function parameterOf({ query, body }: ServiceRequest, name: string): string {
  const form = body !== undefined && 'form' in body ? body.form : [];
  const [, value] = [...query, ...form].find(([given]) => given === name) ?? [];
  return value === undefined ? '' : plain(value);
}
