/**
 * Inspects the target before the checks start: is it there, does it return JSON, does it accept the credentials of the profile, and do
 * the other values of the profile fit it (`harness/probe`)? Whatever does not is taken for a fault of the profile or the network until
 * shown otherwise: it gets one sentence, and no check fails because of it.
 */

import { isJsonObject } from '../../../contracts/json/object.ts';
import { Visitor } from '../../../harness/browser/visitor.ts';
import { probeProfile } from '../../../harness/probe/probe-profile.ts';
import { Probing } from '../../../harness/probe/probing.ts';
import { isOutage, type ProbeResult, probeBase } from '../../../harness/probe/values/base-address.ts';
import { explainRefusedKeys } from '../../../harness/probe/values/keys.ts';
import { inspectRefusedKeys } from '../../../harness/probe/values/own-keys.ts';
import type { WriteSession } from '../../../harness/probe/write-session.ts';
import { atOnce, eachAtOnce } from '../../../harness/process/at-once.ts';
import { readsOfKeys } from '../../../harness/resources/known-reads.ts';
import type { RunInfo } from '../../../harness/resources/run-info.ts';
import { type ClientOptions, createClient } from '../../../harness/target/client/index.ts';
import { NoResponse } from '../../../harness/target/client/no-response.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import type { Client, ServiceResponse } from '../../../harness/target/client/types.ts';
import { authorizeCall } from '../../../harness/target/interfaces/reseller.ts';
import { isLostConnection } from '../../../harness/target/network/explain-failure.ts';
import { requestOf } from '../../../harness/target/network/wire.ts';
import type { Profile } from '../../../harness/target/profile/types.ts';
import { isRefused, isServed } from '../../../harness/target/response/judge-response.ts';

export type Unusable = RunInfo['unusable'];

export interface PreflightOptions extends Pick<ClientOptions, 'rate' | 'transport' | 'clock'> {
  /** Keys of the profile that the user vouches for. */
  readonly trusted?: ReadonlySet<string>;
  /** Lets the probes create objects of the run with the given client, and removes them; without it they only read. */
  readonly writing?: (client: Client) => WriteSession;
  /** Whether the run has been asked to stop: then no further probe begins. What probes have created is removed all the same. */
  readonly isStopped?: () => boolean;
}

/** The run was asked to stop between two probes. */
class Stopped extends Error {}

/**
 * What can't be used, by key of the profile, each with a sentence: credentials first, then the values that they open. Of a run that
 * was asked to stop, what was found until then.
 */
