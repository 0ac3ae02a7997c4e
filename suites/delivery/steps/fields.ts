/**
 * The fields of methods and points, how two values of one are compared, and which clause says that it is kept
 * (spec: Resources and their fields). Not set is one value, however it is written: absent, null, "" or [].
 */
import { isDeepStrictEqual } from 'node:util';
import { type MultilanguageText, readsBack, type WebsiteLanguages } from '../../../contracts/fields/multilanguage.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { Fault } from '../../../harness/check/expect.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isObject } from '../../../harness/target/response/judge-response.ts';

export const METHOD_FIELDS = [
  'title',
  'reference',
  'available_countries_from',
  'available_countries_to',
  'print_label_url',
] as const;
export type MethodField = (typeof METHOD_FIELDS)[number];

export const POINT_FIELDS = ['title', 'address', 'city', 'zip', 'country', 'attributes'] as const;
export type PointField = (typeof POINT_FIELDS)[number];

type Field = MethodField | PointField;

/** The clause that says that a field of a method reads back as it was given. */
export const METHOD_KEPT: Readonly<Record<MethodField, string>> = {
  title: 'delivery.method.title-kept',
  reference: 'delivery.method.reference-kept',
  available_countries_from: 'delivery.method.countries-from-kept',
  available_countries_to: 'delivery.method.countries-to-kept',
  print_label_url: 'delivery.method.print-label-url-kept',
};

/** The clause that says that a field of a pickup point reads back as it was given. */
export const POINT_KEPT: Readonly<Record<PointField, string>> = {
  title: 'delivery.point.title-kept',
  address: 'delivery.point.address-kept',
  city: 'delivery.point.city-kept',
  zip: 'delivery.point.zip-kept',
  country: 'delivery.point.country-kept',
  attributes: 'delivery.point.attributes-object-kept',
};

/** A country code, in either letter case, or nothing. */
export const isCountry = (read: unknown): boolean =>
  isUnset(read) || (typeof read === 'string' && /^[A-Za-z]{2}$/.test(read));

/** Which form some fields of a point have, where they are set, and the clause that says so. */
export const POINT_SHAPES: Readonly<
  Partial<Record<PointField, { readonly clause: string; readonly isRight: (read: unknown) => boolean }>>
> = {
  title: {
    clause: 'delivery.multilanguage.shape',
    isRight: (read) =>
      isUnset(read) ||
      typeof read === 'string' ||
      (isObject(read) && Object.values(read).every((text) => text === null || typeof text === 'string')),
  },
  country: {
    clause: 'delivery.point.country-is-code',
    isRight: isCountry,
  },
  attributes: {
    clause: 'delivery.point.attributes-shape',
    isRight: (read) => isUnset(read) || isObject(read),
  },
};

/** Holds a field of a point to its form: a wrong one is a breach of another clause than that it is kept. */
export function givenShape({ given }: Context, field: PointField, read: unknown): void {
  const shape = POINT_SHAPES[field];
  if (shape !== undefined)
    given.holds(shape.isRight(read), shape.clause, `the ${field} reads as ${JSON.stringify(read)}`);
}

/** The languages of the website as the profile knows them; none where it says nothing. */
export function websiteOf({ profile }: Context): WebsiteLanguages {
  return { languages: profile.website?.languages ?? [], defaultLanguage: profile.website?.defaultLanguage };
}

/** A text in one language, the default one where that is known: nothing is left to languages that go unnamed. */
export function inOneLanguage(context: Context, words: string): MultilanguageText {
  const { languages, defaultLanguage } = websiteOf(context);
  const language = defaultLanguage ?? languages[0];
  return language === undefined ? words : { [language]: words };
}

/** Whether a value says nothing. */
export function isUnset(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** How a field reads other than it was sent; none when it reads back. Of a title only what was sent is judged. */
export function readBackFaults(context: Context, field: Field, sent: unknown, read: unknown): Fault[] {
  if (field === 'title') {
    return readsBack(sent as MultilanguageText, read, websiteOf(context))
      .filter(({ rule }) => rule !== 'multilanguage.language-exists')
      .map((fault) => ({ ...fault, pointer: `/title${fault.pointer}` }));
  }
  if (sameValue(field, sent, read)) return [];
  const message = `${field} was given as ${JSON.stringify(sent)} and reads ${JSON.stringify(read) ?? 'as nothing'}`;
  return [{ message, pointer: `/${field}`, expected: sent, actual: read }];
}

/** Whether two readings of a field say the same. */
export function sameReading(context: Context, field: string, a: unknown, b: unknown): boolean {
  if (field !== 'title') return sameValue(field, a, b);
  return isDeepStrictEqual(textsOf(context, a), textsOf(context, b));
}

/** Some of the fields. */
export const pick = (values: Json, fields: readonly Field[]): Json =>
  Object.fromEntries(fields.map((field) => [field, values[field]]));

/** The fields in which two readings differ. */
export function changedFields(context: Context, fields: readonly string[], before: Json, after: Json): string[] {
  return fields.filter((field) => !sameReading(context, field, before[field], after[field]));
}

function sameValue(field: string, a: unknown, b: unknown): boolean {
  if (saysNothing(field, a) && saysNothing(field, b)) return true;
  if (field === 'country') return upper(a) === upper(b);
  if (field.startsWith('available_countries')) {
    // A set in the sense of the contract: its order says nothing.
    if (Array.isArray(a) && Array.isArray(b)) return isDeepStrictEqual(a.map(upper).sort(), b.map(upper).sort());
  }
  return isDeepStrictEqual(a, b);
}

/** Attributes may be an object without members where there are none. */
function saysNothing(field: string, value: unknown): boolean {
  return isUnset(value) || (field === 'attributes' && isObject(value) && Object.keys(value).length === 0);
}

/** The letter case of a country code is not fixed. */
const upper = (value: unknown): unknown => (typeof value === 'string' ? value.toUpperCase() : value);

/** The texts of a title by language, whether it reads as an object or as a plain string. */
export function textsOf(context: Context, read: unknown): Readonly<Record<string, unknown>> {
  if (isUnset(read)) return {};
  if (!isObject(read)) {
    const { languages, defaultLanguage } = websiteOf(context);
    return { [defaultLanguage ?? languages[0] ?? 'the default language']: read };
  }
  return Object.fromEntries(Object.entries(read).filter(([, text]) => text !== null && text !== ''));
}
