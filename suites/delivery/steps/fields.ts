/**
 * How two values of a field of a method or point are compared, by the catalogue of fields
 * (spec: Resources and their fields). Not set is one value, however it is written: absent, null, "" or [].
 */
import { isDeepStrictEqual } from 'node:util';
import {
  METHOD,
  METHOD_FIELDS,
  METHOD_KEPT,
  type MethodField,
  POINT,
  POINT_FIELDS,
  POINT_KEPT,
  type PointField,
} from '../../../contracts/fields/catalogue/delivery.ts';
import type { Fields } from '../../../contracts/fields/catalogue/row.ts';
import { fits } from '../../../contracts/fields/forms.ts';
import { type MultilanguageText, readsBack, type WebsiteLanguages } from '../../../contracts/fields/multilanguage.ts';
import { isUnset } from '../../../contracts/fields/unset.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { Fault } from '../../../harness/check/expect.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isObject } from '../../../harness/target/response/judge-response.ts';

export { METHOD_FIELDS, METHOD_KEPT, type MethodField, POINT_FIELDS, POINT_KEPT, type PointField };

type Field = MethodField | PointField;

/** Kinds of the fields by name; those that methods and points share are of one kind. */
const ROWS: Fields = { ...METHOD, ...POINT };

/** Holds a field of a point to its form: a wrong one is a breach of another clause than that it is kept. */
export function givenShape({ given }: Context, field: PointField, read: unknown): void {
  const { form, kept, kind } = POINT[field];
  if (form !== kept) given.holds(fits(kind, read), form, `the ${field} reads as ${JSON.stringify(read)}`);
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
  const kind = ROWS[field]?.kind;
  if (kind === 'country') return upper(a) === upper(b);
  // A set in the sense of the contract: its order says nothing.
  if (kind === 'countries' && Array.isArray(a) && Array.isArray(b))
    return isDeepStrictEqual(a.map(upper).sort(), b.map(upper).sort());
  return isDeepStrictEqual(a, b);
}

/** Attributes may be an object without members where there are none. */
function saysNothing(field: string, value: unknown): boolean {
  return isUnset(value) || (ROWS[field]?.kind === 'object' && isObject(value) && Object.keys(value).length === 0);
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
