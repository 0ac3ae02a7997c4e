/** One read with each credential of the profile: is the interface there, and does it accept the credential? */
import { isJsonObject } from '../../../contracts/json/object.ts';
import type { ProbeResult } from '../../../harness/probe/values/base-address.ts';
import { atOnce, eachAtOnce } from '../../../harness/process/at-once.ts';
import { readsOfKeys } from '../../../harness/resources/known-reads.ts';
import type { RunInfo } from '../../../harness/resources/run-info.ts';
import { NoResponse } from '../../../harness/target/client/no-response.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import { authorizeCall } from '../../../harness/target/interfaces/reseller.ts';
import { isLostConnection } from '../../../harness/target/network/explain-failure.ts';
import type { Profile } from '../../../harness/target/profile/types.ts';
import { isRefused, isServed } from '../../../harness/target/response/judge-response.ts';
import { whyNotInterface } from './not-the-interface.ts';

export type Unusable = RunInfo['unusable'];

/** The two base addresses of a profile. */
type Api = 'v1' | 'api';

export class KeyProbes {
  /** What can't be used, by key of the profile. */
  readonly unusable: Record<string, Unusable[string]> = {};
  /** The status with which a credential was refused, by key of the profile. */
  readonly refused = new Map<string, number>();
  /** The probes that got a response. */
  readonly probed: Readonly<Record<Api, ProbeResult[]>> = { v1: [], api: [] };
  /** The response to the login of the reseller. */
  login: ServiceResponse | undefined;
  readonly #profile: Profile;
  readonly #trusted: ReadonlySet<string>;
  readonly #send: (call: ServiceRequest) => Promise<ServiceResponse>;

  /** `trusted`: keys of the profile that stay in use although they are refused. */
  constructor(
    profile: Profile,
    trusted: ReadonlySet<string>,
    send: (call: ServiceRequest) => Promise<ServiceResponse>,
  ) {
    this.#profile = profile;
    this.#trusted = trusted;
    this.#send = send;
  }

  /** Tries each credential. What is wrong with the address of an interface ends the probes of all its keys but the first. */
  async probe(): Promise<void> {
    await atOnce([() => this.#probeKeys(), () => this.#probeAccount()]);
  }

  /** Where the interface can't be used, it is not known whether the service refuses these credentials. */
  forgetRefusals(api: Api): void {
    for (const key of [...this.refused.keys()].filter((one) => (one === 'reseller.email') === (api === 'api'))) {
      this.refused.delete(key);
      delete this.unusable[key];
      if (api === 'api') delete this.unusable.reseller;
    }
  }

  async #probeKeys(): Promise<void> {
    if (this.#profile.v1 === undefined) return;
    const [first, ...others] = readsOfKeys(this.#profile);
    if (first !== undefined) await this.#try('v1', ...first);
    await eachAtOnce(others, (one) => this.#try('v1', ...one));
  }

  async #probeAccount(): Promise<void> {
    const { api, reseller } = this.#profile;
    if (api === undefined || reseller?.email === undefined || reseller.password === undefined) return;
    await this.#try('api', 'reseller.email', authorizeCall(reseller.email, reseller.password));
    const refused = this.unusable['reseller.email'];
    if (refused !== undefined) this.unusable.reseller = refused;
  }

  async #try(api: Api, key: string, call: ServiceRequest): Promise<void> {
    if (this.unusable[api] !== undefined) return;
    try {
      const response = await this.#send(call);
      this.probed[api].push({ call, response });
      if (key === 'reseller.email') this.login = response;
      this.#judge(api, key, response);
    } catch (error) {
      if (!(error instanceof NoResponse)) throw error;
      this.unusable[api] =
        this.probed[api].length === 0
          ? atFirstContact(error, this.#profile[api] ?? '', this.#profile.tls)
          : { attribution: error.attribution, reason: error.message };
    }
  }

  #judge(api: Api, key: string, response: ServiceResponse): void {
    const elsewhere = whyNotInterface(response, api, this.#profile[api] ?? '');
    if (elsewhere !== undefined) this.unusable[api] = { attribution: 'configuration', reason: elsewhere };
    else if (refusesCredentials(response) && !this.#trusted.has(key)) {
      this.refused.set(key, response.status);
      const reason = `the target refused the credentials of ${inProfile(key)} (status ${response.status}): check them in the profile, or run with --trust ${key} if they are verified`;
      this.unusable[key] = { attribution: 'configuration', reason };
    }
  }
}

/** By its status, or by the envelope's own number under another status. */
function refusesCredentials(response: ServiceResponse): boolean {
  if ([401, 403].includes(response.status)) return true;
  if (isServed(response) || isRefused(response) !== 'refused' || !isJsonObject(response.json)) return false;
  return response.json.error_code === 401 || response.json.errorCode === 401;
}

const inProfile = (key: string): string =>
  key === 'reseller.email' ? '"reseller.email" and "reseller.password"' : `"${key}"`;

/** Where nothing has been answered yet, a lost connection may come from the address or from the certificate: both are named. */
function atFirstContact(error: NoResponse, base: string, tls: Profile['tls']): Unusable[string] {
  const plain = base.startsWith('http:') ? ' If it expects https://, write that into the address.' : '';
  const certificate =
    plain === '' && tls?.cert === undefined
      ? ' If it requires a client certificate, give "tls.cert" and "tls.key".'
      : '';
  if (!isLostConnection(error)) return { attribution: error.attribution, reason: error.message };
  return { attribution: 'configuration', reason: `${error.message}${plain}${certificate}` };
}
