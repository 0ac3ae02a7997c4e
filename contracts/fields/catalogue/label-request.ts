/** Fields of label requests (spec: Events, Label request), in the order of the contract. */
import { isDomainName, isFilledJsonText, isFullAddress } from '../forms.ts';
import { isCountryCode, isCurrencyCode, isDecimalText, isTwoLetterLanguageCode, isWholeGrams } from '../scalars.ts';
import { isWordForNothing } from '../unset.ts';

/** What the value of a field looks like. */
export interface LabelFieldForm {
  readonly holds: (value: unknown) => boolean;
  readonly expected: string;
}

/**
 * When a field is there, and the clause that states it: in every request with a value of any form (`filled`) or of one
 * (`formed`), in every request unless a buyer or seller left it empty (`unless empty`), or where its clause says so (`sometimes`).
 */
type Presence = 'filled' | 'formed' | 'unless empty' | 'sometimes';

type Row<P extends Presence, Clause extends string> = { readonly presence: P; readonly clause: Clause };

const unlessEmpty = <const Clause extends string>(clause: Clause): Row<'unless empty', Clause> => ({
  ...{ presence: 'unless empty', clause },
});
const sometimes = <const Clause extends string>(clause: Clause): Row<'sometimes', Clause> => ({
  ...{ presence: 'sometimes', clause },
});
const isFilled = (value: unknown): boolean => typeof value === 'string' && value !== '';
const filled = <const Clause extends string>(
  clause: Clause,
  expected: string,
): Row<'filled', Clause> & LabelFieldForm => ({
  ...{ presence: 'filled', clause, holds: isFilled, expected },
});
const formed = <const Clause extends string>(
  clause: Clause,
  holds: LabelFieldForm['holds'],
  expected: string,
): Row<'formed', Clause> & LabelFieldForm => ({ ...{ presence: 'formed', clause, holds, expected } });

export const LABEL_REQUEST = {
  label_request_id: filled('labels.request.id-present', 'a text'),
  order_uuid: filled('labels.request.order-uuid', 'the uuid of the order'),
  invoice_id: filled('labels.request.invoice-id', 'a text'),
  delivery_method_handle: filled('labels.request.method-handle', 'the handle of the delivery method'),
  delivery_method_name: unlessEmpty('labels.request.method-name'),
  delivery_method_title: unlessEmpty('labels.request.method-title'),
  delivery_method_reference: unlessEmpty('labels.request.method-reference'),
  amount: formed('labels.request.amount', isDecimalText, 'digits, with a decimal point before the fraction'),
  currency: formed('labels.request.currency', isCurrencyCode, 'three letters'),
  seller_name: unlessEmpty('labels.request.seller'),
  seller_id: unlessEmpty('labels.request.seller'),
  seller_vat: unlessEmpty('labels.request.seller'),
  seller_address: unlessEmpty('labels.request.seller'),
  seller_country: unlessEmpty('labels.request.seller-country'),
  shipping_first_name: unlessEmpty('labels.request.buyer-data'),
  shipping_last_name: unlessEmpty('labels.request.buyer-data'),
  shipping_company: unlessEmpty('labels.request.buyer-data'),
  shipping_company_id: unlessEmpty('labels.request.buyer-data'),
  shipping_company_vat: unlessEmpty('labels.request.buyer-data'),
  shipping_email: unlessEmpty('labels.request.buyer-data'),
  shipping_pickup_point_id: sometimes('labels.request.pickup-point-id'),
  shipping_street: unlessEmpty('labels.request.shipping-address'),
  shipping_city: unlessEmpty('labels.request.shipping-address'),
  shipping_state: unlessEmpty('labels.request.shipping-address'),
  shipping_zip: unlessEmpty('labels.request.shipping-address'),
  shipping_country_code: formed(
    'labels.request.shipping-country-code',
    (value) => isCountryCode(value, 'lower'),
    'two lower-case letters',
  ),
  // Sent where a pickup point or another delivery address was chosen.
  buyer_street: sometimes('labels.request.buyer-address-for-pickup'),
  buyer_city: sometimes('labels.request.buyer-address-for-pickup'),
  buyer_state: sometimes('labels.request.buyer-address-for-pickup'),
  buyer_zip: sometimes('labels.request.buyer-address-for-pickup'),
  buyer_country_code: sometimes('labels.request.buyer-address-for-pickup'),
  shipping_phone: sometimes('labels.request.phone-if-entered'),
  cart: formed('labels.request.cart', isFilledJsonText, 'JSON text of an array or object that is not empty'),
  weight: formed('labels.request.weight', isWholeGrams, 'digits only'),
  language_code: formed('labels.request.language-code', isTwoLetterLanguageCode, 'two letters'),
  website_alias: unlessEmpty('labels.request.website-alias'),
  website_domain: formed('labels.request.website-domain', isDomainName, 'a domain name, without scheme and path'),
  callback_url: formed('labels.request.callback-url', isFullAddress, 'an https or http address with a host'),
} as const;

