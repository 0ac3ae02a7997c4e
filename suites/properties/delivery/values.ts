/** What the commands of the model are made of: few ids, so that they meet, and few values, each of which has to be kept. */

import fc from 'fast-check';
import { METHOD } from '../../../contracts/fields/catalogue/delivery.ts';
import type { Fields as Rows } from '../../../contracts/fields/catalogue/row.ts';
import type { WebsiteLanguages } from '../../../contracts/fields/multilanguage.ts';
import { isJsonObject } from '../../../contracts/json/object.ts';
import { METHOD_FIELDS, POINT_FIELDS } from '../../delivery/steps/fields.ts';
import { type Fields, type MethodFields, type Owner, ownerOf, type SlotName } from './state.ts';

/** The first is the beginning of the second, and as a number the third. */
export const IDS = ['1', '10', '01'] as const;
export const COUNTRIES = ['LV', 'EE'] as const;
const MAX_POINTS = 3;

export const idArbitrary = fc.constantFrom(...IDS);
const countryArbitrary = fc.constantFrom(...COUNTRIES);

/** Whose key a call carries, and the methods that it names. */
export interface CallTarget {
  readonly by: Owner;
  readonly slots: readonly SlotName[];
}

const aims = (by: Owner, ...slots: readonly SlotName[][]): fc.Arbitrary<CallTarget> =>
  fc.constantFrom(...slots).map((named) => ({ by, slots: named }));

/** One method of the store or several; with a second store also its own, and now and then what is not the caller's. */
export function callTargetArbitrary(twoStores: boolean): fc.Arbitrary<CallTarget> {
  // Mostly one method: what calls do to each other shows where they meet.
  const own = fc.oneof(
    { weight: 4, arbitrary: aims('own', ['A']) },
    { weight: 1, arbitrary: aims('own', ['B']) },
    { weight: 3, arbitrary: aims('own', ['A', 'B'], ['A', 'B', 'C'], ['C', 'B']) },
  );
  if (!twoStores) return own;
  return fc.oneof(
    { weight: 9, arbitrary: own },
    { weight: 2, arbitrary: aims('other', ['X'], ['A'], ['B']) },
    { weight: 1, arbitrary: fc.oneof(aims('own', ['A', 'X'], ['X', 'B']), aims('other', ['X', 'A'])) },
  );
}

/** A single method, for calls that name one. */
export function singleCallTargetArbitrary(twoStores: boolean): fc.Arbitrary<CallTarget> {
  const own = fc.oneof(
    { weight: 2, arbitrary: aims('own', ['A']) },
    { weight: 1, arbitrary: aims('own', ['B'], ['C']) },
  );
  if (!twoStores) return own;
  return fc.oneof(
    { weight: 3, arbitrary: own },
    { weight: 1, arbitrary: fc.oneof(aims('other', ['A'], ['B'], ['X']), aims('own', ['X'])) },
  );
}

/** What gets points to begin with. */
export const stockAim: fc.Arbitrary<CallTarget> = aims('own', ['A'], ['A', 'B', 'C'], ['A', 'B', 'C']);

/** A method that is not the caller's. */
export const foreignAim: fc.Arbitrary<CallTarget> = fc.oneof(aims('other', ['A'], ['B']), aims('own', ['X']));

/** Methods that are all the caller's own. */
export function ownAim(twoStores: boolean): fc.Arbitrary<CallTarget> {
  return callTargetArbitrary(twoStores).filter(({ by, slots }) => slots.every((name) => ownerOf(name) === by));
}

const words = fc.constantFrom('Centrs', 'Ķīpsala "2"', 'Łódź & Co');

/** A text in one language, the default one where that is known: what several languages do has a property of its own. */
const titleArbitrary = (site: WebsiteLanguages): fc.Arbitrary<unknown> =>
  words.map((text) => inItsLanguage(site, text));

/** A text under the default language of the website; a plain string where no language is known. */
export function inItsLanguage({ languages, defaultLanguage }: WebsiteLanguages, text: string): unknown {
  const language = defaultLanguage ?? languages[0];
  return language === undefined ? text : { [language]: text };
}

