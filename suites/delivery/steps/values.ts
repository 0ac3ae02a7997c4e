/** Values for the fields of methods and points: two plain sets that differ in every field, and awkward texts. */
import { METHOD, POINT } from '../../../contracts/fields/catalogue/delivery.ts';
import type { Fields } from '../../../contracts/fields/catalogue/row.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { MethodUnderTest } from '../../../harness/check/given/index.ts';
import { postalCodeOf } from '../../../harness/plain/stand-ins/postal-codes.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { inOneLanguage, websiteOf } from './fields.ts';

/** Letters, quotes and symbols that a wrong charset or escaping would change. */
export const AWKWARD_TEXT = `Rīga "Ķīp" & 'Co' 5 < 6 100% \\n a+b; Łódź 東京 עברית Рига`;
/** Characters outside the basic plane, which a database with three-byte characters may refuse but must not lose. */
export const EMOJI_TEXT = 'Locker 🚚📦 👩‍💻';
/** Spaces at both ends, two inner spaces, and a letter with a combining mark: a service must not normalize them. */
export const UNTIDY_TEXT = ' Ri\u0304ga  Central ';
/** More than 255 characters, a common length of columns: a service may refuse it but must not truncate it. */
export const LONG_TEXT = `${'Garā iela '.repeat(29)}7`;
/** More than 64 and 100 characters, which some services limit texts to, for one that takes no longer ones. */
export const LINE_TEXT = `${'Garā iela '.repeat(12)}7`;
/** Awkward texts; a service may refuse some of them. */
export const HARD_TEXTS: readonly string[] = [AWKWARD_TEXT, EMOJI_TEXT, LONG_TEXT];
/**
 * Long, of characters that take two units of UTF-16 and four bytes: after one letter each of them begins at an odd unit, so that a cut at
 * an even one, as limits are, also divides a character.
 */
export const LONG_SYMBOLS_TEXT = `K${'📦'.repeat(130)}`;
/** A text that would be shortened if parsed as a number. */
export const NUMERIC_TEXT = '007';

/** Values for all fields of a method. `which` selects one of two sets; the reference carries a mark. */
export function methodValues(context: Context, which: 'first' | 'second'): Json {
  const mark = context.resources.newMark();
  const second = which === 'second';
  const { methodReference } = context.resources.operations;
  const reference = methodReference ?? (second ? `${mark} Rīga/2` : `${mark} one`);
  const countries = context.hasOneCountry ? [ownCountry(context)] : undefined;
  const { print_label_url: address, ...samples } = samplesOf(METHOD, which);
  return {
    title: inOneLanguage(context, second ? `Pakomāts Nr. 2 ${mark}` : `Courier to the door ${mark}`),
    ...(methodReference === null ? {} : { reference }),
    ...samples,
    ...(context.hasNoLabelAddress ? {} : { print_label_url: address }),
    ...(countries === undefined ? {} : { available_countries_from: countries, available_countries_to: countries }),
  };
}

/** The only country that a store certainly accepts; others are not stated. */
export const ownCountry = ({ profile }: Context): string => profile.website?.country ?? 'LV';

/** A second country, for example; the store's own one if that is refused. */
export const otherCountry = (context: Context, code: string): string =>
  context.hasOneCountry ? ownCountry(context) : code;

/** The values of fields that depend neither on the website nor on the run. */
const samplesOf = (rows: Fields, which: 'first' | 'second'): Json =>
  Object.fromEntries(
    Object.entries(rows).flatMap(([name, { samples }]) =>
      samples === undefined ? [] : [[name, samples[which === 'first' ? 0 : 1]]],
    ),
  );

/** Values for all fields of a pickup point except its id. */
export function pointValues(context: Context, which: 'first' | 'second'): Json {
  const second = which === 'second';
  return {
    title: inOneLanguage(context, second ? 'Centrāltirgus pakomāts' : 'Central Station'),
    ...samplesOf(POINT, which),
    ...(context.hasOneCountry ? { country: ownCountry(context) } : {}),
  };
}

