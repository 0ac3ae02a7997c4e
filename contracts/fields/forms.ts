/**
 * Forms of values: what a value of each kind looks like, and which values say that nothing is there. One table for the field
 * checks, the models, and the rules over traffic.
 */
import { isJsonObject } from '../json/object.ts';
import { jsonIn } from '../json/parse.ts';
import { isCountryCode, isLanguageCode, isMoneyText, isTimestamp } from './scalars.ts';
import { isUnset } from './unset.ts';

/** A rule about the value of a field. */
export interface Form {
  /** `a boolean`, for reports. */
  readonly expected: string;
  readonly holds: (value: unknown) => boolean;
  /** Whether a value says that nothing is there. */
  readonly isUnset: (value: unknown) => boolean;
}

/** Absent or null: where a number or a boolean is due, an empty text is a value of the wrong type. */
export const isMissing = (value: unknown): boolean => value === undefined || value === null;

/** What databases write for a date that was never set. */
const isNoDate = (value: unknown): boolean => isUnset(value) || value === '0000-00-00 00:00:00';

const isText = (value: unknown): boolean => typeof value === 'string';
const form = (expected: string, holds: Form['holds'], unset: Form['isUnset'] = isUnset): Form => ({
  ...{ expected, holds },
  isUnset: unset,
});

export const FORMS = {
  id: form('a string', isText, isMissing),
  text: form('a string', isText),
  multilanguage: form(
    'a string, or an object of language codes and strings',
    (value) =>
      isText(value) ||
      (isJsonObject(value) &&
        Object.entries(value).every(
          ([language, text]) => isLanguageCode(language) && (text === null || typeof text === 'string'),
        )),
  ),
  country: form('a two-letter text', (value) => isCountryCode(value)),
  'lower-case country': form('two lower-case letters', (value) => isCountryCode(value, 'lower')),
  countries: form(
    'an array of two-letter texts',
    (value) => Array.isArray(value) && value.every((code) => isCountryCode(code)),
  ),
  languages: form('an array of language codes', Array.isArray),
  email: form('a string', isText),
  address: form('a string', isText),
  'web address': form('a full http or https address', isHttpText, isMissing),
  'web link': form('an http or https address, in full or from the root of the host', isWebLink, isMissing),
  domain: form('a string', isText),
  object: form('an object', isJsonObject),
  integer: form('an integer', Number.isInteger, isMissing),
  number: form('a number', (value) => typeof value === 'number', isMissing),
  boolean: form('a boolean', (value) => typeof value === 'boolean', isMissing),
  timestamp: form('a valid date and time in the form YYYY-MM-DD HH:MM:SS', isTimestamp, isNoDate),
  money: form('one string of a currency code and an amount', isMoneyText),
  tlds: form('top-level domains in one string, with commas between them', isListOfTlds),
} as const satisfies Record<string, Form>;

/** Whether a value that was read is of a kind, or says that nothing is there. */
export const fits = (kind: Kind, value: unknown): boolean => FORMS[kind].isUnset(value) || FORMS[kind].holds(value);

/** What kind of value a field holds. */
export type Kind = keyof typeof FORMS;

type Texts = Readonly<Record<string, string>>;

/** The type of a value that clients send and read, by its kind. */
export interface ValueOf extends Record<Kind, unknown> {
  readonly id: string;
  readonly text: string;
  readonly multilanguage: string | Texts;
  readonly country: string;
  readonly 'lower-case country': string;
  readonly countries: readonly string[];
  readonly languages: readonly string[];
  readonly email: string;
  readonly address: string;
  readonly 'web address': string;
  readonly 'web link': string;
  readonly domain: string;
  readonly object: Readonly<Record<string, unknown>>;
  readonly integer: number;
  readonly number: number;
  readonly boolean: boolean;
  readonly timestamp: string;
  readonly money: string;
  readonly tlds: string;
}

/** Kinds whose form the schemas of the documents can't state in full. */
export const BEYOND_SCHEMA: ReadonlySet<Kind> = new Set(['timestamp', 'tlds', 'web address', 'web link'] as const);

function isHttpText(value: unknown): boolean {
  return typeof value === 'string' && /^https?:\/\//i.test(value);
}

/**
 * Top-level domains between commas, in any script, with or without a dot or a space in front.
 *
 * @example ['lv, com', '.lv,.com,'].every(isListOfTlds) // true
 * @example isListOfTlds('lv;com') // false
 */
export function isListOfTlds(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const names = value.replace(/,\s*$/, '').split(',');
  return names.every((name) => /^\s*\.?[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}.-]*[\p{L}\p{N}\p{M}])?\s*$/u.test(name));
}

/**
 * A link that leads to a page: a full address, or one from the root of the host or relative to the base, as links of lists are.
 *
 * @example ['https://a.example/x', '//a.example/x', '/login/x'].every(isWebLink) // true
 * @example ['mailto:a@a.example', 'x'].some(isWebLink) // false
 */
export function isWebLink(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  if (/^[a-z][a-z0-9+.-]*:/i.test(value)) return /^https?:\/\//i.test(value) && URL.canParse(value);
  return value.includes('/') && URL.canParse(value, 'https://host.example/api/');
}

/** A host name in any script, without scheme and path; a port may follow it. */
export function isDomainName(value: unknown): value is string {
  return typeof value === 'string' && /^[\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)*\.?(:\d+)?$/u.test(value);
}

/** An http or https address with a host. */
export function isFullAddress(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\/[^/?#\s]+/i.test(value) && URL.canParse(value);
}

/** JSON text of an array or object that is not empty: a cart that something was bought from. */
export function isFilledJsonText(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  const container = jsonIn(value);
  return typeof container === 'object' && container !== null && Object.keys(container).length > 0;
}
