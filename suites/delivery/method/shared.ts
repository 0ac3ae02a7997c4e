/**
 * Methods with values in all fields, made, read and listed once for all checks of methods that have no other needs. A check that finds
 * anything wrong with them makes methods of its own: these only save requests.
 */
import type { Context } from '../../../harness/check/context.ts';
import { once, unlessUndecided } from '../../../harness/resources/once.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import {
  type Case,
  type CasesByField,
  type ReadBack,
  titleCases,
  valuesTogether,
} from '../steps/awkward-values/cases.ts';
import { MANY_COUNTRIES, OTHER_COUNTRIES } from '../steps/awkward-values/countries.ts';
import { inOneLanguage, type MethodField } from '../steps/fields.ts';
import { tryMethod } from '../steps/methods/create-method.ts';
import { listMethods, readMethod } from '../steps/reading.ts';
import { AWKWARD_TEXT, EMOJI_TEXT, LONG_TEXT, methodValues, UNTIDY_TEXT } from '../steps/values.ts';

/** The name of these methods in `shares`. */
export const SHARED_METHODS = 'methods with values in all fields';

/** A reference that begins with the run's mark, so that the method is never mistaken for one of another owner. */
const referenced = (context: Context, words: string): string => `${context.resources.newMark()} ${words}`;

/** More than fit into 255 characters. */
const LONG_ADDRESS = `https://example.com/print?shop=${'a1b2c3d4'.repeat(30)}#end`;

/** More than fit into 1,024 characters. */
const LONGER_TEXT = `${'Courier to the door '.repeat(55)}!`;
const LONGER_ADDRESS = `https://example.com/print?shop=${'a1b2c3d4'.repeat(130)}#end`;

const COUNTRY_LISTS: readonly Case[] = [
  { value: ['LV'] },
  { value: OTHER_COUNTRIES, refusable: true },
  // Which some take for no restriction at all.
  { value: [...MANY_COUNTRIES, ...OTHER_COUNTRIES], refusable: true },
  {
    // More than fit into 255 characters.
    value: MANY_COUNTRIES,
    refusable: true,
  },
  // No country at all: a service may refuse it, but must not put one of its own in its place.
  { value: [], refusable: true },
  // The contract does not fix the case of the letters.
  { value: ['ee', 'Lt'], refusable: true },
];

/** Values that each field has to keep. */
export const METHOD_CASES = {
  title: (context) => [
    ...titleCases(context, 'Courier to the door'),
    { value: inOneLanguage(context, LONGER_TEXT), refusable: true },
  ],
  reference: (context) => [
    { value: referenced(context, 'A-17/b') },
    { value: referenced(context, AWKWARD_TEXT) },
    { value: referenced(context, EMOJI_TEXT), refusable: true },
    { value: referenced(context, UNTIDY_TEXT), refusable: true },
    { value: referenced(context, LONG_TEXT), refusable: true },
    { value: referenced(context, LONGER_TEXT), refusable: true },
  ],
  available_countries_from: () => COUNTRY_LISTS,
  available_countries_to: () => COUNTRY_LISTS,
  print_label_url: () => [
    { value: 'https://example.com/print' },
    { value: 'https://www.example.org/Print/A4?store=7&kind=label%20a4&to=R%C4%ABga' },
    // An address belongs to the integrator, so a service must not normalize it.
    { value: 'https://Print.Example.com:443/print/', refusable: true },
    { value: 'https://labels.example.com:8443/~shop_1/@x//a%2Fb,c;d/?x=a+b&y=$1*(2)!&x=2&z=&z#part', refusable: true },
    { value: LONG_ADDRESS, refusable: true },
    { value: LONGER_ADDRESS, refusable: true },
  ],
} satisfies CasesByField<MethodField>;

/** A method that was made, read by its handle and listed. */
export interface SharedMethod extends ReadBack {
  readonly handle: string;
  /** Its entries in the list, by its handle or by its reference. */
  readonly entries: readonly Json[];
}

export interface SharedMethods {
  readonly made: readonly SharedMethod[];
  /** The whole list of methods. */
  readonly list: readonly Json[];
}

/** Where no label page is accepted, the other fields are judged without one. */
function withoutRefusedAddress({ hasNoLabelAddress }: Context, values: Json): Json {
  const { print_label_url: _, ...others } = values;
  return hasNoLabelAddress ? others : values;
}

/** The methods, or undefined if a create is refused. Throws where something else than their fields is wrong. */
export const sharedMethods = (context: Context): Promise<SharedMethods | undefined> =>
  once(context, SHARED_METHODS, () => makeAndRead(context));

async function makeAndRead(context: Context): Promise<SharedMethods | undefined> {
  const made: (ReadBack & { readonly handle: string })[] = [];
  for (const values of [
    ...valuesTogether(context, METHOD_CASES).map((values) => withoutRefusedAddress(context, values)),
    methodValues(context, 'first'),
    methodValues(context, 'second'),
  ]) {
    const { method, fields } = await tryMethod(context, context.delivery, values);
    if (method === undefined) {
      for (const one of made) context.given.doneWith(one);
      return undefined;
    }
    made.push({ sent: fields, handle: method.handle, read: await readMethod(context, method) });
  }
  // The first one again: a cached response must not be returned for another handle.
  const [first] = made;
  if (first !== undefined) await readMethod(context, { delivery: context.delivery, handle: first.handle });
  const list = await listMethods(context, context.delivery);
  const { resources } = context;
  const isOf = (entry: Json, { handle, sent }: (typeof made)[number]): boolean =>
    entry.handle === handle || JSON.stringify(entry).includes(resources.markIn(sent.reference)!);
  return { list, made: made.map((one) => ({ ...one, entries: list.filter((entry) => isOf(entry, one)) })) };
}

/**
 * Whether something holds for each of the methods as it reads and as it is listed. False as well if they could not be made, read or
 * found in the list: then a check makes methods of its own, and finds out what is wrong.
 */
export async function holdsForSharedMethods(
  context: Context,
  holds: (method: SharedMethod & { readonly listed: Json }, all: SharedMethods) => boolean,
): Promise<boolean> {
  const shared = await unlessUndecided(() => sharedMethods(context));
  return (
    shared?.made.every((method) => {
      const [listed, ...others] = method.entries;
      return listed !== undefined && others.length === 0 && holds({ ...method, listed }, shared);
    }) === true
  );
}
