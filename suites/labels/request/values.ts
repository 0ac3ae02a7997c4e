/** The fields of a label request that every order has, and their formats (spec: Events, Label request). */
import {
  isCountryCode,
  isCurrencyCode,
  isDecimalText,
  isTwoLetterLanguageCode,
  isWholeGrams,
} from '../../../contracts/fields/scalars.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { CheckTitle } from '../../../harness/check/facts.ts';
import { isObject } from '../../../harness/target/response/judge-response.ts';
import { LABELS } from '../button.ts';
import { expectField, expectFields } from '../steps/fields.ts';
import { requestsOf } from '../steps/orders.ts';

/** A field with a format of its own. */
interface Format {
  readonly id: string;
  readonly title: CheckTitle;
  readonly field: string;
  readonly holds: (value: string | undefined) => boolean;
  readonly message: string;
  readonly expected: string;
}

const FORMATS: readonly Format[] = [
  {
    id: 'labels.request.amount',
    title: 'MUST send the total amount as a decimal number',
    field: 'amount',
    holds: isDecimalText,
    message: 'must send amount as a decimal number',
    expected: 'digits, with a point before the fraction',
  },
  {
    id: 'labels.request.currency',
    title: 'MUST send the currency as a code of three letters',
    field: 'currency',
    holds: isCurrencyCode,
    message: 'must send currency as three letters',
    expected: 'three letters',
  },
  {
    id: 'labels.request.shipping-country-code',
    title: 'MUST send the delivery country as two lower-case letters',
    field: 'shipping_country_code',
    holds: (value) => isCountryCode(value, 'lower'),
    message: 'must send shipping_country_code as two lower-case letters',
    expected: 'two lower-case letters',
  },
  {
    id: 'labels.request.cart',
    title: 'MUST send the cart as JSON text',
    field: 'cart',
    holds: isJsonHolder,
    message: 'must send cart as JSON of an array or object',
    expected: 'JSON text of an array or object',
  },
  {
    id: 'labels.request.weight',
    title: 'MUST send the weight as a whole number of grams',
    field: 'weight',
    holds: isWholeGrams,
    message: 'must send weight as a whole number',
    expected: 'digits only',
  },
  {
    id: 'labels.request.language-code',
    title: 'MUST send the language of the user as two letters',
    field: 'language_code',
    holds: isTwoLetterLanguageCode,
    message: 'must send language_code as two letters',
    expected: 'two letters',
  },
  {
    id: 'labels.request.website-domain',
    title: 'MUST send the domain name of the shop',
    field: 'website_domain',
    holds: isDomain,
    message: 'must send website_domain as a domain name',
    expected: 'a domain name, without scheme and path',
  },
  {
    id: 'labels.request.callback-url',
    title: 'MUST send the callback address as a full web address',
    field: 'callback_url',
    holds: isFullAddress,
    message: 'must send callback_url as a full web address',
    expected: 'an https or http address with a host',
  },
];

/** Fields that have to be there, whatever a buyer or seller has entered. */
const PRESENT: readonly { readonly id: string; readonly title: CheckTitle; readonly fields: readonly string[] }[] = [
  {
    id: 'labels.request.seller',
    title: 'MUST send name, id, VAT number and address of the seller, even if empty',
    fields: ['seller_name', 'seller_id', 'seller_vat', 'seller_address'],
  },
  {
    id: 'labels.request.seller-country',
    title: 'MUST send the country of the seller',
    fields: ['seller_country'],
  },
  {
    id: 'labels.request.buyer-data',
    title: 'MUST send names, company and e-mail of the buyer, even if empty',
    fields: [
      'shipping_first_name',
      'shipping_last_name',
      'shipping_company',
      'shipping_company_id',
      'shipping_company_vat',
      'shipping_email',
    ],
  },
  {
    id: 'labels.request.shipping-address',
    title: 'MUST send street, city, state and zip of the delivery address, even if empty',
    fields: ['shipping_street', 'shipping_city', 'shipping_state', 'shipping_zip'],
  },
  {
    id: 'labels.request.website-alias',
    title: 'MUST send the alias of the website',
    fields: ['website_alias'],
  },
];

export const checks: readonly Check[] = [
  ...FORMATS.map(({ id, title, field, holds, message, expected }) =>
    check(id, title, { ...LABELS, clauses: [id] }, async (context) => {
      for (const request of await requestsOf(context)) {
        expectField(context, request, field, holds, message, expected);
      }
    }),
  ),
  ...PRESENT.map(({ id, title, fields }) =>
    check(id, title, { ...LABELS, clauses: [id] }, async (context) => {
      for (const request of await requestsOf(context)) expectFields(context, request, fields);
    }),
  ),
];

function isJsonHolder(value: string | undefined): boolean {
  try {
    const parsed: unknown = JSON.parse(value ?? '');
    return Array.isArray(parsed) || isObject(parsed);
  } catch {
    return false;
  }
}

/** A host name in any script; a port may follow it where a shop has one. */
function isDomain(value: string | undefined): boolean {
  return value !== undefined && /^[\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)*\.?(:\d+)?$/u.test(value);
}

function isFullAddress(value: string | undefined): boolean {
  return value !== undefined && /^https?:\/\/[^/?#\s]+/i.test(value) && URL.canParse(value);
}