export async function preflight(
  profile: Profile,
  { trusted = new Set(), writing, isStopped = () => false, ...ofClient }: PreflightOptions = {},
): Promise<{ unusable: Unusable; requests: number }> {
  const client = createClient({ profile, ...ofClient });
  const unusable: Record<string, Unusable[string]> = {};
  const refused = new Map<string, number>();
  const probed: Record<'v1' | 'api', ProbeResult[]> = { v1: [], api: [] };
  let login: ServiceResponse | undefined;
  const unlessStopped = async (ask: () => Promise<ServiceResponse>): Promise<ServiceResponse> => {
    if (isStopped()) throw new Stopped();
    return ask();
  };
  const send = (call: ServiceRequest): Promise<ServiceResponse> =>
    unlessStopped(() => client.send(requestOf(call, profile[call.api]!)));
  const read = (url: string): Promise<ServiceResponse> => unlessStopped(() => pageAt(client, url));

  const probe = async (api: 'v1' | 'api', key: string, call: ServiceRequest): Promise<void> => {
    if (unusable[api] !== undefined) return;
    try {
      const response = await send(call);
      probed[api].push({ call, response });
      if (key === 'reseller.email') login = response;
      const elsewhere = whyNotInterface(response, api, profile[api] ?? '');
      if (elsewhere !== undefined) unusable[api] = { attribution: 'configuration', reason: elsewhere };
      else if (([401, 403].includes(response.status) || refusesCredentials(response)) && !trusted.has(key)) {
        refused.set(key, response.status);
        const reason = `the target refused the credentials of ${inProfile(key)} (status ${response.status}): check them in the profile, or run with --trust ${key} if they are verified`;
        unusable[key] = { attribution: 'configuration', reason };
      }
    } catch (error) {
      if (!(error instanceof NoResponse)) throw error;
      unusable[api] =
        probed[api].length === 0
          ? atFirstContact(error, profile[api] ?? '', profile.tls)
          : { attribution: error.attribution, reason: error.message };
    }
  };

  const probeKeys = async (): Promise<void> => {
    if (profile.v1 === undefined) return;
    const [first, ...others] = readsOfKeys(profile);
    if (first !== undefined) await probe('v1', ...first);
    await eachAtOnce(others, (one) => probe('v1', ...one));
  };
  const probeAccount = async (): Promise<void> => {
    const { api, reseller } = profile;
    if (api === undefined || reseller?.email === undefined || reseller.password === undefined) return;
    await probe('api', 'reseller.email', authorizeCall(reseller.email, reseller.password));
    const refused = unusable['reseller.email'];
    if (refused !== undefined) unusable.reseller = refused;
  };

  try {
    // What is wrong with the address of an interface ends the probes of all its keys but the first.
    await atOnce([probeKeys, probeAccount]);
    const probing = new Probing(profile, unusable, trusted, { send, read });
    for (const api of ['v1', 'api'] as const) {
      const outage = probing.isUsable(api) ? await withResponse(() => probeBase(probing, api, probed[api])) : undefined;
      if (outage !== undefined) unusable[api] = outage;
      if (probing.isUsable(api)) continue;
      // Not the service has refused these credentials, as far as is known.
      for (const key of refused.keys()) {
        if ((key === 'reseller.email') !== (api === 'api')) continue;
        refused.delete(key);
        delete unusable[key];
        if (api === 'api') delete unusable.reseller;
      }
    }
    const ofDelivery = await withResponse(() => inspectRefusedKeys(probing, refused));
    for (const [key, reason] of Object.entries(ofDelivery?.unclear ?? {}))
      unusable[key] = { attribution: 'configuration', reason };
    for (const key of ofDelivery?.known ?? []) delete unusable[key];
    await explainRefusedKeys(probing, new Set(refused.keys()), (keys, reason) => {
      for (const key of keys) unusable[key] = { attribution: 'configuration', reason };
    });
    if (isStopped()) throw new Stopped();
    const session = writing?.(client);
    try {
      await probeProfile(probing, { login, writing: session });
    } finally {
      await session?.close();
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  } finally {
    await client.close();
  }
  return { unusable, requests: client.requests };
}

/** Undefined where the target gives no response: the sentence of the refusal stays. */
async function withResponse<T>(probe: () => Promise<T>): Promise<T | undefined> {
  try {
    return await probe();
  } catch (error) {
    if (error instanceof NoResponse) return undefined;
    throw error;
  }
}

/** Reads a page as the checks do: as a visitor without credentials, through redirects. */
async function pageAt(client: Client, url: string): Promise<ServiceResponse> {
  const visitor = new Visitor((request) => client.send(request, { role: 'page' }));
  return (await visitor.open(url)).response;
}

/** A 401 under another status: the envelope's own number says it. */
function refusesCredentials(response: ServiceResponse): boolean {
  if (isServed(response) || isRefused(response) !== 'refused' || !isJsonObject(response.json)) return false;
  return response.json.error_code === 401 || response.json.errorCode === 401;
}

/** Scheme and host that a response redirects to; user names and passwords in the address are not judged. */
export function redirectOf(response: ServiceResponse): string | undefined {
  if (![301, 302, 303, 307, 308].includes(response.status) || isJsonObject(response.json)) return undefined;
  const location = response.header('location') ?? '';
  return URL.canParse(location, response.request.url) ? new URL(location, response.request.url).origin : undefined;
}

/** Why a response does not come from the interface at `base`, but from something in front of it; undefined if it may. */
function whyNotInterface(response: ServiceResponse, api: 'v1' | 'api', base: string): string | undefined {
  const { status, contentType } = response;
  const leadsTo = redirectOf(response);
  if (leadsTo !== undefined) return redirectReason(base, api, leadsTo, status);
  if (isSignIn(response))
    return `${base} asks for a user name and password (WWW-Authenticate, status ${status}), like a gate in front of the interface: let the gate read another header than Authorization, and set that one in "headers"`;
  if (looksLikePage(response) && !isOutage(response))
    return `${base} answers with a web page (${contentType || 'no content type'}, status ${status}) where the interface returns JSON: check "${api}" in the profile, and whether a gate or login is in front of it`;
  return undefined;
}

/** A redirect to another host, or to a page of the same one, which is a sign-in page as a rule. */
function redirectReason(base: string, api: 'v1' | 'api', leadsTo: string, status: number): string {
  return new URL(base).origin === leadsTo
    ? `${base} redirects to ${leadsTo} (status ${status}), another page of the same host, as to a sign-in page: check "${api}" in the profile, and whether a gate is in front of the interface`
    : `${base} redirects to ${leadsTo} (status ${status}), where no key is sent: write the address at which the service answers itself as "${api}" in the profile`;
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

/** A gate that wants the credentials of a person; an interface that names the scheme of its keys there has its envelope. */
function isSignIn({ status, headers, json }: ServiceResponse): boolean {
  const schemes = headers.filter(([name]) => name.toLowerCase() === 'www-authenticate').map(([, value]) => value);
  const isEnvelope = isJsonObject(json) && json.error === true;
  return status === 401 && !isEnvelope && schemes.some((scheme) => /\b(?:basic|digest|negotiate|ntlm)\b/i.test(scheme));
}

/** A web page instead of an interface: markup, whatever its label. */
export function looksLikePage(response: ServiceResponse): boolean {
  if (response.json !== undefined) return false;
  const isMarkup = /^\s*<(!doctype|html|\?xml|head|body)/i.test(response.text);
  return isMarkup || (/^text\/html\b/i.test(response.contentType) && /^\s*<[a-z!]/i.test(response.text));
}
