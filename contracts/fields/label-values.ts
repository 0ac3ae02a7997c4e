/**
 * Values of label requests that are known of an order: what its buyer entered, what it amounts to, and which shop it was placed in
 * (spec: Events, Label request).
 * Texts are compared as a person reads them: spaces around them, line breaks and composed letters make no difference.
 */

/** How a value that is known is compared with the one that was sent. */
type Comparison = (known: string, sent: string) => boolean;

const asRead = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ').trim();
const asText: Comparison = (known, sent) => asRead(known) === asRead(sent);
/** Codes and e-mail addresses mean the same in any letter case. */
const inAnyCase: Comparison = (known, sent) => asText(known.toLowerCase(), sent.toLowerCase());
const asNumber: Comparison = (known, sent) => sent.trim() !== '' && Number(known) === Number(sent);
/** A store may write a number with the code of its country, and with other separators. */
const asPhone: Comparison = (known, sent) => {
  const [entered, read] = [known, sent].map((text) => text.replace(/\D/g, '').replace(/^0+/, ''));
  return entered !== '' && read!.endsWith(entered!);
};

/** The fields that may be known, by the clause that says what they hold. */
const KNOWN_BY_CLAUSE = {
  'labels.request.buyer-data-as-entered': {
    shipping_first_name: asText,
    shipping_last_name: asText,
    shipping_company: asText,
    shipping_company_id: asText,
    shipping_company_vat: asText,
    shipping_email: inAnyCase,
  },
  'labels.request.address-as-entered': {
    shipping_street: asText,
    shipping_city: asText,
    shipping_state: asText,
    shipping_zip: asText,
    shipping_country_code: inAnyCase,
    buyer_street: asText,
    buyer_city: asText,
    buyer_state: asText,
    buyer_zip: asText,
    buyer_country_code: inAnyCase,
  },
  'labels.request.phone-if-entered': { shipping_phone: asPhone },
  'labels.request.shop-of-order': {
    seller_name: asText,
    seller_id: asText,
    seller_vat: asText,
    seller_address: asText,
    seller_country: inAnyCase,
    website_alias: inAnyCase,
    website_domain: inAnyCase,
  },
  'labels.request.totals-of-order': { amount: asNumber, currency: inAnyCase, weight: asNumber },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Comparison>>>>;

type ByClause = typeof KNOWN_BY_CLAUSE;
type FieldsOf<T> = T extends unknown ? keyof T : never;

/** A clause that needs values which only a driver knows. */
export type KnownValueClause = keyof ByClause;
/** A field of a label request whose value a driver may know. */
export type KnownLabelField = FieldsOf<ByClause[KnownValueClause]>;

const COMPARISONS: Readonly<Record<string, Comparison>> = Object.assign({}, ...Object.values(KNOWN_BY_CLAUSE));

/** The fields of each clause. */
export const KNOWN_LABEL_FIELDS = Object.fromEntries(
  Object.entries(KNOWN_BY_CLAUSE).map(([clause, fields]) => [clause, Object.keys(fields)]),
) as unknown as Readonly<Record<KnownValueClause, readonly KnownLabelField[]>>;

export const isKnownLabelField = (name: string): name is KnownLabelField => Object.hasOwn(COMPARISONS, name);

/**
 * Whether a label request has the known value. If that is empty, the field may be empty or missing.
 *
 * @example hasKnownValue('shipping_company', 'Berg & Co', 'Berg &amp; Co') // false
 * @example hasKnownValue('amount', '12.5', '12.50') // true
 */
export function hasKnownValue(field: KnownLabelField, known: string, sent: string | undefined): boolean {
  if (known.trim() === '') return sent === undefined || sent.trim() === '';
  return sent !== undefined && COMPARISONS[field]!(known, sent);
}
