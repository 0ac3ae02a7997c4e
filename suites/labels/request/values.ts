/** The fields of a label request that every order has, and their formats (spec: Events, Label request). */
import { isWordForNothing, LABEL_FORMS, LABEL_PRESENT } from '../../../contracts/fields/catalogue/label-request.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { CheckTitle } from '../../../harness/check/facts.ts';
import { LABELS } from '../button.ts';
import { expectField, expectFields } from '../steps/fields.ts';
import { requestsOf } from '../steps/orders.ts';

/** A field with a format of its own. */
interface Format {
  readonly id: keyof typeof LABEL_FORMS;
  readonly title: CheckTitle;
  readonly message: string;
}

const FORMATS: readonly Format[] = [
  {
    id: 'labels.request.amount',
    title: 'MUST send the total amount as a decimal number',
    message: 'must send amount as a decimal number',
  },
  {
    id: 'labels.request.currency',
    title: 'MUST send the currency as a code of three letters',
    message: 'must send currency as three letters',
  },
  {
    id: 'labels.request.shipping-country-code',
    title: 'MUST send the delivery country as two lower-case letters',
    message: 'must send shipping_country_code as two lower-case letters',
  },
  {
    id: 'labels.request.cart',
    title: 'MUST send the cart as JSON text',
    message: 'must send cart as JSON of an array or object',
  },
  {
    id: 'labels.request.weight',
    title: 'MUST send the weight as a whole number of grams',
    message: 'must send weight as a whole number',
  },
  {
    id: 'labels.request.language-code',
    title: 'MUST send the language of the user as two letters',
    message: 'must send language_code as two letters',
  },
  {
    id: 'labels.request.website-domain',
    title: 'MUST send the domain name of the shop',
    message: 'must send website_domain as a domain name',
  },
  {
    id: 'labels.request.callback-url',
    title: 'MUST send the callback address as a full web address',
    message: 'must send callback_url as a full web address',
  },
];

/** Fields that have to be there, whatever a buyer or seller has entered. */
const PRESENT: readonly { readonly id: keyof typeof LABEL_PRESENT; readonly title: CheckTitle }[] = [
  {
    id: 'labels.request.seller',
    title: "MUST send the seller's name, id, VAT number and address, even if empty",
  },
  {
    id: 'labels.request.seller-country',
    title: 'MUST send the country of the seller',
  },
  {
    id: 'labels.request.buyer-data',
    title: "MUST send the buyer's names, company and e-mail, even if empty",
  },
  {
    id: 'labels.request.shipping-address',
    title: 'MUST send street, city, state and zip of the delivery address, even if empty',
  },
  {
    id: 'labels.request.website-alias',
    title: 'MUST send the alias of the website',
  },
];

/** What other sellers' data a store has is not known; the profile names the country that is set for the website. */
const SELLER_COUNTRY = 'labels.request.seller-country';

export const checks: readonly Check[] = [
  ...FORMATS.map(({ id, title, message }) =>
    check(id, title, { ...LABELS, clauses: [id] }, async (context) => {
      const { field, holds, expected } = LABEL_FORMS[id];
      for (const request of await requestsOf(context)) {
        expectField(context, request, field, holds, message, expected);
      }
    }),
  ),
  ...PRESENT.map(({ id, title }) =>
    check(id, title, { ...LABELS, clauses: [id] }, async (context) => {
      for (const request of await requestsOf(context)) {
        expectFields(context, request, LABEL_PRESENT[id]);
        if (id === 'labels.request.buyer-data') {
          const message = 'must send shipping_phone as entered, or not at all';
          const isEntered = (value: string | undefined) => !isWordForNothing('shipping_phone', value);
          expectField(context, request, 'shipping_phone', isEntered, message, 'a phone number, or no value');
        }
        const isKnown = context.profile.website?.country !== undefined && request.order.kind !== 'public';
        if (id !== SELLER_COUNTRY || !isKnown) continue;
        const message = 'must send the country of the seller, which is set';
        expectField(context, request, 'seller_country', (value) => value !== '', message, 'the country of the website');
      }
    }),
  ),
];
