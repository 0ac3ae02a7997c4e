/** Decisions of label printing and dynamic checkouts: the fields, the signature, and what a callback may do. */
import { randomUUID } from 'node:crypto';
import type { Pairs } from '../http/call.ts';
import { type LabelRequest, type Method, type Order, type Provider, textIn, type Website } from '../state/state.ts';
import type { Text } from '../types/text.ts';
import type { CommonRules } from './common.ts';

/** The data for a label request. */
export interface LabelContext {
  readonly requestId: string;
  readonly order: Order;
  /** The current method, or its copy in the order if it was deleted. */
  readonly method: Method;
  readonly website: Website;
  readonly websiteDomain: string;
  readonly provider: Provider | null;
  readonly callbackUrl: string;
}

export interface LabelRules {
  /** Whether an order page has the Print Label button. */
  mayPrintLabel(method: Method): boolean;
  newRequestId(random: (bytes: number) => Buffer): string;
  /** Must never be the same for two orders of any store. */
  newOrderUuid(): string;
  /** All fields in order, without the signature. */
  labelFields(context: LabelContext): Pairs;
  /** Values of a provider's settings form, if the label request contains them. */
  labelCustomFields(context: LabelContext): Pairs;
  /** A value as a browser's form transmits it: the signature must cover the transmitted value. */
  transmitted(value: string): string;
  methodTitle(title: Text | null, website: Website, language: string): string;
  /** The signature over fields in order; the field `signature` is left out wherever it appears. */
  signature(fields: Pairs, key: string): string;
  /** The signature that a form to an integrator carries, and the one that a callback has to carry. */
  formSignature(kind: 'label' | 'checkout', fields: Pairs, key: string): string;
  callbackSignature(params: Pairs, key: string): string;
  /** The fields with their signature among them. */
  withSignature(fields: Pairs, signature: string): Pairs;
  /** Whether a received signature is the expected one. In constant time. */
  signatureMatches(received: string, expected: string): boolean;
  /** Whether this callback needs a signature at all. */
  callbackNeedsSignature(params: Pairs): boolean;
  /** Whether a label request may be answered again. */
  mayRespondAgain(request: LabelRequest): boolean;
  /** The values of a success callback that are stored with the order. */
  labelKept(params: Pairs): Order['label'];
  errorKept(params: Pairs, before: Order['label']): Order['label'];
  /** The fields of a checkout request without the signature: our choice, because the contract shows none. */
  checkoutFields(checkout: CheckoutContext): Pairs;
}

export interface CheckoutContext {
  readonly checkoutId: string;
  readonly method: Method;
  readonly website: Website;
  readonly destinationCountry: string;
  readonly language: string;
  readonly cart: Order['cart'];
  readonly amount: string;
  readonly weightGrams: number;
  readonly returnUrl: string;
}

const value = (pairs: Pairs, name: string): string | null => pairs.find(([key]) => key === name)?.[1] ?? null;

/** A website's code may have parts for script, region or variant behind the language; a label request has no room for them. */
const twoLetters = (language: string): string => /^[A-Za-z]{2}(?![A-Za-z])/.exec(language)?.[0] ?? language;

export const labelRules = (
  self: () => LabelRules & CommonRules,
  sign: (fields: Pairs, key: string) => string,
): LabelRules => ({
  mayPrintLabel: (method) => method.print_label_url !== null,
  newRequestId: (random) => `lr_${random(12).toString('hex')}`,
  newOrderUuid: () => randomUUID(),
  labelFields: (context) => {
    const { order, website, method } = context;
    const { shipping } = order;
    const buyer = order.buyer;
    return [
      ['label_request_id', context.requestId],
      ['order_uuid', order.uuid],
      ['invoice_id', order.invoiceId],
      ['delivery_method_handle', method.handle],
      ['delivery_method_name', method.name],
      ['delivery_method_title', self().methodTitle(method.title, website, order.language)],
      ['delivery_method_reference', method.reference ?? ''],
      ['amount', order.amount],
      ['currency', order.currency],
      ['seller_name', website.seller.name],
      ['seller_id', website.seller.id],
      ['seller_vat', website.seller.vat],
      ['seller_address', website.seller.address],
      ['seller_country', website.country],
      ['shipping_first_name', shipping.firstName],
      ['shipping_last_name', shipping.lastName],
      ['shipping_company', shipping.company],
      ['shipping_company_id', shipping.companyId],
      ['shipping_company_vat', shipping.companyVat],
      ['shipping_email', shipping.email],
      ...(order.pickupPointId === null ? [] : ([['shipping_pickup_point_id', order.pickupPointId]] as const)),
      ['shipping_street', shipping.address.street],
      ['shipping_city', shipping.address.city],
      ['shipping_state', shipping.address.state],
      ['shipping_zip', shipping.address.zip],
      ['shipping_country_code', shipping.address.countryCode.toLowerCase()],
      ...(buyer === null
        ? []
        : ([
            ['buyer_street', buyer.street],
            ['buyer_city', buyer.city],
            ['buyer_state', buyer.state],
            ['buyer_zip', buyer.zip],
            ['buyer_country_code', buyer.countryCode.toLowerCase()],
          ] as const)),
      ...(shipping.phone === null ? [] : ([['shipping_phone', shipping.phone]] as const)),
      ['cart', JSON.stringify(order.cart)],
      ['weight', String(order.weightGrams)],
      ['language_code', twoLetters(order.language)],
      ['website_alias', website.alias],
      ['website_domain', context.websiteDomain],
      ...self().labelCustomFields(context),
      ['callback_url', context.callbackUrl],
    ];
  },
  labelCustomFields: () => [],
  // Browsers change every line break of a form value to CRLF and refuse NUL: the signature covers what they send.
  transmitted: (text) => text.replaceAll('\0', '\u{fffd}').replace(/\r\n|\r|\n/g, '\r\n'),
  methodTitle: (title, website, language) => textIn(title, language, website),
  signature: (fields, key) => sign(fields, key),
  formSignature: (_kind, fields, key) => self().signature(fields, key),
  callbackSignature: (params, key) => self().signature(params, key),
  withSignature: (fields, signature) => [...fields, ['signature', signature]],
  signatureMatches: (received, expected) => self().secretMatches(received, expected),
  callbackNeedsSignature: (params) => value(params, 'error_msg') === null || value(params, 'signature') !== null,
  mayRespondAgain: () => true,
  labelKept: (params) => ({
    url: value(params, 'label_url'),
    trackingCode: value(params, 'tracking_code') || null,
    trackingUrl: value(params, 'tracking_url') || null,
    error: null,
  }),
  errorKept: (params, before) => ({ ...before, error: value(params, 'error_msg') }),
  checkoutFields: (checkout) => [
    ['checkout_id', checkout.checkoutId],
    ['delivery_method_handle', checkout.method.handle],
    ['delivery_method_name', checkout.method.name],
    ['delivery_method_reference', checkout.method.reference ?? ''],
    ['amount', checkout.amount],
    ['currency', checkout.website.currency],
    ['seller_country', checkout.website.country],
    ['shipping_country_code', checkout.destinationCountry.toLowerCase()],
    ['cart', JSON.stringify(checkout.cart)],
    ['weight', String(checkout.weightGrams)],
    ['language_code', twoLetters(checkout.language)],
    ['website_alias', checkout.website.alias],
    ['return_url', checkout.returnUrl],
  ],
});
