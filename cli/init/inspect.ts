/** What responds at the addresses of a target: without credentials, then with those whose variables are set. It only reads. */

import { isLanguageCode } from '../../contracts/fields/scalars.ts';
import { isJsonObject } from '../../contracts/json/object.ts';
import { type RecordId, recordId } from '../../contracts/json/record-ids.ts';
import { pathOf } from '../../contracts/operations/index.ts';
import { createClient } from '../../harness/target/client/index.ts';
import { NoResponse } from '../../harness/target/client/no-response.ts';
import type { ServiceRequest } from '../../harness/target/client/request.ts';
import type { ServiceResponse } from '../../harness/target/client/types.ts';
import { Apps } from '../../harness/target/interfaces/apps.ts';
import { authorizeCall, Reseller } from '../../harness/target/interfaces/reseller.ts';
import { requestOf } from '../../harness/target/network/wire.ts';
import { parseProfile } from '../../harness/target/profile/index.ts';
import type { Profile } from '../../harness/target/profile/types.ts';
import { isServed } from '../../harness/target/response/judge-response.ts';
import { Secret } from '../../harness/target/secrets/secret.ts';
import { looksLikePage, redirectOf } from '../run/target/not-the-interface.ts';

export type Transport = (request: Request) => Promise<Response>;

export interface Inspection {
  /** Whether the interface responds as the contract says. */
  readonly isGood: boolean;
  readonly says: string;
}

const call = (api: 'v1' | 'api', path: string): ServiceRequest => ({
  api,
  method: 'GET',
  path,
  query: [],
  headers: [],
});

/** A listed call of each interface; without credentials it is refused with the envelope of the interface. */
const PROBES: Readonly<Record<'v1' | 'api', { readonly interface: string; readonly call: ServiceRequest }>> = {
  v1: { interface: 'Delivery', call: call('v1', pathOf('listMethods', {})) },
  api: { interface: 'Reseller', call: call('api', pathOf('listWebsites', {})) },
};

/** Names of the code in the error envelope of an interface. */
const CODES = { v1: 'error_code', api: 'errorCode' } as const;

/** Sends one call without credentials and says in one sentence what responded. Throws a UsageError for an address that no profile takes. */
export async function inspectAddress(api: 'v1' | 'api', address: string, transport?: Transport): Promise<Inspection> {
  const profile = parseProfile(JSON.stringify({ [api]: address }), { file: `--${api}`, folder: '.', env: {} });
  const { interface: name, call: probe } = PROBES[api];
  const bad = (says: string): Inspection => ({ isGood: false, says });
  const response = await responseTo(profile, probe, transport);
  if (typeof response === 'string') return bad(response);
  const leadsTo = redirectOf(response);
  if (leadsTo !== undefined)
    return bad(
      `redirects to ${leadsTo} (status ${response.status}): give the address at which the service responds itself`,
    );
  if (looksLikePage(response))
    return bad(
      `responds with a web page (status ${response.status}): check the address, and whether a gate is in front of it`,
    );
  if (!isJsonObject(response.json))
    return bad(`responds with status ${response.status} and no JSON object: check the address`);
  const other = api === 'v1' ? 'api' : 'v1';
  const isEnvelope = response.json[CODES[api]] !== undefined;
  if (isEnvelope && response.status >= 500)
    return bad(`fails with status ${response.status}, while a call without credentials should get 401: check its log`);
  if (isEnvelope)
    return {
      isGood: true,
      says: `the ${name} interface responds and asks for credentials (status ${response.status})`,
    };
  if (response.json[CODES[other]] !== undefined)
    return bad(
      `responds with the error envelope of the ${PROBES[other].interface} interface: are the two addresses swapped?`,
    );
  return bad(`responds with JSON (status ${response.status}) but not with the error envelope of the ${name} interface`);
}

async function responseTo(
  profile: Profile,
  probe: ServiceRequest,
  transport: Transport | undefined,
): Promise<ServiceResponse | string> {
  const client = createClient({ profile, ...(transport === undefined ? {} : { transport }) });
  try {
    return await client.send(requestOf(probe, profile[probe.api] as string));
  } catch (error) {
    if (error instanceof NoResponse) return error.message;
    throw error;
  } finally {
    await client.close();
  }
}

/** Values that the target shows to the credentials of a profile. */
export interface ShownValues {
  readonly languages?: readonly string[];
  readonly websites?: ReadonlyArray<{ readonly id: RecordId; readonly isPremium: boolean }>;
  /** Credentials that were refused, by key. */
  readonly refused: readonly string[];
}

/** Reads languages and websites; logs in to the reseller account once and out again. */
export async function readValues(profile: Profile, transport?: Transport): Promise<ShownValues> {
  const client = createClient({ profile, ...(transport === undefined ? {} : { transport }) });
  const refused: string[] = [];
  const ask = async (key: string, wanted: ServiceRequest): Promise<Record<string, unknown> | undefined> => {
    try {
      const response = await client.send(requestOf(wanted, profile[wanted.api] as string));
      if (isServed(response) && isJsonObject(response.json)) return response.json;
      refused.push(key);
    } catch (error) {
      if (!(error instanceof NoResponse)) throw error;
    }
    return undefined;
  };
  const { apps, reseller, v1, api } = profile;
  try {
    const languages =
      v1 !== undefined && apps?.apiKey !== undefined && apps.authCode !== undefined
        ? (await ask('apps.authCode', new Apps(apps.apiKey, apps.authCode).getLanguages()))?.languages
        : undefined;
    const login =
      api !== undefined && reseller?.email !== undefined && reseller.password !== undefined
        ? await ask('reseller.email', authorizeCall(reseller.email, reseller.password))
        : undefined;
    let websites: unknown;
    if (typeof login?.apiToken === 'string' && login.apiToken !== '') {
      const session = new Reseller(new Secret('API_TOKEN', login.apiToken));
      websites = (await ask('reseller.email', session.listWebsites()))?.websites;
      await ask('reseller.email', session.logOut());
    }
    return {
      refused: [...new Set(refused)],
      ...(Array.isArray(languages) && languages.length > 0 && languages.every(isLanguageCode) ? { languages } : {}),
      ...(Array.isArray(websites) ? { websites: websites.flatMap(websiteIn) } : {}),
    };
  } finally {
    await client.close();
  }
}

function websiteIn(record: unknown): { id: RecordId; isPremium: boolean }[] {
  const id = isJsonObject(record) ? recordId(record, 'websiteID') : undefined;
  return isJsonObject(record) && id !== undefined ? [{ id, isPremium: record.websiteIsPremium === true }] : [];
}
