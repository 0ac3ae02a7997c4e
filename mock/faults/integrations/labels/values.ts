/** Faults of single values of label requests: words for missing ones, cut ones, those of something else, and fields that are there twice. */
import type { Deviation } from '../../../types/deviation.ts';
import { fields, seen, value } from '../interception.ts';

/** What columns and pieces of text hold in many programs. */
const MAX_TEXT_CHARS = 255;

const withoutLeadingZeros = (text: string): string => (/^\d+$/.test(text) ? String(BigInt(text)) : text);

export const labelValueFaults: readonly Deviation[] = [
  seen(
    'labels.missing-reference-as-null',
    'labels.request.method-reference',
    'The reference of a method that has none is sent as a word.',
    fields((all, { method }) =>
      all.map(
        ([name, text]) => [name, name === 'delivery_method_reference' && !method.reference ? 'null' : text] as const,
      ),
    ),
  ),
  seen(
    'labels.reference-as-number',
    'labels.request.method-reference',
    'A reference of digits loses its leading zeros.',
    value('delivery_method_reference', withoutLeadingZeros),
  ),
  seen(
    'labels.pickup-point-as-number',
    'labels.request.pickup-point-id',
    'The id of a pickup point that is a number loses its leading zeros.',
    value('shipping_pickup_point_id', withoutLeadingZeros),
  ),
  seen(
    'labels.reference-cut',
    'labels.request.method-reference',
    'A reference is cut after 255 characters.',
    value('delivery_method_reference', (text) => text.slice(0, MAX_TEXT_CHARS)),
  ),
  seen(
    'labels.title-cut',
    'labels.request.method-title',
    'A title is cut after 255 characters.',
    value('delivery_method_title', (text) => text.slice(0, MAX_TEXT_CHARS)),
  ),
  seen(
    'labels.invoice-id-per-method',
    'labels.request.invoice-id-unique',
    'All orders that were bought with one method have the same invoice_id.',
    value('invoice_id', (_id, { method }) => `INV-${method.handle}`),
  ),
  seen(
    'labels.weight-twice',
    'labels.request.fields-once',
    'The weight is sent twice, and both are signed.',
    fields((all) => all.flatMap((pair) => (pair[0] === 'weight' ? [pair, pair] : [pair]))),
  ),
  seen(
    'labels.country-twice',
    ['labels.request.shipping-country-code', 'labels.request.fields-once'],
    'The country of the destination is sent once more at the end, in upper case.',
    fields((all) => [...all, ['shipping_country_code', 'LV']]),
  ),
  seen(
    'labels.callback-twice',
    ['labels.request.callback-url', 'labels.request.fields-once'],
    'The address of the callback is sent once more, without its host.',
    fields((all) => [...all, ['callback_url', '/label_callback/']]),
  ),
  seen(
    'labels.buyer-address-of-point',
    ['labels.request.buyer-address-for-pickup', 'labels.request.address-as-entered'],
    'For orders to a pickup point, the buyer’s own address is that of the point.',
    fields((all, { order }) => {
      const shipping = new Map(all);
      return order.pickupPointId === null
        ? all
        : all.map(([name, text]) => [name, shipping.get(name.replace('buyer_', 'shipping_')) ?? text] as const);
    }),
  ),
  seen(
    'labels.buyer-address-empty',
    ['labels.request.buyer-address-when-different', 'labels.request.address-as-entered'],
    'The fields of the buyer’s own address are sent without values.',
    fields((all) => all.map(([name, text]) => [name, name.startsWith('buyer_') ? '' : text] as const)),
  ),
  seen(
    'labels.state-undefined',
    'labels.request.shipping-address',
    'A state that was not entered is sent as a word.',
    value('shipping_state', (text) => text || 'undefined'),
  ),
  seen(
    'labels.seller-as-object',
    ['labels.request.seller', 'labels.request.shop-of-order'],
    'The address of the seller is sent as what a program prints for an object.',
    value('seller_address', () => '[object Object]'),
  ),
  seen(
    'labels.phone-null',
    ['labels.request.buyer-data', 'labels.request.phone-if-entered'],
    'The phone of the buyer is sent as a word for nothing.',
    value('shipping_phone', () => 'null'),
  ),
  seen(
    'checkout.of-provider-signed-by-store',
    'checkout.request.signed',
    'Checkout requests for a provider’s method are signed with the key of the store.',
    (correct) => {
      let key: string | undefined;
      return {
        checkoutFields: (checkout) => {
          key = checkout.website.apiKey;
          return correct.checkoutFields(checkout);
        },
        formSignature: (kind, pairs, own) =>
          correct.formSignature(kind, pairs, kind === 'checkout' ? (key ?? own) : own),
      };
    },
  ),
];