/**
 * An example of a change of a point: its city. Which fields can be changed is not stated: after a
 * refusal, a field that this target has changed, or else the title.
 */
export function changeOfPoint(context: Context, words: string): Json {
  const field = exampleOfPoint(context);
  return { [field]: field === 'title' ? context.given.text(words) : words };
}

const EXAMPLES_OF_POINT = ['city', 'address', 'title'] as const;

/** The field that `changeOfPoint` changes. */
export const exampleOfPoint = ({ sendsMinimum, resources }: Context): 'city' | 'title' | 'address' =>
  sendsMinimum ? (resources.operations.changeable('pickup_point', EXAMPLES_OF_POINT) ?? 'title') : 'city';

/** Finds out what `changeOfPoint` can change, for checks that also need something else that may be refused. */
export async function tryChangesOfPoint(
  context: Context,
  { delivery, handle }: Pick<MethodUnderTest, 'delivery' | 'handle'>,
  id: string,
): Promise<void> {
  if (!context.sendsMinimum || context.resources.operations.changeable('pickup_point', EXAMPLES_OF_POINT)) return;
  for (const field of EXAMPLES_OF_POINT) {
    const words = field === 'title' ? context.given.text('Station') : 'Station';
    const response = await context.send(delivery.changePoint(handle, id, { [field]: words }), 'given');
    if (isServed(response)) return;
  }
}

/** An example of a change of a method: its reference, or its title for the same reason. */
export function changeOfMethod(context: Context): Json {
  const { sendsMinimum, resources } = context;
  const field = sendsMinimum
    ? (resources.operations.changeable('delivery_method', EXAMPLES_OF_METHOD) ?? 'title')
    : 'reference';
  return changeOf(context, field);
}

const EXAMPLES_OF_METHOD = ['title', 'reference'] as const;

/** Finds out what `changeOfMethod` can change, for checks that also need something else that may be refused. */
export async function tryChangesOfMethod(context: Context, { delivery, handle }: MethodUnderTest): Promise<void> {
  if (!context.sendsMinimum || context.resources.operations.changeable('delivery_method', EXAMPLES_OF_METHOD)) return;
  for (const field of EXAMPLES_OF_METHOD) {
    const response = await context.send(delivery.changeMethod(handle, changeOf(context, field)), 'given');
    if (isServed(response)) return;
  }
}

function changeOf({ given, resources }: Context, field: (typeof EXAMPLES_OF_METHOD)[number]): Json {
  const words = `${resources.newMark()} changed`;
  return field === 'title' ? { title: given.text(words) } : { reference: words };
}

/** A point with plain values, for checks that are about something else; `words` is its title in each language. */
export function minimalPoint(
  context: Context,
  id: string,
  address = `Street of ${id}`,
  words = 'Central Station',
): Json {
  const country = ownCountry(context);
  const zip = postalCodeOf(country, 'central') ?? '1050';
  const { languages } = websiteOf(context);
  const title = languages.length > 1 ? Object.fromEntries(languages.map((code) => [code, words])) : words;
  return { id, title, address, city: 'Riga', zip, country, attributes: { terminal: '3' } };
}

/** A pickup point with the first set of values, this id, and a title and an address that no other id has. */
export function pointAt(context: Context, id: string, address = `Street of ${spelt(id)}`): Json {
  return { id, ...pointValues(context, 'first'), title: inOneLanguage(context, `Station of ${spelt(id)}`), address };
}

/** An id as part of a text: a service that accepts all letters in ids may refuse some of them in texts. */
const spelt = (id: string): string =>
  id.replace(/[^A-Za-z0-9-]/gu, (character) => `u${character.codePointAt(0)?.toString(16)}-`);

/** Whether a point of `pointAt` shows the text of its own id, and not that of another. */
export const showsOwnText = (point: Json, field: 'title' | 'address'): boolean =>
  JSON.stringify(point[field] ?? '').includes(spelt(String(point.id)));
