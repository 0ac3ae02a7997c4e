/** The fields of a label request that every order has, and their formats (spec: Events, Label request). */
import { hasWordForNothing, LABEL_FORMS, LABEL_PRESENT } from '../../../contracts/fields/catalogue/label-request.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { CheckTitle } from '../../../harness/check/facts.ts';
import { LABELS } from '../button.ts';
import { emptyOnes, expectField, expectFields } from '../steps/fields.ts';
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

/** Fields that have to be there, but for those that a buyer or seller left empty. */
const PRESENT: readonly { readonly id: keyof typeof LABEL_PRESENT; readonly title: CheckTitle }[] = [
  {
    id: 'labels.request.seller',
    title: "MUST send the seller's name, id, VAT number and address, unless empty",
  },
  {
    id: 'labels.request.seller-country',
    title: 'MUST send the country of the seller',
  },
  {
    id: 'labels.request.buyer-data',
    title: "MUST send the buyer's names, company and e-mail, unless empty",
  },
  {
    id: 'labels.request.shipping-address',
    title: 'MUST send street, city, state and zip of the delivery address, unless empty',
  },
  {
    id: 'labels.request.website-alias',
    title: 'MUST send the alias of the website',
  },
];

/** What other sellers' data a store has is not known; the profile names the country that is set for the website. */
const SELLER_COUNTRY = 'labels.request.seller-country';

const emptyFields = check(
  'labels.request.empty-fields',
  'SHOULD send the fields of sellers and buyers even if they are empty',
  { ...LABELS, clauses: ['labels.request.empty-fields'] },
  async (context) => {
    const requests = await requestsOf(context);
    for (const request of requests) {
      for (const { id } of PRESENT) {
        const empty = emptyOnes(request, id, LABEL_PRESENT[id], requests);
        for (const name of LABEL_PRESENT[id]) {
          const message = `should send the field ${name} also where it is empty, because some providers expect it`;
          expectField(context, request, name, () => !empty.includes(name), message, `the field ${name}`);
        }
      }
    }
  },
);

export const checks: readonly Check[] = [
  emptyFields,
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
      const requests = await requestsOf(context);
      for (const request of requests) {
        expectFields(context, request, id, LABEL_PRESENT[id], requests);
        if (id === 'labels.request.buyer-data') {
          const message = 'must send shipping_phone as entered, or not at all';
          const isEntered = (value: string | undefined) => !hasWordForNothing('shipping_phone', value);
          expectField(context, request, 'shipping_phone', isEntered, message, 'a phone number, or no value');
        }
        const isOfStore = request.order.method.owner.owner !== 'public';
        const isKnown = context.profile.website?.country !== undefined && isOfStore;
        if (id !== SELLER_COUNTRY || !isKnown) continue;
        const message = 'must send the country of the seller, which is set';
        expectField(context, request, 'seller_country', (value) => value !== '', message, 'the country of the website');
      }
    }),
  ),
];
