/** What a sequence is made of: each step is data, its methods and points named by their places, since every run has its own. */

import fc from 'fast-check';
import {
  METHOD,
  METHOD_FIELDS,
  type MethodField,
  POINT_FIELDS,
} from '../../../../contracts/fields/catalogue/delivery.ts';
import { sampled } from '../values.ts';
import { attributes, idArbitrary, textArbitrary } from './alphabets.ts';

/** Values of a point; `title` is laid over the website's languages when it is sent. */
export interface PointValues {
  readonly title?: string;
  readonly address?: string;
  readonly city?: string;
  readonly zip?: string;
  readonly country?: 'LV' | 'EE' | 'NO';
  readonly attributes?: Readonly<Record<string, unknown>>;
}

export interface MethodValues extends Readonly<Partial<Record<MethodField, unknown>>> {
  readonly title?: string;
  readonly reference?: string;
}

/** Which methods a call names: by place, `all`, or the first and the last; the order is that of the handles in the path. */
export type MethodSelection = 'first' | 'second' | 'last' | 'ends' | 'all' | 'backwards';

export const REFUSALS = [
  'wrong key',
  'no key',
  'other owner',
  'no such method beside',
  'no such point',
  '101 points',
  'an id twice',
  'no points',
  'no JSON',
  'a point without its id',
  'the id of another point',
] as const;

const WAYS = ['DELETE', 'PUT', 'POST', 'PUT method', 'DELETE method', 'POST list'] as const;
type Way = (typeof WAYS)[number];

export type Step =
  | { readonly do: 'make'; readonly values: MethodValues }
  | {
      readonly do: 'edit-method';
      readonly at: MethodSelection;
      readonly values: MethodValues;
      readonly languages: 'all' | 'one';
    }
  | { readonly do: 'drop-method'; readonly at: 'second' | 'last' }
  | { readonly do: 'add'; readonly at: MethodSelection; readonly id: string; readonly values: PointValues }
  | { readonly do: 'edit'; readonly at: MethodSelection; readonly nth: number; readonly values: PointValues }
  | { readonly do: 'drop'; readonly at: MethodSelection; readonly nth: number }
  | {
      readonly do: 'list';
      readonly at: MethodSelection;
      readonly ids: readonly string[];
      /** Further points, with ids of their own: plain ones, or with signs and capitals. */
      readonly more: number;
      readonly areSigned?: boolean;
      /** Each of the points but the first lacks a field, in turn. */
      readonly areBare?: boolean;
      readonly portions: 1 | 2 | 3;
      readonly country?: 'LV' | 'EE';
      readonly values: PointValues;
    }
  /** The same call once more. */
  | { readonly do: 'again' }
  | {
      readonly do: 'refused';
      readonly what: (typeof REFUSALS)[number];
      readonly by: Way;
      /** How many methods a call names that can name several. */
      readonly named?: 'one' | 'two' | 'all';
    };

const country = fc.constantFrom('LV' as const, 'EE' as const);
const callTargetArbitrary = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<MethodSelection>('first') },
  { weight: 3, arbitrary: fc.constantFrom<MethodSelection>('second', 'last') },
  { weight: 3, arbitrary: fc.constantFrom<MethodSelection>('ends', 'all', 'backwards') },
);

const wholePoint: fc.Arbitrary<PointValues> = fc.record({
  title: textArbitrary,
  address: textArbitrary,
  city: textArbitrary,
  zip: textArbitrary,
  country: fc.oneof({ weight: 5, arbitrary: country }, { weight: 1, arbitrary: fc.constant('NO' as const) }),
  attributes,
});

/** Where a point has no country, a list for one may replace it or not. */
const OMITTED = POINT_FIELDS.filter((field) => field !== 'country');

/** Mostly all fields: which of them an add may leave out is open, and what is there is kept all the same. */
const newPoint: fc.Arbitrary<PointValues> = fc.oneof(
  { weight: 3, arbitrary: wholePoint },
  {
    weight: 1,
    arbitrary: fc
      .tuple(wholePoint, fc.shuffledSubarray([...OMITTED], { minLength: 1, maxLength: 2 }))
      .map(([whole, omitted]): PointValues => without(whole, omitted)),
  },
);

/** The values without some fields. */
export const without = <T extends object>(values: T, fields: readonly string[]): T =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !fields.includes(name))) as T;

/** One field or two: what happens to the others shows then. */
function few<T extends object>(whole: fc.Arbitrary<T>, names: readonly (keyof T & string)[]): fc.Arbitrary<T> {
  return fc
    .tuple(whole, fc.shuffledSubarray([...names], { minLength: 1, maxLength: 2 }))
    .map(([all, picked]) => Object.fromEntries(picked.map((name) => [name, all[name]])) as T);
}

const pointChange = few(wholePoint, POINT_FIELDS);

const wholeMethod: fc.Arbitrary<MethodValues> = fc.record({
  title: textArbitrary,
  // Updates of methods are few, and a reference is often a number.
  reference: fc.oneof(textArbitrary, fc.constantFrom('007', '01015', '1e3', '12345678901234567890')),
  ...sampled(METHOD),
  available_countries_from: fc.constantFrom<readonly string[]>(['LV'], ['EE', 'LV'], ['NO', 'LV', 'FI']),
  available_countries_to: fc.constantFrom<readonly string[]>(['EE', 'LV'], ['LV'], ['IN', 'IS', 'NO']),
  print_label_url: fc.constantFrom<string | null>('https://labels.example/print?kind=a4&to=R%C4%ABga', null),
});
const methodChange = few(wholeMethod, METHOD_FIELDS);

/** Counts about which lists, pages and limits turn. */
const COUNTS = [0, 1, 9, 20, 49, 99, 100, 120] as const;

const nth = fc.nat({ max: 11 });

const aList: fc.Arbitrary<Step> = fc
  .record({
    at: callTargetArbitrary,
    ids: fc.uniqueArray(idArbitrary, { maxLength: 4 }),
    more: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constantFrom(...COUNTS) }),
    areSigned: fc.boolean(),
    areBare: fc.constantFrom(false, false, false, true),
    portions: fc.constantFrom(1 as const, 1 as const, 2 as const, 3 as const),
    country: fc.option(country, { nil: undefined, freq: 3 }),
    values: newPoint,
  })
  .map(({ country: only, ...list }) => ({ do: 'list', ...list, ...(only === undefined ? {} : { country: only }) }));

/** Any step, the ones that meet each other most often several times. */
export const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      at: callTargetArbitrary,
      id: idArbitrary,
      values: newPoint,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('edit' as const), at: callTargetArbitrary, nth, values: pointChange }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('drop' as const), at: callTargetArbitrary, nth }) },
  { weight: 4, arbitrary: aList },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('edit-method' as const),
      at: fc.constantFrom<MethodSelection>('first', 'second', 'last'),
      values: methodChange,
      languages: fc.constantFrom('all' as const, 'one' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('make' as const), values: wholeMethod }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('drop-method' as const),
      at: fc.constantFrom('second' as const, 'last' as const),
    }),
  },
  { weight: 3, arbitrary: fc.constant<Step>({ do: 'again' }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('refused' as const),
      what: fc.constantFrom(...REFUSALS),
      by: fc.constantFrom(...WAYS),
      named: fc.constantFrom('one' as const, 'two' as const, 'all' as const),
    }),
  },
);