const pointFields = (title: fc.Arbitrary<unknown>) => ({
  title,
  address: fc.constantFrom('Nēģu iela 7', 'Street 1', '007'),
  city: fc.constantFrom('Rīga', 'Tallinn'),
  zip: fc.constantFrom('LV-1050', '01015', '10'),
  country: countryArbitrary,
  attributes: fc.constantFrom<unknown>({ terminal: '0017' }, { size: { cm: [40, 60.5] }, cold: false }),
});

/** All fields of a point: which of them an add may leave out is open. */
export const pointArbitrary = (site: WebsiteLanguages): fc.Arbitrary<Fields> =>
  fc.record(pointFields(titleArbitrary(site)));

/** Some of the fields, mostly one or two: what happens to the others shows then. */
function someOf<T extends object>(
  fields: fc.Arbitrary<T>,
  names: readonly (keyof T & string)[],
): fc.Arbitrary<Partial<T>> {
  const few = fc.shuffledSubarray([...names], { minLength: 1, maxLength: 2 });
  const named = fc.oneof({ weight: 4, arbitrary: few }, { weight: 1, arbitrary: fc.constant([...names]) });
  return fc
    .tuple(fields, named)
    .map(([all, picked]) => Object.fromEntries(picked.map((name) => [name, all[name]])) as Partial<T>);
}

/** The samples of the catalogue, for the fields that have any. */
export const sampled = (rows: Rows): Readonly<Record<string, fc.Arbitrary<unknown>>> =>
  Object.fromEntries(
    Object.entries(rows).flatMap(([name, { samples }]) =>
      samples === undefined ? [] : [[name, fc.constantFrom(...samples)]],
    ),
  );

export const pointChanges = (site: WebsiteLanguages): fc.Arbitrary<Fields> =>
  someOf(pointArbitrary(site), POINT_FIELDS);

/** Some fields of a method. Its reference keeps the run's mark, which the command puts there. */
export const methodChanges = (site: WebsiteLanguages): fc.Arbitrary<MethodFields> =>
  someOf(
    fc.record<MethodFields>({
      title: titleArbitrary(site),
      reference: fc.constantFrom('one', 'Rīga/2'),
      ...sampled(METHOD),
      available_countries_from: fc.constantFrom<readonly string[]>(['LV'], ['EE', 'LV']),
      available_countries_to: fc.constantFrom<readonly string[]>(['EE', 'LV'], ['EE', 'FI', 'LV']),
      print_label_url: fc.constantFrom<string | null>('https://labels.example/print?kind=a4', null),
    }),
    METHOD_FIELDS,
  );

/** A list of points, each id once; for one country all of them are in it. */
export type Points = ReadonlyMap<string, Fields>;

/** Lists of points with distinct ids, by id; with a country all points are in it. */
export function pointList(point: fc.Arbitrary<Fields>, country: string | undefined, fewest = 0): fc.Arbitrary<Points> {
  return fc
    .uniqueArray(fc.tuple(idArbitrary, point), { selector: ([id]) => id, minLength: fewest, maxLength: MAX_POINTS })
    .map(
      (pairs) => new Map(pairs.map(([id, fields]) => [id, country === undefined ? fields : { ...fields, country }])),
    );
}

/** A point under each of the ids. */
export const wholeList = (point: fc.Arbitrary<Fields>): fc.Arbitrary<Points> =>
  fc.tuple(...IDS.map((id) => point.map((fields) => [id, fields] as const))).map((pairs) => new Map(pairs));

/** No country, or one of them. */
export const maybeCountry: fc.Arbitrary<string | undefined> = fc.option(countryArbitrary, { nil: undefined, freq: 2 });

/**
 * A point as it is sent, whole: which fields an add may leave out is open. The languages of a second store are not known, and a
 * plain string is the one text that it must take.
 */
export function sentPoint(id: string, fields: Fields, by: Owner): Record<string, unknown> {
  const { title, ...rest } = fields;
  if (title === undefined) return { id, ...rest };
  return { id, title: by === 'own' ? title : plain(title), ...rest };
}

/** The text of a title in one language. */
const plain = (title: unknown): unknown => (isJsonObject(title) ? Object.values(title)[0] : title);

/** What of a point the model may expect after it was sent. */
export function expectedFields(fields: Fields, by: Owner): Fields {
  if (by === 'own') return fields;
  const { title: _, ...rest } = fields;
  return rest;
}
