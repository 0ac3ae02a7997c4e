/** Ids, references and countries as codes: which forms there are, and which calls carry one. */
import { isJsonObject } from '../../../contracts/json/object.ts';
import type { ServiceRequest } from '../../target/client/request.ts';

/**
 * Forms that some services insist on: ids and references that are numbers of terminals or in capitals, countries in lower case,
 * whose case the contract does not fix.
 */
export const CODE_FORMS = [
  'digits',
  'capitals',
  'lower-case countries',
  'digits, lower-case countries',
  'capitals, lower-case countries',
] as const;
export type CodeForm = (typeof CODE_FORMS)[number];
/** Forms of ids and references that are not words. */
export const ID_FORMS = ['digits', 'capitals'] as const;
export type IdForm = (typeof ID_FORMS)[number];
/** The reference of a method, and the id of a point. */
export type Code = 'reference' | 'id';

/** The form of ids and references; undefined where they stay words. */
export const idFormIn = (form: CodeForm | undefined): IdForm | undefined =>
  ID_FORMS.find((one) => form?.startsWith(one));

/** Whether countries go out in small letters. */
export const hasSmallCountries = (form: CodeForm | undefined): boolean =>
  form?.endsWith('lower-case countries') === true;

export const IN_FORM: Readonly<Record<IdForm, RegExp>> = {
  digits: /^[1-9]\d{0,9}$/,
  capitals: /^[A-Z][A-Z\d]{0,9}$/,
};

/** The id in a path of one point. */
export const POINT_PATH = /^(store\/delivery_method\/[^/]+\/pickup_point\/)([^/]+)(\/)$/;

/** The fields of methods and points that hold codes of countries. */
export const COUNTRY_FIELDS = ['available_countries_from', 'available_countries_to', 'country'] as const;

/** Whether a call names a point, or sends ids of points, the reference or the countries of a method, or a snippet. */
export function carriesCodes({ api, path, body }: ServiceRequest): boolean {
  if (api !== 'v1') return false;
  if (POINT_PATH.test(path)) return true;
  const json = body !== undefined && 'json' in body && isJsonObject(body.json) ? body.json : {};
  const { delivery_method: method, pickup_point: point, pickup_points: points, snippet } = json;
  if (typeof snippet === 'string' && snippet !== '') return true;
  const isNewMethod = isJsonObject(method) && path === 'store/delivery_method/';
  const isChanged = isJsonObject(method) && ['reference', ...COUNTRY_FIELDS].some((name) => name in method);
  return isNewMethod || isChanged || isJsonObject(point) || Array.isArray(points);
}

const WORD_LETTERS = 9;

/** Letters that look random and are the same for the same text. */
export function lettersOf(text: string): string {
  let [high, low] = [0x811c9dc5, 0x1000193];
  for (const letter of text) {
    high = Math.imul(high ^ letter.codePointAt(0)!, 0x01000193) >>> 0;
    low = (Math.imul(low, 31) + high) >>> 0;
  }
  let letters = '';
  for (let at = 0; at < WORD_LETTERS; at += 1) {
    letters += String.fromCharCode(97 + (high % 26));
    high = (Math.imul(high ^ (low >>> 3), 0x85ebca6b) + at) >>> 0;
    low = (Math.imul(low, 0xc2b2ae35) ^ high) >>> 0;
  }
  return letters;
}

/** Nine digits for as many letters, the first of them not 0. */
export function digitsOf(letters: string): string {
  const number = [...letters].reduce((sum, letter) => (sum * 26 + letter.charCodeAt(0) - 65) % 900_000_000, 0);
  return String(100_000_000 + number);
}

/** A JSON text without words and codes of stand-ins, which are others in each attempt: for texts that are compared apart from them. */
export const withoutWords = (json: string): string => json.replace(ANY_WORD, '""');

const ANY_WORD = new RegExp(`"(?:[Pp][a-z]{${WORD_LETTERS}}|[A-Z]{${WORD_LETTERS}}|\\d{${WORD_LETTERS}})"`, 'g');
