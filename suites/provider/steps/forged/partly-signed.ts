/**
 * Signatures over a part of the fields, for requests whose other fields are as usual or empty: what a page leaves out of the message
 * anyone can change. Which part it is can't be known, and there are too many to try each. In a request whose other fields are empty the
 * parts that differ only in these have one message, so that one signature tries all of them.
 */
import { type Fields, SIGNATURE_FIELD, sign } from '../../../../contracts/signing/index.ts';

export interface PartlySigned {
  /** For the report, the end of "a request with …". */
  readonly change: string;
  /** What is posted, the signature among it. */
  readonly fields: Fields;
}

/** What identifies a request, and what pages are likely to think worth a signature. */
const PARTS: readonly (readonly string[])[] = [
  ['callback_url'],
  ['order_uuid'],
  ['invoice_id'],
  ['label_request_id', 'callback_url'],
  ['callback_url', 'label_request_id'],
  ['label_request_id', 'order_uuid'],
  ['label_request_id', 'order_uuid', 'callback_url'],
  ['label_request_id', 'order_uuid', 'invoice_id'],
  ['label_request_id', 'invoice_id'],
  ['label_request_id', 'amount'],
  ['label_request_id', 'amount', 'currency'],
  ['label_request_id', 'order_uuid', 'amount', 'currency'],
  ['label_request_id', 'delivery_method_handle'],
  ['order_uuid', 'callback_url'],
  ['order_uuid', 'invoice_id'],
  ['order_uuid', 'amount'],
  ['order_uuid', 'amount', 'currency'],
  ['invoice_id', 'amount', 'currency'],
];

/** Fields that belong together, and are left out together. */
const GROUPS: readonly (readonly [what: string, isOfGroup: RegExp])[] = [
  ['amount and currency', /^(?:amount|currency)$/],
  ['those of the delivery method', /^delivery_method_/],
  ['those of the seller', /^seller_/],
  ['those of the shipping address', /^shipping_/],
  ['those of the buyer', /^(?:shipping_(?:first|last)_name|shipping_(?:email|phone|company.*)|buyer_.*)$/],
  ['those of the website', /^(?:website_|language_code)/],
  ['cart and weight', /^(?:cart|weight)$/],
  ['callback_url and those of the website', /^(?:callback_url|website_.*|language_code)$/],
  ['label_request_id and callback_url', /^(?:label_request_id|callback_url)$/],
];

/** Without these no page knows what it is asked for. */
const IDENTIFYING = ['label_request_id', 'callback_url'];
/** Without these many pages cannot make a label. */
const FOR_LABEL =
  /^(?:order_uuid|invoice_id|delivery_method_handle|shipping_(?:first_name|last_name|pickup_point_id|street|city|zip|country_code)|cart|weight)$/;

const signedOver = (fields: Fields, signed: Fields, key: string): Fields => [
  ...fields,
  [SIGNATURE_FIELD, sign(signed, key)],
];

/** Requests made of `fields`, an unsigned request, whose signature is that of a part of them. */
export function partlySigned(fields: Fields, key: string): PartlySigned[] {
  const values = new Map(fields);
  const parts = PARTS.filter((names) => names.every((name) => values.has(name))).map((names) => ({
    change: `the signature of ${names.join(' and ')} alone`,
    posted: fields,
    signed: names.map((name) => [name, values.get(name) ?? ''] as const),
  }));
  const groups = GROUPS.map(([what, isOfGroup]) => ({
    change: `the signature of all fields but ${what}`,
    posted: fields,
    signed: fields.filter(([name]) => !isOfGroup.test(name)),
  }));
  const others = fields.map(([name]) => name).filter((name) => !IDENTIFYING.includes(name));
  const sparse = [...others, 'callback_url'].flatMap((left) =>
    isForLabel(left) ? [] : [withOthersEmpty(fields, left, isForLabel)],
  );
  const bare = ['callback_url', 'order_uuid', 'shipping_last_name', 'cart'].map((left) =>
    withOthersEmpty(fields, left, (name) => IDENTIFYING.includes(name)),
  );
  return [...parts, ...groups, ...sparse, ...bare]
    .filter(({ posted, signed }) => messageOf(signed) !== messageOf(posted))
    .map(({ change, posted, signed }) => ({ change, fields: signedOver(posted, signed, key) }));
}

const isForLabel = (name: string): boolean =>
  (IDENTIFYING.includes(name) && name !== 'callback_url') || FOR_LABEL.test(name);

const messageOf = (fields: Fields): string => fields.map(([, value]) => value).join('');

/** A field left out of the message of a request in which all but it and the kept ones are empty. */
function withOthersEmpty(
  fields: Fields,
  left: string,
  isKept: (name: string) => boolean,
): { readonly change: string; readonly posted: Fields; readonly signed: Fields } {
  const isFilled = (name: string): boolean => name === left || IDENTIFYING.includes(name) || isKept(name);
  const posted = fields.map(([name, value]) => [name, isFilled(name) ? value : ''] as const);
  const kept = fields.map(([name]) => name).filter((name) => name !== left && isFilled(name));
  const what = kept.length > IDENTIFYING.length ? 'what a label needs' : kept.join(' and ');
  return {
    change: `the signature of all fields but ${left}, and only it and ${what} filled`,
    posted,
    signed: posted.filter(([name]) => name !== left),
  };
}
