/** Faults of the Print Label button, of label requests and of checkout requests. */
import { createHash, createHmac } from 'node:crypto';
import { signingMessage } from '../../../orders/signing.ts';
import type { Deviation } from '../../../types/deviation.ts';
import { questionMarks } from '../../interception.ts';
import { fields, seen, value } from '../interception.ts';

type MakesRules = NonNullable<Deviation['rules']>;

const hmac = (text: string, key: string) => createHmac('sha256', key).update(text);

/** Changes the signature of label requests; checkout requests stay correct. */
const signedAs =
  (sign: (message: string, key: string) => string): MakesRules =>
  (correct) => ({
    formSignature: (kind, pairs, key) =>
      kind === 'label' ? sign(signingMessage(pairs), key) : correct.formSignature(kind, pairs, key),
  });

/** Label requests signed without some of their fields. */
const signedWithout =
  (isLeftOut: (name: string, value: string) => boolean): MakesRules =>
  (correct) => ({
    formSignature: (kind, pairs, key) =>
      correct.formSignature(
        kind,
        kind === 'label' ? pairs.filter(([name, text]) => !isLeftOut(name, text)) : pairs,
        key,
      ),
  });

const CORRECT = 'labels.request.signature-correct';

const VALUES: readonly Deviation[] = [
  seen(
    'labels.no-request-id',
    'labels.request.id-present',
    'The id of a label request is empty.',
    value('label_request_id', () => ''),
  ),
  seen(
    'labels.request-id-reused-for-order',
    'labels.request.id-new-per-press',
    'Every press for one order sends the label_request_id of the first press.',
    (correct) => {
      const first = new Map<string, string>();
      return {
        labelFields: (context) => {
          const id = first.get(context.order.uuid) ?? context.requestId;
          first.set(context.order.uuid, id);
          return correct.labelFields({ ...context, requestId: id });
        },
      };
    },
  ),
  seen(
    'labels.order-uuid-shortened',
    'labels.request.order-uuid',
    'Only the first half of an order’s id is sent.',
    value('order_uuid', (uuid) => uuid.slice(0, 18)),
  ),
  seen(
    'labels.order-uuid-is-request-id',
    ['labels.request.order-uuid', 'labels.request.order-uuid-identifies-order'],
    'The id of the request is sent instead of the order’s id.',
    value('order_uuid', (_uuid, { requestId }) => requestId),
  ),
  seen(
    'labels.no-invoice-id',
    'labels.request.invoice-id',
    'The invoice_id is empty.',
    value('invoice_id', () => ''),
  ),
  seen(
    'labels.invoice-id-same-for-all',
    'labels.request.invoice-id-unique',
    'All orders have the same invoice_id.',
    value('invoice_id', () => 'INV-2026-11-01'),
  ),
  seen(
    'labels.handle-upper-case',
    'labels.request.method-handle',
    'The handle of the method is sent in upper case.',
    value('delivery_method_handle', (handle) => handle.toUpperCase()),
  ),
  seen(
    'labels.no-method-name',
    'labels.request.method-name',
    'The name of the method is omitted.',
    value('delivery_method_name', () => null),
  ),
  seen(
    'labels.title-as-json',
    'labels.request.method-title',
    'The title of a method is sent as JSON with all languages.',
    value('delivery_method_title', (title, { method }) =>
      typeof method.title === 'string' || method.title === null
        ? `{"en":${JSON.stringify(title)}}`
        : JSON.stringify(method.title),
    ),
  ),
  seen(
    'labels.reference-escaped',
    'labels.request.method-reference',
    'Special characters of the reference are sent as HTML entities.',
    value('delivery_method_reference', (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
  ),
  seen(
    'labels.reference-in-ascii',
    'labels.request.method-reference',
    'Letters of the reference outside ASCII become question marks.',
    value('delivery_method_reference', questionMarks),
  ),
  seen(
    'labels.amount-with-comma',
    'labels.request.amount',
    'The amount has a comma.',
    value('amount', (text) => text.replace('.', ',')),
  ),
  seen(
    'labels.amount-with-currency',
    'labels.request.amount',
    'The currency is after the amount.',
    value('amount', (text, { order }) => `${text} ${order.currency}`),
  ),
  seen(
    'labels.currency-as-symbol',
    'labels.request.currency',
    'The currency is sent as its sign.',
    value('currency', () => '€'),
  ),
  seen(
    'labels.country-upper-case',
    'labels.request.shipping-country-code',
    'The country of the destination is sent in upper case.',
    value('shipping_country_code', (code) => code.toUpperCase()),
  ),
  seen(
    'labels.cart-as-plain-text',
    'labels.request.cart',
    'The cart is plain text.',
    value('cart', (_text, { order }) => order.cart.map(({ name, quantity }) => `${quantity} x ${name}`).join(', ')),
  ),
  seen(
    'labels.cart-encoded-twice',
    'labels.request.cart',
    'The cart is a JSON string that contains its JSON.',
    value('cart', (text) => JSON.stringify(text)),
  ),
  seen(
    'labels.weight-in-kilograms',
    'labels.request.weight',
    'The weight is sent in kilograms.',
    value('weight', (grams) => (Number(grams) / 1000).toFixed(3)),
  ),
  seen(
    'labels.language-as-locale',
    'labels.request.language-code',
    'The language is sent with a region.',
    value('language_code', (code) => `${code}_LV`),
  ),
  seen(
    'labels.domain-as-url',
    'labels.request.website-domain',
    'The domain is sent as an address.',
    value('website_domain', (domain) => `https://${domain}/`),
  ),
  seen(
    'labels.callback-as-path',
    'labels.request.callback-url',
    'The address of the callback has no host.',
    value('callback_url', (url) => new URL(url).pathname),
  ),
  seen(
    'labels.no-seller-vat',
    ['labels.request.seller', 'labels.request.shop-of-order'],
    'The VAT number of the seller is omitted.',
    value('seller_vat', () => null),
  ),
  seen(
    'labels.no-seller-country',
    ['labels.request.seller-country', 'labels.request.shop-of-order'],
    'The country of the seller is omitted.',
    value('seller_country', () => null),
  ),
  seen(
    'labels.no-buyer-email',
    ['labels.request.buyer-data', 'labels.request.buyer-data-as-entered'],
    'The e-mail of the buyer is omitted.',
    value('shipping_email', () => null),
  ),
  seen(
    'labels.no-company-id',
    'labels.request.empty-fields',
    'The company id of the buyer is omitted.',
    value('shipping_company_id', () => null),
  ),
  seen(
    'labels.no-state',
    'labels.request.empty-fields',
    'The state of the destination is omitted.',
    value('shipping_state', () => null),
  ),
  seen(
    'labels.no-alias',
    ['labels.request.website-alias', 'labels.request.shop-of-order'],
    'The alias of the website is omitted.',
    value('website_alias', () => null),
  ),
  seen(
    'labels.point-id-decoded',
    'labels.request.pickup-point-id',
    'The id of a pickup point is decoded twice.',
    value('shipping_pickup_point_id', (id) => id.replaceAll('%20', ' ')),
  ),
  seen(
    'labels.pickup-point-id-always',
    'labels.request.no-pickup-point-id-otherwise',
    'Label requests for orders without a pickup point contain a pickup point id.',
    fields((all, { order }) =>
      order.pickupPointId === null ? [...all, ['shipping_pickup_point_id', 'P-0'] as const] : all,
    ),
  ),
  seen(
    'labels.no-buyer-address',
    'labels.request.buyer-address-when-different',
    'The buyer’s own address is sent only with pickup points.',
    fields((all, { order }) =>
      order.pickupPointId === null ? all.filter(([name]) => !name.startsWith('buyer_')) : all,
    ),
  ),
  seen(
    'labels.no-buyer-address-for-pickup',
    ['labels.request.buyer-address-for-pickup', 'labels.request.address-as-entered'],
    'Orders to a pickup point are sent without the buyer’s own address.',
    fields((all, { order }) =>
      order.pickupPointId === null ? all : all.filter(([name]) => !name.startsWith('buyer_')),
    ),
  ),
  seen(
    'labels.buyer-address-always',
    'labels.request.no-buyer-address-otherwise',
    'The buyer’s address is sent with every order.',
    fields((all, { order }) =>
      order.buyer === null ? [...all, ['buyer_city', order.shipping.address.city] as const] : all,
    ),
  ),
];

export const labelFaults: readonly Deviation[] = [
  seen(
    'labels.button-everywhere',
    'labels.button.hidden-without-url',
    'Orders of methods without a label page offer Print Label.',
    () => ({
      mayPrintLabel: () => true,
    }),
  ),
  seen(
    'labels.button-for-providers-only',
    'labels.button.shown-with-url',
    'Orders of a store’s own methods never offer Print Label.',
    (correct) => ({
      mayPrintLabel: (method) => method.owner.startsWith('provider:') && correct.mayPrintLabel(method),
    }),
  ),
  ...VALUES,
  seen(
    'labels.signature-in-hex',
    ['labels.request.signature-present'],
    'The signature of label requests is hexadecimal.',
    signedAs((message, key) => hmac(message, key).digest('hex')),
  ),
  seen(
    'labels.signature-base64-of-hex',
    'labels.request.signature-present',
    'The signature is base64 of the hexadecimal digits.',
    signedAs((message, key) => Buffer.from(hmac(message, key).digest('hex')).toString('base64')),
  ),
  seen(
    'labels.not-signed',
    'labels.request.signature-present',
    'Label requests have an empty signature.',
    signedAs(() => ''),
  ),
  seen(
    'labels.signature-of-trimmed-values',
    CORRECT,
    'The signature covers values without spaces at their ends.',
    (correct) => ({
      formSignature: (kind, pairs, key) =>
        correct.formSignature(
          kind,
          kind === 'label' ? pairs.map(([name, text]) => [name, text.trim()] as const) : pairs,
          key,
        ),
    }),
  ),
  seen(
    'labels.signature-of-first-press',
    CORRECT,
    'Each press for an order sends the signature of the first one.',
    (correct) => {
      const first = new Map<string, string>();
      return {
        formSignature: (kind, pairs, key) => {
          const order = pairs.find(([name]) => name === 'order_uuid')?.[1] ?? JSON.stringify(pairs);
          const signature = first.get(order) ?? correct.formSignature(kind, pairs, key);
          first.set(order, signature);
          return signature;
        },
      };
    },
  ),
  seen(
    'labels.signature-without-key',
    CORRECT,
    'The signature is a plain hash of the message.',
    signedAs((message) => createHash('sha256').update(message).digest('base64')),
  ),
  seen(
    'labels.signature-in-latin-1',
    CORRECT,
    'The message is encoded in Latin-1 before it is signed.',
    signedAs((message, key) => createHmac('sha256', key).update(Buffer.from(message, 'latin1')).digest('base64')),
  ),
  seen(
    'labels.signature-omits-cart',
    CORRECT,
    'The cart is missing in the signed message of a label request.',
    signedWithout((name) => name === 'cart'),
  ),
  seen(
    'labels.signature-omits-buyer',
    CORRECT,
    'The buyer’s own address is sent, but not signed.',
    signedWithout((name) => name.startsWith('buyer_')),
  ),
  seen('labels.signature-sorted-by-name', CORRECT, 'Fields are signed in the order of their names.', (correct) => ({
    formSignature: (kind, pairs, key) =>
      correct.formSignature(kind, kind === 'label' ? [...pairs].sort(([a], [b]) => (a < b ? -1 : 1)) : pairs, key),
  })),
  seen('labels.signature-of-names-and-values', CORRECT, 'Names are signed with their values.', (correct) => ({
    formSignature: (kind, pairs, key) =>
      correct.formSignature(
        kind,
        kind === 'label' ? pairs.map(([name, text]) => [name, `${name}=${text}`]) : pairs,
        key,
      ),
  })),
  seen(
    'labels.signature-of-decoded-entities',
    CORRECT,
    'Entities in values are decoded before a label request is signed.',
    (correct) => ({
      formSignature: (kind, pairs, key) =>
        correct.formSignature(
          kind,
          kind === 'label' ? pairs.map(([name, text]) => [name, text.replaceAll('&amp;', '&')]) : pairs,
          key,
        ),
    }),
  ),
  seen(
    'labels.cart-empty',
    'labels.request.cart',
    'The cart is sent after it was emptied.',
    value('cart', () => '[]'),
  ),
  seen(
    'labels.signature-without-apostrophes',
    CORRECT,
    'Apostrophes are removed before a label request is signed.',
    (correct) => ({
      formSignature: (kind, pairs, key) =>
        correct.formSignature(
          kind,
          kind === 'label' ? pairs.map(([name, text]) => [name, text.replaceAll("'", '')]) : pairs,
          key,
        ),
    }),
  ),
  seen(
    'checkout.not-signed',
    'checkout.request.signed',
    'Checkout requests have an empty signature; label requests are signed.',
    (correct) => ({
      formSignature: (kind, pairs, key) => (kind === 'checkout' ? '' : correct.formSignature(kind, pairs, key)),
    }),
  ),
  seen(
    'checkout.cart-not-signed',
    'checkout.request.signed',
    'The cart of a checkout request is not signed.',
    (correct) => ({
      formSignature: (kind, pairs, key) =>
        correct.formSignature(kind, kind === 'checkout' ? pairs.filter(([name]) => name !== 'cart') : pairs, key),
    }),
  ),
];
