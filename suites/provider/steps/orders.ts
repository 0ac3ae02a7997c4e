/** Orders of every kind, as a label page gets them from stores: each has something that few of the others have. */
import type { Fields } from '../../../contracts/signing/index.ts';
import type { DeliverySession, LabelRequest, OrderWish } from '../session.ts';

export interface Order {
  /** For the report: `an order in SEK, from a seller in SE`. */
  readonly name: string;
  readonly wish: OrderWish;
  readonly change?: (fields: Fields) => Fields;
  /** Where the signature is among the fields; at their end by default. */
  readonly arrange?: (signed: Fields) => Fields;
}

const replaced = (fields: Fields, values: Readonly<Record<string, string>>): Fields =>
  fields.map(([name, value]) => [name, values[name] ?? value]);

/** What is easily turned into something else on its way to the signature: by a normal form, by a filter against HTML. */
const WRITTEN_OTHERWISE = { shipping_last_name: 'Bērziņa'.normalize('NFD'), shipping_street: 'Fish &amp; Chips 1' };

const WITH_LETTERS_IN_ZIP = { shipping_country_code: 'gb', shipping_city: 'London', shipping_zip: 'SW1A 2AA' };

const WITHOUT_ZIP = { shipping_country_code: 'ae', shipping_city: 'Dubai', shipping_zip: '', shipping_state: '' };

/** A program that takes the code for a number loses its first digit. */
const TO_THIRD_COUNTRY = {
  ...{ shipping_country_code: 'de', shipping_city: 'Dresden', shipping_zip: '01067' },
  ...{ buyer_country_code: 'lt', buyer_city: 'Vilnius', buyer_zip: '01100' },
};

const WITHOUT_SELLER = { delivery_method_reference: '', seller_name: '', seller_address: '' };

/** The same JSON as other languages write it: with escaped slashes and letters, and spaces between the values. */
const writtenByOthers = (json: string): string =>
  JSON.stringify(JSON.parse(json), null, 1)
    .replace(/\n */g, ' ')
    .replaceAll('/', '\\/')
    .replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A language in which few pages have texts; the store's admin may use it all the same. */
const RARE_LANGUAGE = 'zh';

const OF_OTHER_STORE: Order = { name: 'an order of another store', wish: { kind: 'address', isOfOtherStore: true } };

/** One order of each kind, the most frequent ones first. */
export function ordersToTry({ counterpart }: DeliverySession): Order[] {
  const kinds = counterpart.orderKinds.map((kind) => ({ name: `an order of the kind ${kind}`, wish: { kind } }));
  const currencies = (
    [
      ['SEK', 'SE'],
      ['USD', 'US'],
    ] as const
  ).map(([currency, country]) => ({
    name: `an order in ${currency}, from a seller in ${country}`,
    wish: { kind: 'address' },
    change: (fields: Fields) => replaced(fields, { currency, seller_country: country }),
  }));
  const [, otherLanguage] = counterpart.languages;
  return [
    ...kinds,
    ...currencies,
    {
      name: 'an order in JPY, whose amount is a whole number, of 1,237 g',
      wish: { kind: 'address' },
      change: (fields) => replaced(fields, { currency: 'JPY', amount: '1250', weight: '1237' }),
    },
    {
      name: 'an order that costs nothing',
      wish: { kind: 'address' },
      change: (fields) => replaced(fields, { amount: '0.00' }),
    },
    {
      name: 'an order to a country without postal codes and regions',
      wish: { kind: 'address' },
      change: (fields) => replaced(fields, WITHOUT_ZIP),
    },
    ...(counterpart.hasOtherStore ? [OF_OTHER_STORE] : []),
    {
      name: 'an order of a large amount, to a country whose postal codes have letters',
      wish: { kind: 'address' },
      change: (fields) => replaced(fields, { amount: '1234567.89', ...WITH_LETTERS_IN_ZIP }),
    },
    {
      name: 'an order without a company name',
      wish: { kind: 'no-company' },
      change: (fields) => replaced(fields, { seller_vat: '', seller_id: '' }),
    },
    {
      name: 'an order with combining accents and an HTML entity',
      wish: { kind: 'address' },
      change: (fields) => replaced(fields, WRITTEN_OTHERWISE),
    },
    {
      name: 'an order whose cart is written by another JSON encoder',
      wish: { kind: 'address' },
      change: (fields) => fields.map(([name, value]) => [name, name === 'cart' ? writtenByOthers(value) : value]),
    },
    {
      name: 'an order whose signature comes before all other fields',
      wish: { kind: 'address' },
      arrange: (signed) => [...signed.slice(-1), ...signed.slice(0, -1)],
    },
    {
      name: 'an order without an e-mail address',
      wish: { kind: 'address' },
      change: (fields) => replaced(fields, { shipping_email: '' }),
    },
    {
      name: 'an order to another country than that of its buyer, with postal codes that begin with 0',
      wish: { kind: 'other-buyer-address' },
      change: (fields) => replaced(fields, TO_THIRD_COUNTRY),
    },
    {
      name: 'an order to a pickup point whose id is a number that begins with 0',
      wish: { kind: 'pickup-point' },
      change: (fields) => replaced(fields, { shipping_pickup_point_id: '00482' }),
    },
    {
      name: 'an order by a method without a reference, from a seller without a name and an address',
      wish: { kind: 'address' },
      change: (fields) => replaced(fields, WITHOUT_SELLER),
    },
    {
      name: 'an order of a buyer without a first name, with a plus sign in the e-mail address, from a store on a subdomain',
      wish: { kind: 'address' },
      change: (fields) =>
        fields.map(([name, value]) => {
          if (name === 'shipping_first_name') return [name, ''];
          if (name === 'shipping_email') return [name, value.replace('@', '+parcels@')];
          return [name, name === 'website_domain' ? `shop.${value}` : value];
        }),
    },
    { name: `an order in the language ${RARE_LANGUAGE}`, wish: { kind: 'address', language: RARE_LANGUAGE } },
    ...(otherLanguage === undefined
      ? []
      : [{ name: `an order in the language ${otherLanguage}`, wish: { kind: 'address', language: otherLanguage } }]),
  ];
}

/** A label request for a new order of this kind. */
export function requestOf({ counterpart }: DeliverySession, { wish, change }: Order): LabelRequest {
  const made = counterpart.labelRequest(wish);
  return change === undefined ? made : { ...made, fields: change(made.fields) };
}
