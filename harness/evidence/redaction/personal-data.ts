/**
 * Masks the data of people who have nothing to do with a test: names, e-mails, phones and addresses in website records,
 * account settings and label requests. Found by the field names of the spec (resources of A, B and C, label request).
 */
import { formText, jsonText } from './encoded-text.ts';

/** What replaces a masked text; an empty text, null and numbers stay, because presence is what is judged. */
export const MASK = '(masked)';

/** Fields of the spec that hold data of a person, in lower case. Country codes, ids and handles stay readable. */
const PERSONAL_FIELDS = [
  'username',
  'useremail',
  'contactname',
  'contactemail',
  'contactphone',
  'addraddress',
  'addrcity',
  'addrregion',
  'addrpostal',
  'supportemail',
  'supportphone',
  'email',
  'phone',
  'seller_name',
  'seller_address',
  'shipping_first_name',
  'shipping_last_name',
  'shipping_company',
  'shipping_company_id',
  'shipping_company_vat',
  'shipping_email',
  'shipping_phone',
  'shipping_street',
  'shipping_city',
  'shipping_state',
  'shipping_zip',
  'buyer_street',
  'buyer_city',
  'buyer_state',
  'buyer_zip',
] as const;

const personal: ReadonlySet<string> = new Set(PERSONAL_FIELDS);

/** Whether a field of the spec holds data of a person. */
export const isPersonalField = (name: string): boolean => personal.has(name.toLowerCase());
const anyField = PERSONAL_FIELDS.join('|');

/** A secret that was taken out already; it says more than a mask, and commands that repeat an exchange need it. */
const SECRET_NAME = '\\$[A-Z][A-Z0-9_]*(?:\\(\\w+\\))?(?![A-Za-z0-9_(])';

/** A quote in JSON in JSON, five times over. Without a bound a text of backslashes would be searched from each of them. */
const QUOTE = '\\\\{0,31}"';

/** `"userEmail": "…"` in JSON text, also where that text is itself inside a JSON string. */
const IN_JSON = new RegExp(
  `((?<!\\\\)${QUOTE}(?:${anyField})${QUOTE}\\s*:\\s*)(${QUOTE})(?!${SECRET_NAME})((?:(?!\\2)(?:\\\\.|[^"\\\\]))+)(\\2)`,
  'gi',
);
/** `shipping_email=…` in a query or a form. */
const IN_FORM = new RegExp(`((?:^|[?&;])(?:${anyField})=)(?!${SECRET_NAME})[^&#\\s"'<>]+`, 'gi');
/** A part of a multipart form; its headers are few and short. */
const IN_MULTIPART = new RegExp(
  `(;\\s*name="(?:${anyField})"[^\\r\\n]{0,400}\\r?\\n(?:[^\\r\\n]{1,400}\\r?\\n){0,8}\\r?\\n)(?!--|${SECRET_NAME})[^\\r\\n]+`,
  'gi',
);

/** Says quickly that a text has no such field. */
const ANY_FIELD = new RegExp(anyField, 'i');

const IS_SECRET_NAME = new RegExp(`^${SECRET_NAME}$`);

/** Masks the strings under the name of a personal field in a JSON value. */
export function maskPersonal<T>(value: T): T {
  return mask(value, false) as T;
}

function mask(value: unknown, inside: boolean): unknown {
  if (typeof value === 'string') return inside && value !== '' && !IS_SECRET_NAME.test(value) ? MASK : value;
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return value.map((item) => mask(item, inside));
  const pairs = Object.entries(value).map(([name, item]) => [name, mask(item, isPersonalField(name))]);
  return Object.fromEntries(pairs);
}

/** The same in the text of a request or a response: JSON, query, urlencoded or multipart form. The rest stays as it is. */
export function maskPersonalText(text: string): string {
  return mapPersonalText(text, () => MASK);
}

/** How a value is written in its place: in a JSON text, in a query or form, as it is. */
export type PersonalForm = 'json' | 'form' | '';

/**
 * Replaces the values of personal fields in a text by what `each` gives for them; `undefined` leaves one as it is. It is given
 * the value without the escapes of its place, and returns the text that replaces it.
 */
export function mapPersonalText(text: string, each: (value: string, form: PersonalForm) => string | undefined): string {
  if (!ANY_FIELD.test(text)) return text;
  const inJson = (inner: string): string | undefined => each(jsonText(inner), 'json');
  return text
    .replace(IN_JSON, (all, field: string, quote: string, inner: string) => {
      const instead = inJson(inner);
      return instead === undefined ? all : `${field}${quote}${instead}${quote}`;
    })
    .replace(IN_FORM, (all: string, before: string) => {
      const instead = each(formText(all.slice(before.length)), 'form');
      return instead === undefined ? all : `${before}${instead}`;
    })
    .replace(IN_MULTIPART, (all: string, before: string) => {
      const instead = each(all.slice(before.length), '');
      return instead === undefined ? all : `${before}${instead}`;
    });
}
