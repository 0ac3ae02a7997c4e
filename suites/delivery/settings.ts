/** Custom field values that a store's admin configured for a delivery provider (spec: delivery_provider_settings). */

import { isJsonObject } from '../../contracts/json/object.ts';
import { pathOf } from '../../contracts/operations/index.ts';
import { type Check, check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import { summary } from '../../harness/check/expect.ts';
import { Inconclusive } from '../../harness/check/failures.ts';
import type { ServiceResponse } from '../../harness/target/client/types.ts';
import type { Json } from '../../harness/target/interfaces/delivery.ts';
import { nearMissOf } from '../../harness/target/near-miss.ts';
import { headersOf } from '../../harness/target/network/wire.ts';
import { isServed } from '../../harness/target/response/judge-response.ts';
import { wrongKey } from './steps/owners/keys.ts';
import { configured, fieldsIn } from './steps/settings.ts';

const ORDER = {
  needs: ['delivery.public.apiKey', 'delivery.public.orderUuid'],
  effects: 'read',
  part: 'delivery.public',
} as const;

const RETURNS = 'delivery.settings.returns-fields';
const VALUES = 'delivery.settings.values-of-order';

/** Shorter ids may be consecutive numbers, so that a similar id is another order of the same provider. */
const UNGUESSABLE_CHARACTERS = 16;

/** Near misses of an order's id that cannot be ids of other orders. */
function nearlyThe(order: string): Record<string, Json> {
  const longer = { 'an order id with additional characters at the end': { order_uuid: `${order}-q` } };
  if (order.length < UNGUESSABLE_CHARACTERS) return longer;
  return {
    ...longer,
    'an order whose id differs in one character': { order_uuid: nearMissOf(order) },
    'a pattern that the order id matches': { order_uuid: `${order.slice(0, -1)}%` },
    'an order id without its last character': { order_uuid: order.slice(0, -1) },
  };
}

/** States that the order of the profile returns values, and returns their names. Otherwise a response without values would prove nothing. */
async function givenValues(context: Context): Promise<ServiceResponse> {
  const { given } = context;
  const control = await readValues(context);
  // Where the profile names values, another check has seen them: a response without them is not a mistake of the configuration.
  const isKnown = Object.values(context.profile.delivery?.public?.expectedFields ?? {}).some((value) => value !== '');
  const isLost = isKnown && fieldsIn(control) !== undefined && configured(control).length === 0;
  given.holds(!isLost, VALUES, 'the order of the profile has no configured value', { response: control });
  return givenConfigured(context, control);
}

async function readValues({ given, profile, provider, send }: Context): Promise<ServiceResponse> {
  const orderUuid = given.configured(profile.delivery?.public?.orderUuid, 'delivery.public.orderUuid');
  return given.promised(send(provider.readProviderSettings(orderUuid), 'control'), RETURNS);
}

function givenConfigured({ given }: Context, control: ServiceResponse): ServiceResponse {
  if (fieldsIn(control) !== undefined && configured(control).length === 0) {
    throw new Inconclusive(
      'the order of the profile (delivery.public.orderUuid) has no configured value: fill in the fields in its store',
      'configuration',
    );
  }
  given.holds(fieldsIn(control) !== undefined, RETURNS, `the response contains no fields: ${summary(control)}`);
  return control;
}

/** Asserts that none of these bodies returns a configured value. */
async function expectNoValues(context: Context, bodies: Readonly<Record<string, unknown>>): Promise<void> {
  const { expect, provider, send } = context;
  const control = await givenValues(context);
  for (const [which, body] of Object.entries(bodies)) {
    const response = await send(provider.call('POST', pathOf('readProviderSettings', {}), body), 'probe');
    expect.that(configured(response).length === 0, `a call for ${which} must not return configured values`, {
      expected: 'a refusal, or fields without values',
      actual: Object.keys(fieldsIn(response) ?? {}),
      pointer: '/fields',
      response,
    });
    // No value of the control request may appear outside `fields` either.
    const [name, value] = configured(control).find(([, one]) => typeof one === 'string' && one.length >= 4) ?? [];
    if (name === undefined || isMentioned(body, String(value))) continue;
    expect.that(
      !response.text.includes(JSON.stringify(value)),
      `a call for ${which} must not return the value of ${name}`,
      {
        expected: 'no configured value',
        actual: summary(response),
        response,
      },
    );
  }
}

const isMentioned = (body: unknown, value: string): boolean => JSON.stringify(body ?? null).includes(value);

export const checks: readonly Check[] = [
  check(
    RETURNS,
    'MUST return the custom field values of an order as an object named fields',
    { ...ORDER, clauses: [RETURNS] },
    async (context) => {
      const { expect, given, profile, provider, send } = context;
      const { orderUuid, expectedFields } = profile.delivery?.public ?? {};
      const call = provider.readProviderSettings(given.configured(orderUuid, 'delivery.public.orderUuid'));
      const response = await send(call, 'read');
      if (!isServed(response)) {
        // A key that is always refused, or keys that are not distinguished, have checks of their own.
        const clause = 'delivery.credentials.public-key-accepted';
        await given.promised(send(provider.listMethods(), 'given'), clause);
        const { change, mutate } = wrongKey(context, provider.key);
        const served = isServed(await send(mutate(provider.listMethods()), 'given'));
        given.holds(!served, 'delivery.credentials.wrong-key-refused', `a call with ${change} is served`);
      }
      expect.served(response, "must serve the settings of the provider's own order");
      const fields = isJsonObject(response.json) ? response.json.fields : undefined;
      // If nothing is configured, some languages serialize an empty object as an empty list.
      const empty = Array.isArray(fields) && fields.length === 0 && Object.keys(expectedFields ?? {}).length === 0;
      expect.that(isJsonObject(fields) || empty, 'the values must be returned as an object named fields', {
        expected: 'an object from field name to value',
        actual: fields ?? null,
        pointer: '/fields',
        response,
      });
    },
  ),

  check(
    VALUES,
    'MUST return the values configured by the admin of the website that owns the order',
    {
      ...ORDER,
      needs: [...ORDER.needs, 'delivery.public.expectedFields'],
      clauses: [VALUES],
    },
    async (context) => {
      const { expect, given, profile } = context;
      const key = 'delivery.public.expectedFields';
      const expected = given.configured(profile.delivery?.public?.expectedFields, key);
      if (Object.keys(expected).length === 0) {
        throw new Inconclusive(`the profile's "${key}" is empty: name the values that the store has`, 'configuration');
      }
      const first = await readValues(context);
      // No value at all may be a matter of the configuration, unless the next response holds them.
      const isEmpty = fieldsIn(first) !== undefined && configured(first).length === 0;
      const next = isEmpty ? await readValues(context) : first;
      const control = isEmpty && configured(next).length > 0 ? first : givenConfigured(context, next);
      const fields = fieldsIn(control) ?? {};
      for (const [name, value] of Object.entries(expected)) {
        // A profile contains texts; the JSON type of numbers and checkboxes is not stated.
        expect.that(String(fields[name] ?? '') === value, `the field ${name} must have the configured value`, {
          expected: value,
          actual: fields[name] ?? null,
          pointer: `/fields/${name}`,
          response: control,
        });
      }
    },
  ),

  check(
    'delivery.settings.foreign-order',
    'MUST NOT return configured values for an order of another provider',
    {
      ...ORDER,
      needs: [...ORDER.needs, 'delivery.public.foreignOrderUuid'],
      clauses: ['delivery.settings.foreign-order'],
    },
    async (context) => {
      const { given, profile } = context;
      const foreign = given.configured(profile.delivery?.public?.foreignOrderUuid, 'delivery.public.foreignOrderUuid');
      await expectNoValues(context, { 'an order of another provider': { order_uuid: foreign } });
    },
  ),

  check(
    'delivery.settings.unknown-order',
    'MUST refuse an unknown or missing order_uuid',
    { ...ORDER, clauses: ['delivery.settings.unknown-order'] },
    async (context) => {
      const { given, profile } = context;
      const order = given.configured(profile.delivery?.public?.orderUuid, 'delivery.public.orderUuid');
      await expectNoValues(context, {
        'an order that does not exist': { order_uuid: context.resources.newUuid() },
        ...nearlyThe(order),
        'an empty order id': { order_uuid: '' },
        'no order': {},
      });
    },
  ),

  check(
    'delivery.settings.providers-only',
    "MUST refuse to return custom field values to a store's private key",
    {
      ...ORDER,
      needs: [...ORDER.needs, 'delivery.private.apiKey'],
      clauses: ['delivery.settings.providers-only'],
    },
    async (context) => {
      const { delivery, expect, given, profile, provider } = context;
      const orderUuid = given.configured(profile.delivery?.public?.orderUuid, 'delivery.public.orderUuid');
      const { otherApiKey } = profile.delivery?.private ?? {};
      const probes = [
        { change: "a store's key", headers: headersOf(delivery.key) },
        ...(otherApiKey === undefined ? [] : [{ change: "another store's key", headers: headersOf(otherApiKey) }]),
      ];
      await expect.refusesEach(
        provider.readProviderSettings(orderUuid),
        probes.map(({ change, headers }) => ({ change, mutate: (call) => ({ ...call, headers }) })),
        { clause: RETURNS, accepted: (response) => fieldsIn(response) !== undefined, control: 'first' },
      );
    },
  ),
];
