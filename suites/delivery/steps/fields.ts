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
import { isSameAddress } from '../../../contracts/fields/label-addresses.ts';
import { type MultilanguageText, readsBack, type WebsiteLanguages } from '../../../contracts/fields/multilanguage.ts';
import { isUnset } from '../../../contracts/fields/unset.ts';
import { isJsonObject } from '../../../contracts/json/object.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { Fault } from '../../../harness/check/expect.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';

export { METHOD_FIELDS, METHOD_KEPT, type MethodField, POINT_FIELDS, POINT_KEPT, type PointField };

type Field = MethodField | PointField;

/** Kinds of the fields by name; those that methods and points share are of one kind. */
const ROWS: Fields = { ...METHOD, ...POINT };

/** Asserts the format of a field of a point: a wrong format violates another clause than a lost value. */
export function givenShape({ given }: Context, field: PointField, read: unknown): void {
  const { form, kept, kind } = POINT[field];
  if (form !== kept) given.holds(fits(kind, read), form, `the ${field} reads as ${JSON.stringify(read)}`);
}

/** The languages of the website from the profile; none if it does not name them. */
export function websiteOf({ profile }: Context): WebsiteLanguages {
  return { languages: profile.website?.languages ?? [], defaultLanguage: profile.website?.defaultLanguage };
}

/** A text in one language, the default one if it is known, so that no unnamed languages remain. */
export function inOneLanguage(context: Context, words: string): MultilanguageText {
  const { languages, defaultLanguage } = websiteOf(context);
  const language = defaultLanguage ?? languages[0];
  return language === undefined ? words : { [language]: words };
}

/**
 * Whether a title that was sent as a plain string reads as this string, or has it in any language (spec: Multilanguage text): for owners
 * whose languages are not known.
 */
export function showsPlainTitle(read: unknown, sent: string): boolean {
  const texts = isJsonObject(read) ? Object.values(read) : [read];
  return texts.includes(sent);
}

/** The differences of a field from what was sent; none if it reads back. Only the sent languages of a title are judged. */
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

/** Whether two readings of a field are equal. */
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
  // A set: its order means nothing.
  if (kind === 'countries' && Array.isArray(a) && Array.isArray(b))
    return isDeepStrictEqual(a.map(upper).sort(), b.map(upper).sort());
  return kind === 'address' ? isSameAddress(a, b) : isDeepStrictEqual(a, b);
}

/** Unset attributes may be an empty object. */
function saysNothing(field: string, value: unknown): boolean {
  return isUnset(value) || (ROWS[field]?.kind === 'object' && isJsonObject(value) && Object.keys(value).length === 0);
}

/** The letter case of a country code is not fixed. */
const upper = (value: unknown): unknown => (typeof value === 'string' ? value.toUpperCase() : value);

/** The languages in which a title still has the text of a former one, beside the one in which `inOneLanguage` writes. */
export function keptTexts(context: Context, former: unknown, now: unknown): string[] {
  const [before, after] = [textsOf(context, former), textsOf(context, now)];
  const sent = textsOf(context, inOneLanguage(context, 'sent'));
  return Object.keys(before).filter(
    (language) => !Object.hasOwn(sent, language) && before[language] === after[language],
  );
}

/** Whether a title still has its former text in the language of plain strings. That of another language may stand in for an empty one. */
export function holdsFormerText(context: Context, former: unknown, now: unknown): boolean {
  const [before, after] = [textsOf(context, former), textsOf(context, now)];
  return Object.keys(textsOf(context, inOneLanguage(context, 'sent'))).some(
    (language) => before[language] !== undefined && before[language] === after[language],
  );
}

/** States that a plain string sets the text of a title in the default language, where the service takes it. */
export async function givenPlainTitle(
  context: Context,
  change: (fields: Json) => Promise<ServiceResponse>,
  read: () => Promise<Json>,
): Promise<void> {
  const title = 'Plain words';
  if (!isServed(await change({ title }))) return;
  const isApplied = holdsFormerText(context, title, (await read()).title);
  context.given.holds(isApplied, 'delivery.multilanguage.string-sets-default-language', 'a plain title is not applied');
}

/** The texts of a title by language, from an object or a plain string. */
export function textsOf(context: Context, read: unknown): Readonly<Record<string, unknown>> {
  if (isUnset(read)) return {};
  if (!isJsonObject(read)) {
    const { languages, defaultLanguage } = websiteOf(context);
    return { [defaultLanguage ?? languages[0] ?? 'the default language']: read };
  }
  return Object.fromEntries(Object.entries(read).filter(([, text]) => text !== null && text !== ''));
}
