/** What a service does about labels and checkout where the contract shows nothing. */

import { isJsonObject } from '../../../contracts/json/object.ts';
import { jsonIn } from '../../../contracts/json/parse.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import { COMPANY_LABELS, LABELS } from '../button.ts';
import { CALLBACKS } from '../callback/accepted.ts';
import { newLabelRequest } from '../steps/callbacks.ts';
import { methodOf, serveLabelPage } from '../steps/methods.ts';
import { fieldOf, requestOf, requestsOf } from '../steps/orders.ts';

export const checks: readonly Check[] = [
  check(
    'labels.request.observed',
    'OBSERVES the encoding of the label request and the form of its cart and seller country',
    {
      ...LABELS,
      clauses: [],
      observations: ['labels.request-encoding', 'labels.cart-shape', 'labels.seller-country-form'],
    },
    async (context) => {
      const requests = await requestsOf(context);
      const types = requests.map(({ received: { headers } }) => {
        const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? 'none';
        return type.split(';', 1)[0];
      });
      context.observe('labels.request-encoding', [...new Set(types)]);
      context.observe('labels.cart-shape', shapeOf(jsonIn(fieldOf(requests[0]!, 'cart') ?? '')));
      context.observe('labels.seller-country-form', formOfCountry(fieldOf(requests[0]!, 'seller_country')));
    },
  ),

  check(
    'labels.request.custom-fields-observed',
    'OBSERVES whether the label request contains the custom field values',
    {
      ...COMPANY_LABELS,
      clauses: [],
      observations: ['labels.custom-fields-in-request'],
    },
    async (context) => {
      const { provider, given, send } = context;
      const request = await requestOf(context, 'public');
      const uuid = fieldOf(request, 'order_uuid') ?? request.order.uuid;
      const clause = 'delivery.settings.returns-fields';
      const response = await given.accepted(send(provider.readProviderSettings(uuid)), clause);
      const fields =
        isJsonObject(response.json) && isJsonObject(response.json.fields) ? Object.keys(response.json.fields) : [];
      const sent = request.fields.map(([name]) => name);
      context.observe('labels.custom-fields-in-request', {
        fetched: fields.length,
        sent: fields.filter((name) => sent.some((other) => other === name || other.endsWith(`[${name}]`))).length,
      });
    },
  ),

  check(
    'labels.request.retries-observed',
    'OBSERVES whether a label request is sent again when the label page fails',
    { ...CALLBACKS, clauses: [], observations: ['labels.request.retries'] },
    async (context) => {
      const listener = await context.listener();
      const { listensAs } = await methodOf(context, 'plain');
      const before = listener.received(listensAs).length;
      listener.serve(listensAs, () => ({ status: 503, body: 'The label page is not available.' }));
      try {
        await newLabelRequest(context);
      } finally {
        serveLabelPage(listener, listensAs);
      }
      const posts = listener.received(listensAs).slice(before);
      const count = posts.filter(({ method }) => method === 'POST').length;
      context.observe('labels.request.retries', count === 1 ? 'not within the check' : `${count} for one press`);
    },
  ),
];

/** Names and types of a JSON value, without its texts. */
function shapeOf(value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) return value.length === 0 ? 'empty array' : [shapeOf(value[0], depth + 1)];
  if (!isJsonObject(value)) return value === null ? 'null' : typeof value;
  if (depth > 3) return 'object';
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member, depth + 1)]));
}

function formOfCountry(value: string | undefined): string {
  if (value === undefined || value === '') return 'empty';
  if (/^[A-Z]{2}$/.test(value)) return 'two upper-case letters';
  if (/^[a-z]{2}$/.test(value)) return 'two lower-case letters';
  return /^[A-Za-z]{3}$/.test(value) ? 'three letters' : 'a name';
}
