/** Faults of what a label says of its order: buyer and addresses that are not as they were entered, another shop, and wrong totals. */
import type { Deviation } from '../../../types/deviation.ts';
import { questionMarks } from '../../interception.ts';
import { fields, seen, value } from '../interception.ts';

const BUYER = 'labels.request.buyer-data-as-entered';
const ADDRESS = 'labels.request.address-as-entered';
const PHONE = 'labels.request.phone-if-entered';
const SHOP = 'labels.request.shop-of-order';
const TOTALS = 'labels.request.totals-of-order';

/** Columns of old programs. */
const SHORT_TEXT_CHARS = 24;

/** The field of many label printers. */
const COMPANY_CHARS = 40;

const capitalized = (text: string): string =>
  text.toLowerCase().replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());

const isName = (field: string): boolean => field === 'shipping_first_name' || field === 'shipping_last_name';

/** Each field gets the value of the field that it is exchanged with, where the request has both. */
const exchanged = (other: (field: string) => string) =>
  fields((all) => {
    const values = new Map(all);
    return all.map(([name, text]) => [name, values.get(other(name)) ?? text] as const);
  });

export const labelEntryFaults: readonly Deviation[] = [
  seen(
    'labels.company-escaped',
    BUYER,
    'The company of the buyer is sent with HTML entities.',
    value('shipping_company', (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')),
  ),
  seen(
    'labels.apostrophes-doubled',
    BUYER,
    'Apostrophes in the name of the buyer are doubled, as for a database.',
    value('shipping_last_name', (text) => text.replaceAll("'", "''")),
  ),
  seen(
    'labels.names-in-ascii',
    BUYER,
    'Letters outside ASCII in the names of the buyer become question marks.',
    fields((all) => all.map(([name, text]) => [name, isName(name) ? questionMarks(text) : text] as const)),
  ),
  seen(
    'labels.names-exchanged',
    BUYER,
    'The first and the last name of the buyer are exchanged.',
    exchanged((name) =>
      isName(name) ? (name === 'shipping_first_name' ? 'shipping_last_name' : 'shipping_first_name') : name,
    ),
  ),
  seen(
    'labels.names-capitalized',
    BUYER,
    'The first letters of words in the names of the buyer become capitals, and the others small.',
    fields((all) => all.map(([name, text]) => [name, isName(name) ? capitalized(text) : text] as const)),
  ),
  seen(
    'labels.company-cut',
    BUYER,
    'The company of the buyer is cut after 40 characters.',
    value('shipping_company', (text) => text.slice(0, COMPANY_CHARS)),
  ),
  seen(
    'labels.email-of-earlier-order',
    BUYER,
    'The e-mail address is that of the order whose label was requested before.',
    (correct) => {
      let earlier: string | undefined;
      return {
        labelFields: (context) =>
          correct.labelFields(context).map(([name, text]) => {
            if (name !== 'shipping_email') return [name, text] as const;
            const sent = earlier ?? text;
            earlier = text;
            return [name, sent] as const;
          }),
      };
    },
  ),
  seen(
    'labels.street-cut',
    ADDRESS,
    'The street of the delivery address is cut after 24 characters.',
    value('shipping_street', (text) => text.slice(0, SHORT_TEXT_CHARS)),
  ),
  seen(
    'labels.zip-as-number',
    ADDRESS,
    'Only the digits of the postal code are sent.',
    value('shipping_zip', (text) => text.replace(/\D/g, '').replace(/^0+/, '')),
  ),
  seen(
    'labels.addresses-exchanged',
    [ADDRESS, 'labels.request.buyer-address-for-pickup'],
    'The delivery address and the buyer’s own address are exchanged.',
    exchanged((name) => {
      if (!/_(street|city|state|zip|country_code)$/.test(name)) return name;
      return name.startsWith('buyer_') ? name.replace('buyer_', 'shipping_') : name.replace('shipping_', 'buyer_');
    }),
  ),
  seen(
    'labels.no-phone',
    PHONE,
    'The phone number that the buyer entered is not sent.',
    value('shipping_phone', () => null),
  ),
  seen(
    'labels.phone-cut',
    PHONE,
    'The phone number of the buyer loses its last digit.',
    value('shipping_phone', (text) => text.slice(0, -1)),
  ),
  seen(
    'labels.seller-address-of-delivery',
    SHOP,
    'The address of the seller is the street of the delivery address.',
    fields((all) => {
      const street = new Map(all).get('shipping_street');
      return all.map(([name, text]) => [name, name === 'seller_address' ? (street ?? text) : text] as const);
    }),
  ),
  seen(
    'labels.seller-of-first-shop',
    SHOP,
    'The seller is that of the shop with which the template of the request was made.',
    value('seller_name', () => 'Amber Shop SIA'),
  ),
  seen(
    'labels.alias-of-first-shop',
    SHOP,
    'The alias is that of the shop with which the template of the request was made.',
    value('website_alias', () => 'amber-shop'),
  ),
  seen(
    'labels.domain-of-service',
    SHOP,
    'The domain name is one of the service, under which the shop is not found.',
    value('website_domain', () => 'shops.service.example'),
  ),
  seen(
    'labels.amount-in-cents',
    TOTALS,
    'The amount is sent in the smallest unit of the currency.',
    value('amount', (text) => String(Math.round(Number(text) * 100))),
  ),
  seen(
    'labels.amount-of-first-line',
    TOTALS,
    'The amount is the price of the first item.',
    value('amount', (text, { order }) => order.cart[0]?.price ?? text),
  ),
  seen(
    'labels.weight-of-single-items',
    TOTALS,
    'The weight does not count the quantities.',
    value('weight', (_text, { order }) => String(order.cart.reduce((sum, line) => sum + line.weight, 0))),
  ),
  seen(
    'labels.currency-of-service',
    TOTALS,
    'The currency is always that of the service.',
    value('currency', () => 'USD'),
  ),
];
