/**
 * Custom field values and orders of the run's own (spec: delivery_provider_settings). Whose an order is that the driver places
 * is certain, while an order of the profile may have been mistaken for another provider's.
 */
import { type Check, check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import { Inconclusive } from '../../harness/check/failures.ts';
import type { ServiceResponse } from '../../harness/target/client/types.ts';
import { configured, fieldsIn } from '../delivery/steps/settings.ts';
import { orderOf } from './steps/orders.ts';

/** A response with values: of an order that was placed with the provider's method, else of the one in the profile. */
async function givenValues(context: Context): Promise<ServiceResponse> {
  const { given, profile, provider, send } = context;
  const placed = await orderOf(context, 'public');
  const known = profile.delivery?.public?.orderUuid;
  for (const uuid of [placed.uuid, ...(known === undefined ? [] : [known])]) {
    const call = provider.readProviderSettings(uuid);
    const response = await given.accepted(send(call, 'control'), 'delivery.settings.returns-fields');
    if (configured(response).length > 0) return response;
  }
  throw new Inconclusive(
    'no order of the provider has configured values: fill in its settings form in the store in which the driver places orders, or set "delivery.public.orderUuid"',
    'configuration',
  );
}

export const checks: readonly Check[] = [
  check(
    'labels.settings.order-with-store-method',
    "MUST return no configured value for an order bought with a store's own method",
    {
      needs: ['delivery.private.apiKey', 'delivery.public.apiKey', 'browser', 'driver.openOrder'],
      effects: ['write', 'drive'],
      part: ['labels', 'delivery.private', 'delivery.public'],
      exactValues: ['label-page', 'id'],
      clauses: ['delivery.settings.foreign-order'],
    },
    async (context) => {
      const { expect, provider, send } = context;
      const control = await givenValues(context);
      const { uuid } = await orderOf(context, 'own-address');
      const response = await send(provider.readProviderSettings(uuid), 'probe');
      expect.that(
        configured(response).length === 0,
        'a call for an order of another provider must not return configured values',
        {
          expected: `a refusal, or fields without values (the provider's own order has ${configured(control).length})`,
          actual: Object.keys(fieldsIn(response) ?? {}),
          pointer: '/fields',
          response,
        },
      );
    },
  ),
];
