/** What the commands of the model are made of: few ids, so that they meet, and few values, each of which has to be kept. */
import fc from 'fast-check';
import type { WebsiteLanguages } from '../../../contracts/multilanguage.ts';
import type { Fields, MethodFields, Owner, SlotName } from './state.ts';

/** The first is the beginning of the second, and as a number the third. */
export const IDS = ['1', '10', '01', 'Ķ-p'] as const;
export const COUNTRIES = ['LV', 'EE'] as const;
const MOST_POINTS = 3;

export const anId = fc.constantFrom(...IDS);
export const aCountry = fc.constantFrom(...COUNTRIES);

/** Whose key a call carries, and the methods that it names. */
export interface Aim {
  readonly by: Owner;
  readonly slots: readonly SlotName[];
}

const aims = (by: Owner, ...slots: readonly SlotName[][]): fc.Arbitrary<Aim> =>
  fc.constantFrom(...slots).map((named) => ({ by, slots: named }));

/** One method or both of the store; with a second store also its own, and now and then what is not its own. */
export function anAim(twoStores: boolean): fc.Arbitrary<Aim> {
  const own = aims('own', ['A'], ['B'], ['A', 'B']);
  if (!twoStores) return own;
  return fc.oneof(
    { weight: 6, arbitrary: own },
    { weight: 1, arbitrary: aims('other', ['C'], ['A'], ['B']) },
    { weight: 1, arbitrary: fc.oneof(aims('own', ['A', 'C'], ['C', 'B']), aims('other', ['C', 'A'])) },
  );
}

/** A single method, for calls that name one. */
export function oneAim(twoStores: boolean): fc.Arbitrary<Aim> {
  return anAim(twoStores).filter(({ slots }) => slots.length === 1);
}

/** Methods that are all the caller's own. */
export function ownAim(twoStores: boolean): fc.Arbitrary<Aim> {
  return anAim(twoStores).filter(({ by, slots }) => slots.every((name) => (name === 'C') === (by === 'other')));
}

const words = fc.constantFrom('Centrs', 'Ķīpsala "2"', 'Łódź & Co');

/** Texts in languages of the website; where these are not known, plain strings. */
function aTitle({ languages }: WebsiteLanguages, forUpdate: boolean, stringAllowed: boolean): fc.Arbitrary<unknown> {
  if (languages.length === 0) return words;
  const object = fc
    .subarray([...languages], { minLength: 1 })
    .chain((named) => fc.tuple(...named.map((language) => words.map((text) => [language, text] as const))))
    .map((pairs) => Object.fromEntries(pairs));
  return forUpdate && stringAllowed ? fc.oneof(object, words) : object;
}

const pointFields = (title: fc.Arbitrary<unknown>) => ({
  title,
  address: fc.constantFrom('Nēģu iela 7', 'Street 1', '007'),
  city: fc.constantFrom('Rīga', 'Tallinn'),
  zip: fc.constantFrom('LV-1050', '01015', '10'),
  country: aCountry,
  attributes: fc.constantFrom<unknown>({ terminal: '0017' }, { size: { cm: [40, 60.5] }, cold: false }, ''),
});

/** All fields of a point: which of them an add may leave out is open. */
export const aPoint = (site: WebsiteLanguages): fc.Arbitrary<Fields> =>
  fc.record(pointFields(aTitle(site, false, false)));

/** Some fields of a point; a plain string for the title only where it is known which language it changes. */
export const pointChanges = (site: WebsiteLanguages, stringAllowed: boolean): fc.Arbitrary<Fields> =>
  fc
    .record(pointFields(aTitle(site, true, stringAllowed)), { requiredKeys: [] })
    .filter((fields) => Object.keys(fields).length > 0) as fc.Arbitrary<Fields>;

/** Some fields of a method. Its reference keeps the run's mark, which the command puts there. */
export const methodChanges = (site: WebsiteLanguages, stringAllowed: boolean): fc.Arbitrary<MethodFields> =>
  fc
    .record(
      {
        title: aTitle(site, true, stringAllowed),
        reference: fc.constantFrom('one', 'Rīga/2'),
        available_countries_from: fc.constantFrom<readonly string[]>(['LV'], ['EE', 'LV']),
        available_countries_to: fc.constantFrom<readonly string[]>(['EE', 'LV'], ['EE', 'FI', 'LV']),
        print_label_url: fc.constantFrom<string | null>('https://labels.example/print?kind=a4', null),
      },
      { requiredKeys: [] },
    )
    .filter((fields) => Object.keys(fields).length > 0) as fc.Arbitrary<MethodFields>;

/** A list of points, each id once; for one country all of them are in it. */
export type Points = ReadonlyMap<string, Fields>;

export function pointList(point: fc.Arbitrary<Fields>, country: string | undefined, fewest = 0): fc.Arbitrary<Points> {
  return fc
    .uniqueArray(fc.tuple(anId, point), { selector: ([id]) => id, minLength: fewest, maxLength: MOST_POINTS })
    .map(
      (pairs) => new Map(pairs.map(([id, fields]) => [id, country === undefined ? fields : { ...fields, country }])),
    );
}

/** No country, or one of them. */
export const maybeCountry: fc.Arbitrary<string | undefined> = fc.option(aCountry, { nil: undefined, freq: 2 });

/** A point as it is sent. A store whose languages are not known gets no title, which it is free to have none of. */
export function sentPoint(id: string, fields: Fields, by: Owner): Record<string, unknown> {
  const { title, ...rest } = fields;
  return by === 'own' && title !== undefined ? { id, title, ...rest } : { id, ...rest };
}

/** What of a point the model may expect after it was sent. */
export function expectedFields(fields: Fields, by: Owner): Fields {
  if (by === 'own') return fields;
  const { title: _, ...rest } = fields;
  return rest;
}
