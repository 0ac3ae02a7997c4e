/**
 * Whether a base address of the profile leads to its interface at all: a gateway that answers in its place says that the service
 * is down, the same 404 to each call and to a path that no interface has, that the address is another one, and a 421 to each call,
 * that the host is another one, and one response to everything that it is not the service's.
 */
import { randomUUID } from 'node:crypto';
import { isJsonObject } from '../../../contracts/json/object.ts';
import type { ServiceRequest } from '../../target/client/request.ts';
import type { ServiceResponse } from '../../target/client/types.ts';
import { GATEWAY_STATUSES } from '../../target/response/gateway.ts';
import { isRefused } from '../../target/response/judge-response.ts';
import { type Probing, refusalOf, type Unusable } from '../probing.ts';

type Api = 'v1' | 'api';

/** A call of the preflight with its response. */
export interface ProbeResult {
  readonly call: ServiceRequest;
  readonly response: ServiceResponse;
}

const INTERFACES: Readonly<Record<Api, string>> = { v1: 'Delivery and Apps', api: 'Reseller' };

/** `probed` holds all calls to the interface so far. Returns why nothing there can be judged, as an outage. */
export async function probeBase(
  probing: Probing,
  api: Api,
  probed: readonly ProbeResult[],
): Promise<Unusable[string] | undefined> {
  const [first] = probed;
  if (first === undefined) return undefined;
  if (probed.every(({ response }) => isOutage(response))) {
    const again = await probing.send(first.call);
    if (!isOutage(again)) return undefined;
    const reason = `${probing.profile[api]} responds to every call with status ${again.status} and without the envelope of the interface, like a gateway whose service is down: start the service, or correct "${api}" in the profile, and run again`;
    return { attribution: 'network', reason };
  }
  if (probed.every(({ response }) => response.status === MISDIRECTED)) {
    probing.unclear(
      api,
      `${probing.profile[api]} responds to every call with status ${MISDIRECTED}, by which a server says that it does not serve the host of the request`,
      remedyForHost(probing, api),
    );
    return undefined;
  }
  if (probed.every(({ response }) => isForeign(response) && isSame(response, first.response)))
    return probeSameResponse(probing, api, first);
  if (!probed.every(({ response }) => response.status === 404)) return undefined;
  const unknown = `${randomUUID()}/`;
  const nowhere = refusalOf(await probing.send({ ...first.call, path: unknown }), unknown);
  const alike = probed.every(({ call, response }) => refusalOf(response, call.path) === nowhere);
  if (!alike) return undefined;
  probing.unclear(
    api,
    `${probing.profile[api]} responds to every call with status 404, as if the path belonged to no interface`,
    `write the base address of ${INTERFACES[api]}, which ends with /${api}/`,
  );
  return undefined;
}

/** Whether a path that no interface has gets the response that all calls got: then nothing there is known to be the service. */
async function probeSameResponse(probing: Probing, api: Api, { call, response }: ProbeResult): Promise<undefined> {
  const nowhere = await probing.send({ ...call, path: `${randomUUID()}/` });
  if (!isSame(nowhere, response)) return;
  probing.unclear(
    api,
    `${probing.profile[api]} responds to every call, and to a path that no interface has, with the same response (status ${response.status}) without the envelope of the interface, like a gate or another server in its place`,
    `write the base address of ${INTERFACES[api]}, which ends with /${api}/, and let the gate pass this machine`,
  );
}

const isSame = (one: ServiceResponse, other: ServiceResponse): boolean =>
  one.status === other.status && one.text === other.text;

/** Nothing in the response is of the interfaces: neither their envelope nor a list or record. */
function isForeign({ json, status, text }: ServiceResponse): boolean {
  // A service may ask for a key before it looks at the path, and a faulty one leave its bodies out.
  if (status === 401 || text.trim() === '') return false;
  return (
    !isJsonObject(json) || (json.error === undefined && Object.values(json).every((value) => typeof value !== 'object'))
  );
}

/** RFC 9110, 15.5.20. */
const MISDIRECTED = 421;

function remedyForHost({ profile }: Probing, api: Api): string {
  const [name] = profile.headers.find(([header]) => header.toLowerCase() === 'host') ?? [];
  return name === undefined
    ? `write the base address of ${INTERFACES[api]} with the host by which the service knows itself`
    : `correct or remove "headers.${name}", which replaces the host of "${api}"`;
}

/** A response of a gateway in place of the service. A 429 does not count: the client waits where it is asked to. */
export const isOutage = (response: ServiceResponse): boolean =>
  GATEWAY_STATUSES.has(response.status) && isRefused(response) === 'unavailable';