type Rows = typeof LABEL_REQUEST;
type ClauseOf<P extends Presence> = Extract<Rows[keyof Rows], { readonly presence: P }>['clause'];
type FieldForm = LabelFieldForm & { readonly field: string };

const rowsOf = (presence: Presence): Array<Row<Presence, string> & Partial<LabelFieldForm> & { field: string }> =>
  Object.entries(LABEL_REQUEST).flatMap(([field, row]) => (row.presence === presence ? [{ field, ...row }] : []));
const formsBy = <P extends 'filled' | 'formed'>(presence: P) =>
  Object.fromEntries(rowsOf(presence).map((row) => [row.clause, row])) as Readonly<Record<ClauseOf<P>, FieldForm>>;
const fieldsBy = <P extends Presence>(presence: P) => {
  const groups = Object.entries(Object.groupBy(rowsOf(presence), ({ clause }) => clause));
  const fields = groups.map(([clause, rows = []]) => [clause, rows.map(({ field }) => field)]);
  return Object.fromEntries(fields) as Readonly<Record<ClauseOf<P>, readonly string[]>>;
};

/** People may have such a name. */
const NAMES: ReadonlySet<string> = new Set(['shipping_first_name', 'shipping_last_name']);

/**
 * Whether a field has a word in place of a value that no seller or buyer entered.
 *
 * @example hasWordForNothing('seller_vat', 'null') // true
 * @example hasWordForNothing('shipping_last_name', 'null') // false: a name
 */
export const hasWordForNothing = (field: string, value: unknown): boolean =>
  !NAMES.has(field) && isWordForNothing(value);

/** Fields with a form of their own, by the clause that states it. */
export const LABEL_FORMS = formsBy('formed');
/** Fields that every request has with some value, by the clause that says so. */
export const LABEL_FILLED = formsBy('filled');
/** Fields that every request has, but for those that a buyer or seller left empty, by the clause that says so. */
export const LABEL_PRESENT = fieldsBy('unless empty');
/** Fields that each website and each method has, so they are never empty. */
const NEVER_EMPTY: ReadonlySet<string> = new Set([
  'delivery_method_name',
  'delivery_method_title',
  'seller_country',
  'website_alias',
]);
/** Of these, one at least has a value; of a delivery address only where the parcel is not collected. */
const DELIVERY_ADDRESS = 'labels.request.shipping-address';
const NEVER_ALL_EMPTY: ReadonlySet<string> = new Set([
  'labels.request.buyer-data',
  DELIVERY_ADDRESS,
  'labels.request.buyer-address-for-pickup',
  'labels.request.buyer-address-when-different',
]);

/**
 * Fields of a clause that a request lacks, and whether all of them may be empty: a field whose value would be may be left out.
 *
 * @param sentOf the value of a field in the request, `undefined` where it has no such field
 */
export function lackingFields(
  clause: string,
  names: readonly string[],
  sentOf: (field: string) => string | undefined,
): { readonly missing: readonly string[]; readonly mayBeEmpty: boolean } {
  const missing = names.filter((name) => sentOf(name) === undefined);
  const isCollected = (sentOf('shipping_pickup_point_id') ?? '') !== '';
  const isSomeExpected = NEVER_ALL_EMPTY.has(clause) && !(isCollected && clause === DELIVERY_ADDRESS);
  const mayBeEmpty =
    !missing.some((name) => NEVER_EMPTY.has(name)) && !(isSomeExpected && missing.length === names.length);
  return { missing, mayBeEmpty };
}

/** The buyer's own address. */
export const LABEL_BUYER_FIELDS = fieldsBy('sometimes')['labels.request.buyer-address-for-pickup'];
