/** Observations of keys and custom field values where the contract leaves the choice to the service. */

import { isJsonObject } from '../../../contracts/json/object.ts';
import { pathOf } from '../../../contracts/operations/index.ts';
import type { Check } from '../../../harness/check/check.ts';
import { withPair } from '../../../harness/target/client/request.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { sealed } from '../../../harness/target/secrets/secret.ts';
import { formOf, observes, outcomeOf } from '../steps/observe.ts';
import { nearMissKey, WITHOUT_KEY, wrongKey } from '../steps/owners/keys.ts';

const READS = { needs: ['delivery.private.apiKey'], effects: 'read', part: 'delivery' } as const;
const ORDER = {
  needs: ['delivery.public.apiKey', 'delivery.public.orderUuid'],
  effects: 'read',
  part: 'delivery.public',
} as const;

/** Only yes or no values: others may be passwords and are not recorded. */
const FLAGS = new Set(['', '0', '1', 'true', 'false', 'on', 'off', 'yes', 'no']);

export const checks: readonly Check[] = [
  observes(
    'delivery.observations.keys',
    'OBSERVES how a wrong key is refused and which other schemes are accepted',
    ['envelope.errors.code-for-bad-key', 'delivery.credentials.other-scheme'],
    async (context) => {
      const { delivery, given, send } = context;
      const call = delivery.listMethods();
      await given.promised(send(call, 'control'), 'delivery.credentials.private-key-accepted');
      const outcome = async (change: (typeof WITHOUT_KEY)[number]['mutate']) =>
        outcomeOf(await send(change(call), 'probe'));
      context.observe('envelope.errors.code-for-bad-key', {
        'no header': await outcome(WITHOUT_KEY[0]!.mutate),
        'a wrong key': await outcome(wrongKey(context, delivery.key).mutate),
        'a near miss': await outcome(nearMissKey(context, delivery.key).mutate),
      });

      const { key } = delivery;
      const basic = context.secret(`${key.name}_BASIC`, Buffer.from(`${key.reveal()}:`).toString('base64'));
      const headers = {
        'apikey KEY': sealed`apikey ${key}`,
        'APIKEY KEY': sealed`APIKEY ${key}`,
        'Bearer KEY': sealed`Bearer ${key}`,
        'Basic KEY': sealed`Basic ${basic}`,
        'the key alone': key,
        'ApiKey with two spaces': sealed`ApiKey  ${key}`,
      };
      const seen: Json = {};
      for (const [which, value] of Object.entries(headers)) {
        const outcomeOfScheme = await outcome((valid) => withPair(valid, 'headers', 'Authorization', value));
        seen[which] = outcomeOfScheme === 'served' ? 'taken' : 'refused';
      }
      context.observe('delivery.credentials.other-scheme', seen);
    },
    READS,
  ),

  observes(
    'delivery.observations.settings',
    'OBSERVES how an order without settings is handled and in which form values are returned',
    ['delivery.settings.unknown-order-response', 'delivery.settings.checkbox-values'],
    async (context) => {
      const { given, profile, provider, send } = context;
      const { foreignOrderUuid, orderUuid } = profile.delivery?.public ?? {};
      const ask = async (body: Json) => {
        const response = await send(provider.call('POST', pathOf('readProviderSettings', {}), body), 'probe');
        const outcome = outcomeOf(response);
        const fields = isJsonObject(response.json) ? response.json.fields : undefined;
        return outcome === 'served' ? `served with fields: ${formOf(fields)}` : outcome;
      };
      context.observe('delivery.settings.unknown-order-response', {
        unknown: await ask({ order_uuid: context.resources.newUuid() }),
        missing: await ask({}),
        ...(foreignOrderUuid === undefined ? {} : { foreign: await ask({ order_uuid: foreignOrderUuid }) }),
      });

      const order = given.configured(orderUuid, 'delivery.public.orderUuid');
      const response = await given.accepted(
        send(provider.readProviderSettings(order), 'read'),
        'delivery.settings.returns-fields',
      );
      const fields = isJsonObject(response.json) && isJsonObject(response.json.fields) ? response.json.fields : {};
      const forms = Object.entries(fields).map(([name, value]) => {
        const flag = typeof value === 'boolean' || (typeof value === 'string' && FLAGS.has(value.toLowerCase()));
        return [name, flag ? JSON.stringify(value) : formOf(value)];
      });
      context.observe('delivery.settings.checkbox-values', Object.fromEntries(forms));
    },
    ORDER,
  ),
];
