/** Fields of label requests (spec: Events, Label request): those with a form, and those that have to be there, even if empty. */
import { isDomainName, isFullAddress, isJsonContainerText } from '../forms.ts';
import { isCountryCode, isCurrencyCode, isDecimalText, isTwoLetterLanguageCode, isWholeGrams } from '../scalars.ts';

export interface LabelFieldForm {
  readonly field: string;
  readonly holds: (value: unknown) => boolean;
  readonly expected: string;
}

const row = (field: string, holds: LabelFieldForm['holds'], expected: string): LabelFieldForm => ({
  ...{ field, holds },
  expected,
});

/** Fields with a form of their own, by the clause that states it. */
export const LABEL_FORMS = {
  'labels.request.amount': row('amount', isDecimalText, 'digits, with a point before the fraction'),
  'labels.request.currency': row('currency', isCurrencyCode, 'three letters'),
  'labels.request.shipping-country-code': row(
    'shipping_country_code',
    (value) => isCountryCode(value, 'lower'),
    'two lower-case letters',
  ),
  'labels.request.cart': row('cart', isJsonContainerText, 'JSON text of an array or object'),
  'labels.request.weight': row('weight', isWholeGrams, 'digits only'),
  'labels.request.language-code': row('language_code', isTwoLetterLanguageCode, 'two letters'),
  'labels.request.website-domain': row('website_domain', isDomainName, 'a domain name, without scheme and path'),
  'labels.request.callback-url': row('callback_url', isFullAddress, 'an https or http address with a host'),
} as const;

/** Fields that every request has, whatever a buyer or seller has entered, by the clause that says so. */
export const LABEL_PRESENT = {
  'labels.request.seller': ['seller_name', 'seller_id', 'seller_vat', 'seller_address'],
  'labels.request.seller-country': ['seller_country'],
  'labels.request.buyer-data': [
    'shipping_first_name',
    'shipping_last_name',
    'shipping_company',
    'shipping_company_id',
    'shipping_company_vat',
    'shipping_email',
  ],
  'labels.request.shipping-address': ['shipping_street', 'shipping_city', 'shipping_state', 'shipping_zip'],
  'labels.request.website-alias': ['website_alias'],
} as const;

/** The buyer's own address, sent where a pickup point or another delivery address was chosen. */
export const LABEL_BUYER_FIELDS = [
  'buyer_street',
  'buyer_city',
  'buyer_state',
  'buyer_zip',
  'buyer_country_code',
] as const;
