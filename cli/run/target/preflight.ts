/**
 * Inspects the target before the checks start: is it there, does it return JSON, does it accept the credentials of the profile, and do
 * the other values of the profile fit it (`harness/probe`)? Whatever does not is taken for a fault of the profile or the network until
 * shown otherwise: it gets one sentence, and no check fails because of it.
 */

import { Visitor } from '../../../harness/browser/visitor.ts';
import { probeProfile } from '../../../harness/probe/probe-profile.ts';
import { Probing } from '../../../harness/probe/probing.ts';
import { probeBase } from '../../../harness/probe/values/base-address.ts';
import { explainRefusedKeys } from '../../../harness/probe/values/keys.ts';
import { inspectRefusedKeys } from '../../../harness/probe/values/own-keys.ts';
import type { WriteSession } from '../../../harness/probe/write-session.ts';
import { type ClientOptions, createClient } from '../../../harness/target/client/index.ts';
import { NoResponse } from '../../../harness/target/client/no-response.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import type { Client, ServiceResponse } from '../../../harness/target/client/types.ts';
import { requestOf } from '../../../harness/target/network/wire.ts';
import type { Profile } from '../../../harness/target/profile/types.ts';
import { KeyProbes, type Unusable } from './key-probes.ts';

export interface PreflightOptions extends Pick<ClientOptions, 'rate' | 'transport' | 'clock'> {
  /** Keys of the profile that the user vouches for. */
  readonly trusted?: ReadonlySet<string>;
  /** Lets the probes create objects of the run with the given client, and removes them; without it they only read. */
  readonly writing?: (client: Client) => WriteSession;
  /** Whether the run has been asked to stop: then no further probe begins. What probes have created is removed all the same. */
  readonly isStopped?: () => boolean;
}

const MIN_RESPONSES = 5;

/** The run was asked to stop between two probes. */
class Stopped extends Error {}

export interface Inspected {
  /** What can't be used, by key of the profile, each with a sentence: credentials first, then the values that they open. */
  readonly unusable: Unusable;
  readonly requests: number;
  /** How long the fastest response took, in milliseconds; undefined where too few came, since the first ones may wait for a start. */
  readonly responseMs: number | undefined;
}

/** Inspects the target of a profile. Of a run that was asked to stop, what was found until then. */
export async function preflight(
  profile: Profile,
  { trusted = new Set(), writing, isStopped = () => false, ...ofClient }: PreflightOptions = {},
): Promise<Inspected> {
  const client = createClient({ profile, ...ofClient });
  const durations: number[] = [];
  const unlessStopped = async (ask: () => Promise<ServiceResponse>): Promise<ServiceResponse> => {
    if (isStopped()) throw new Stopped();
    const response = await ask();
    durations.push(response.durationMs);
    return response;
  };
  const send = (call: ServiceRequest): Promise<ServiceResponse> =>
    unlessStopped(() => client.send(requestOf(call, profile[call.api]!)));
  const read = (url: string): Promise<ServiceResponse> => unlessStopped(() => pageAt(client, url));
  const keys = new KeyProbes(profile, trusted, send);
  const { unusable } = keys;
  try {
    await keys.probe();
    const probing = new Probing(profile, unusable, trusted, { send, read });
    await probeBases(probing, keys);
    await explainRefusals(probing, keys);
    if (isStopped()) throw new Stopped();
    const session = writing?.(client);
    try {
      await probeProfile(probing, { login: keys.login, writing: session });
    } finally {
      await session?.close();
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  } finally {
    await client.close();
  }
  return {
    unusable,
    requests: client.requests,
    responseMs: durations.length < MIN_RESPONSES ? undefined : Math.min(...durations),
  };
}

/** Whether each interface is at its address. If not, that explains the refusal of its credentials. */
async function probeBases(probing: Probing, keys: KeyProbes): Promise<void> {
  for (const api of ['v1', 'api'] as const) {
    const outage = probing.isUsable(api)
      ? await withResponse(() => probeBase(probing, api, keys.probed[api]))
      : undefined;
    if (outage !== undefined) keys.unusable[api] = outage;
    if (!probing.isUsable(api)) keys.forgetRefusals(api);
  }
}

/** Says more of refused keys, such as that two of them are exchanged; some of them may be usable all the same. */
async function explainRefusals(probing: Probing, { refused, unusable }: KeyProbes): Promise<void> {
  const ofDelivery = await withResponse(() => inspectRefusedKeys(probing, refused));
  for (const [key, reason] of Object.entries(ofDelivery?.unclear ?? {}))
    unusable[key] = { attribution: 'configuration', reason };
  for (const key of ofDelivery?.known ?? []) delete unusable[key];
  await explainRefusedKeys(probing, new Set(refused.keys()), (keys, reason) => {
    for (const key of keys) unusable[key] = { attribution: 'configuration', reason };
  });
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
