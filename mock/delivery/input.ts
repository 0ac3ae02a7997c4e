/** Reads methods and points from a request and checks types. Unknown fields are ignored. */
import {
  METHOD,
  METHOD_FIELDS,
  type MethodField,
  POINT,
  POINT_FIELDS,
  type PointField,
} from '../../contracts/fields/catalogue/delivery.ts';
import { FORMS, type ValueOf } from '../../contracts/fields/forms.ts';
import { refuse } from '../http/refusal.ts';
import { isObject } from '../http/request.ts';
import type { DeliveryRules } from '../rules/delivery.ts';
import type { MethodInput } from '../types/method.ts';
import type { PointInput } from '../types/point.ts';
import type { Languages, Text } from '../types/text.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The object under a name in a body; refuses any other value. */
export function objectField(body: Fields, name: string): Fields {
  const value = own(body, name);
  if (!isObject(value)) return refuse('invalid', `${name} must be an object.`);
  return value;
}

type Kind = (typeof METHOD)[MethodField]['kind'] | (typeof POINT)[PointField]['kind'];
type Read = (rules: DeliveryRules, fields: Fields, name: string, site: Languages) => unknown;

/** Kinds for which the service requires more than the format. */
const READERS: Readonly<Partial<Record<Kind, Read>>> = {
  multilanguage: textField,
  country: countryField,
  countries: countriesField,
  address: hostedAddressField,
  object: objectOrEmptyField,
};

export const methodInput = (rules: DeliveryRules, fields: Fields, site: Languages): MethodInput =>
  inputOf(METHOD, METHOD_FIELDS, rules, fields, site);

/** The fields of a pickup point in a body; refuses values of other kinds and ids that no path can hold. */
export function pointInput(rules: DeliveryRules, fields: Fields, site: Languages): PointInput {
  const id = own(fields, 'id');
  if (id !== undefined && (typeof id !== 'string' || !rules.acceptsPointId(id))) {
    return refuse('invalid', 'id must be a string of 1 to 255 characters, and not "." or "..".');
  }
  return { ...(id === undefined ? {} : { id }), ...inputOf(POINT, POINT_FIELDS, rules, fields, site) };
}

/** The fields of a resource that a request carries, each read by its kind. */
function inputOf<Name extends string>(
  rows: Readonly<Record<Name, { readonly kind: Kind }>>,
  names: readonly Name[],
  rules: DeliveryRules,
  fields: Fields,
  site: Languages,
): { readonly [key in Name]?: never } {
  const input: { [key in Name]?: unknown } = {};
  for (const name of names) {
    const { kind } = rows[name];
    const reader = READERS[kind];
    const value = reader === undefined ? formField(fields, name, kind) : reader(rules, fields, name, site);
    if (value !== undefined) input[name] = value;
  }
  return input as { [key in Name]?: never };
}

/** A boolean flag; null and absent mean that it was not sent. */
export function flagField(fields: Fields, name: string): boolean | null {
  const value = own(fields, name) ?? null;
  if (value !== null && typeof value !== 'boolean') return refuse('invalid', `${name} must be true or false.`);
  return value;
}

/** A country code in a body: undefined if it is missing, null if it is empty; refuses other texts. */
export function countryField(rules: DeliveryRules, fields: Fields, name = 'country'): string | null | undefined {
  const country = stringField(fields, name);
  if (country && !rules.acceptsCountry(country)) return refuse('invalid', `${name} must be a 2-letter country code.`);
  return country === '' ? null : country;
}

/** The own property of an object, never an inherited one such as `constructor`. */
function own(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** A value in the format of its kind; null and absent values are accepted unchanged. */
function formField<K extends keyof ValueOf>(fields: Fields, name: string, kind: K): ValueOf[K] | null | undefined {
  const value = own(fields, name);
  if (value === undefined || value === null || FORMS[kind].holds(value)) return value as ValueOf[K] | null | undefined;
  return refuse('invalid', `${name} must be ${FORMS[kind].expected}.`);
}

const stringField = (fields: Fields, name: string): string | null | undefined => formField(fields, name, 'text');

function textField(rules: DeliveryRules, fields: Fields, name: string, site: Languages): Text | null | undefined {
  const value = own(fields, name);
  if (value === undefined || value === null || typeof value === 'string') return value;
  if (!isObject(value)) return refuse('invalid', `${name} must be a string or an object of texts by language code.`);
  for (const [language, text] of Object.entries(value)) {
    if (!rules.acceptsLanguage(site, language)) {
      return refuse(
        'invalid',
        `${name} has a text in ${JSON.stringify(language)}, which is not a language of the website.`,
      );
    }
    if (typeof text !== 'string') return refuse('invalid', `${name} must hold a string for ${language}.`);
  }
  return value as Text;
}

function countriesField(rules: DeliveryRules, fields: Fields, name: string): string[] | null | undefined {
  const value = own(fields, name);
  if (value === undefined || value === null) return value;
  if (!Array.isArray(value) || !value.every((code) => typeof code === 'string' && rules.acceptsCountry(code))) {
    return refuse('invalid', `${name} must be an array of 2-letter country codes.`);
  }
  return value as string[];
}

function hostedAddressField(rules: DeliveryRules, fields: Fields, name: string): string | null | undefined {
  const url = stringField(fields, name);
  if (url && !rules.acceptsLabelUrl(url)) {
    return refuse('invalid', `${name} must be an https address (http only on a loopback address).`);
  }
  return url;
}

function objectOrEmptyField(_rules: DeliveryRules, fields: Fields, name: string): Fields | '' | null | undefined {
  const value = own(fields, name);
  if (value === undefined || value === null || value === '' || isObject(value))
    return value as Fields | '' | null | undefined;
  return refuse('invalid', `${name} must be an object or an empty string.`);
}
