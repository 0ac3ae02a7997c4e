/**
 * Whom the delivery keys and the orders of a profile belong to. Custom field values are given to the provider of an order
 * only, so one call distinguishes keys and orders.
 */
import { randomUUID } from 'node:crypto';
import { isUnset } from '../../../contracts/fields/unset.ts';
import { isJsonObject } from '../../../contracts/json/object.ts';
import type { ServiceResponse } from '../../target/client/types.ts';
import { Delivery, type Json } from '../../target/interfaces/delivery.ts';
import { isServed } from '../../target/response/judge-response.ts';
import type { Secret } from '../../target/secrets/secret.ts';
import { type Probing, refusalOf } from '../probing.ts';

const STORE = 'delivery.private.apiKey';
const OTHER = 'delivery.private.otherApiKey';
const PROVIDER = 'delivery.public.apiKey';
const ORDER = 'delivery.public.orderUuid';
const FOREIGN = 'delivery.public.foreignOrderUuid';
const FIELDS = 'delivery.public.expectedFields';

const fieldsIn = (response: ServiceResponse): Json | undefined =>
  isServed(response) && isJsonObject(response.json) && isJsonObject(response.json.fields)
    ? response.json.fields
    : undefined;

/** The response to an order that the service does not know may be an empty object: only values count. */
const hasValues = (response: ServiceResponse): boolean =>
  Object.values(fieldsIn(response) ?? {}).some((value) => !isUnset(value) && value !== false);

/** Probes which key opens the order, whether the orders are exchanged, and the configured values. */
export async function probeOrders(probing: Probing): Promise<void> {
  const { private: store, public: provider } = probing.profile.delivery ?? {};
  const { apiKey, orderUuid, foreignOrderUuid, expectedFields } = provider ?? {};
  if (apiKey === undefined || orderUuid === undefined || !probing.isUsable(PROVIDER)) return;
  const ask = (key: Secret, order: string): Promise<ServiceResponse> =>
    probing.send(new Delivery('public', key).readProviderSettings(order));
  const own = await ask(apiKey, orderUuid);
  if (hasValues(own)) {
    if (foreignOrderUuid !== undefined) await probeForeign(probing, await ask(apiKey, foreignOrderUuid));
    probeFields(probing, fieldsIn(own) ?? {}, expectedFields);
    return;
  }
  for (const [name, key] of [
    [STORE, store?.apiKey],
    [OTHER, store?.otherApiKey],
  ] as const) {
    if (key === undefined || !probing.isUsable(name) || !hasValues(await ask(key, orderUuid))) continue;
    const reason = `"${name}" and "${PROVIDER}" look swapped: the first receives the custom field values of "${ORDER}", which only its provider may read, and the second does not. Swap the two values in the profile`;
    probing.unfit(name, reason);
    probing.unfit(PROVIDER, reason);
    return;
  }
  if (foreignOrderUuid !== undefined && hasValues(await ask(apiKey, foreignOrderUuid))) {
    const reason = `"${ORDER}" and "${FOREIGN}" look swapped: the provider receives the values of the second but not of the first. Swap the two values in the profile`;
    probing.unfit(ORDER, reason);
    probing.unfit(FOREIGN, reason);
    return;
  }
  const refusal = refusalOf(own, orderUuid);
  if (refusal === undefined) return;
  const unknown = randomUUID();
  const foreign = foreignOrderUuid === undefined ? undefined : await ask(apiKey, foreignOrderUuid);
  const alike =
    refusal === refusalOf(await ask(apiKey, unknown), unknown)
      ? 'an order id that does not exist'
      : foreign !== undefined && refusal === refusalOf(foreign, foreignOrderUuid ?? '')
        ? `the order of another provider ("${FOREIGN}")`
        : undefined;
  // Refused in a way of its own: then the service knows the order, and what it makes of it is for the checks.
  if (alike === undefined) return;
  probing.unclear(
    ORDER,
    `The service refuses "${ORDER}" (status ${own.status}) as it refuses ${alike}`,
    'write the id of an order that was placed with a delivery method of this provider',
  );
}

async function probeForeign(probing: Probing, foreign: ServiceResponse): Promise<void> {
  if (!hasValues(foreign)) return;
  probing.unclear(
    FOREIGN,
    `The provider receives the custom field values of "${FOREIGN}", which must belong to another provider`,
    'write the id of an order that was placed with a delivery method of another provider',
  );
}

/** Only names are printed: the values are the store's. */
function probeFields(probing: Probing, shown: Json, expected: Readonly<Record<string, string>> | undefined): void {
  const other = Object.entries(expected ?? {}).filter(([name, value]) => String(shown[name] ?? '') !== value);
  if (other.length === 0) return;
  const names = other.map(([name]) => `${isUnset(shown[name]) ? 'no value' : 'another value'} for ${name}`);
  probing.unclear(
    FIELDS,
    `For "${ORDER}" the service shows ${names.join(' and ')}`,
    `compare "${FIELDS}" with the settings form of this provider in the store and write what is entered there`,
  );
}
