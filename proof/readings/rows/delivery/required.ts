/** Silences about which fields a service needs, and which it lets change. */

import { isJsonObject } from '../../../../contracts/json/object.ts';
import type { Json } from '../../../../mock/faults/interception.ts';
import type { Reading, ReadingAnswer } from '../../reading.ts';
import { type Demand, ofMethods, ofPoints } from '../demands.ts';

const METHOD = 'Resources and their fields, Delivery method (A)';
const POINT = 'Resources and their fields, Pickup point (A)';

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
const isFilled = (value: unknown): boolean =>
  isGiven(value) &&
  !(Array.isArray(value) && value.length === 0) &&
  !(isJsonObject(value) && Object.keys(value).length === 0);

const needs =
  (fields: readonly string[], has: (value: unknown) => boolean): Demand =>
  (sent, kind) => {
    const missing = fields.find((name) => (kind === 'create' || name in sent) && !has(sent[name]));
    return missing === undefined ? undefined : `${missing} is required.`;
  };

const isThere = (value: unknown): boolean => value !== undefined;

/** In updates as well as in new objects. */
const needsInEach =
  (fields: readonly string[], has: (value: unknown) => boolean = isThere): Demand =>
  (sent) =>
    needs(fields, has)(sent, 'create');

const method = (id: string, about: string, demand: Demand): ReadingAnswer => ({ id, about, http: ofMethods(demand) });
const point = (id: string, about: string, demand: Demand): ReadingAnswer => ({ id, about, http: ofPoints(demand) });

/** Answers that leave no update at all together with some of another row. */
const apartFrom = (row: string, ...answers: readonly ReadingAnswer[]): ReadingAnswer[] =>
  answers.map((answer) => ({ ...answer, without: [row] }));

const fixed =
  (...names: readonly string[]): Demand =>
  (sent: Json, kind) => {
    const found = kind === 'update' ? names.find((name) => name in sent) : undefined;
    return found === undefined ? undefined : `${found} can not be changed.`;
  };

const LISTS = ['available_countries_from', 'available_countries_to'];
const METHOD_FIELDS = ['title', 'reference', ...LISTS, 'print_label_url'];
const POINT_FIELDS = ['title', 'address', 'city', 'zip', 'country'];

export const requiredReadings: readonly Reading[] = [
  {
    id: 'methods.required',
    section: METHOD,
    silence: 'Which fields a new method needs.',
    answers: [
      method('title', 'A title that is not empty.', needs(['title'], isFilled)),
      method('reference', 'A reference that is not empty.', needs(['reference'], isFilled)),
      method('both-lists', 'Both lists of countries, which may be empty.', needs(LISTS, Array.isArray)),
      method('filled-lists', 'Both lists of countries, neither of them empty.', needs(LISTS, isFilled)),
      method('label-page', 'The address of a label page.', needs(['print_label_url'], isFilled)),
      method('every-field', 'Every field, the label page as null or an address.', (sent, kind) =>
        needs(METHOD_FIELDS, isThere)(sent, kind),
      ),
      method(
        'every-field-filled',
        'Every field but the label page with a value.',
        needs(['title', 'reference', ...LISTS], isFilled),
      ),
      method('nothing-empty', 'No text that is sent may be empty or null; the label page may.', (sent) => {
        const empty = ['title', 'reference', ...LISTS].find((name) => name in sent && !isFilled(sent[name]));
        return empty === undefined ? undefined : `${empty} must not be empty.`;
      }),
    ],
  },
  {
    id: 'methods.required-in-updates',
    section: METHOD,
    silence: 'Which fields a change of a method needs.',
    answers: apartFrom(
      'methods.fixed',
      method('title', 'The title.', needsInEach(['title'])),
      method('reference', 'The reference.', needsInEach(['reference'])),
      method('both-lists', 'Both lists of countries.', needsInEach(LISTS)),
      method('every-field', 'Every field, the label page as null or an address.', needsInEach(METHOD_FIELDS)),
      method(
        'every-field-filled',
        'Every field but the label page with a value.',
        needsInEach(['title', 'reference', ...LISTS], isFilled),
      ),
    ),
  },
  {
    id: 'methods.fixed',
    section: METHOD,
    silence: 'Which fields of a method can be changed once it exists.',
    answers: [
      ...METHOD_FIELDS.map((name) => method(name.replaceAll('_', '-'), `${name} can not be changed.`, fixed(name))),
      method('lists', 'Neither list of countries can be changed.', fixed(...LISTS)),
      method('all-but-title', 'Only the title can be changed.', fixed('reference', ...LISTS, 'print_label_url')),
      {
        ...method(
          'all-but-reference',
          'Only the reference can be changed.',
          fixed('title', ...LISTS, 'print_label_url'),
        ),
        // Together a run could change nothing at all.
        without: ['methods.reference-form/known-services'],
      },
    ],
  },
  {
    id: 'methods.name',
    section: METHOD,
    silence: 'What happens to a name that is sent, since names are read-only.',
    answers: [
      method('refused', 'A name is refused.', (sent) => ('name' in sent ? 'name can only be read.' : undefined)),
      method('unknown-fields-refused', 'Every field but the five is refused.', (sent) => {
        const unknown = Object.keys(sent).find((name) => !METHOD_FIELDS.includes(name));
        return unknown === undefined ? undefined : `${unknown} is not a field.`;
      }),
    ],
  },
  {
    id: 'points.required',
    section: POINT,
    silence: 'Which fields a new point needs.',
    answers: [
      ...POINT_FIELDS.map((name) => point(name, `${name}, with a value.`, needs([name], isFilled))),
      point('attributes', 'Attributes, which may be the empty string.', needs(['attributes'], isThere)),
      point('every-field', 'Every field but attributes with a value.', needs(POINT_FIELDS, isFilled)),
      point(
        'every-field-and-attributes',
        'Every field but attributes with a value, and attributes, which may be the empty string.',
        (sent, kind) => needs(POINT_FIELDS, isFilled)(sent, kind) ?? needs(['attributes'], isThere)(sent, kind),
      ),
    ],
  },
  {
    id: 'points.required-in-updates',
    section: POINT,
    silence: 'Which fields a change of a point needs.',
    answers: apartFrom(
      'points.fixed',
      point('country', 'The country.', needsInEach(['country'])),
      point('title', 'The title.', needsInEach(['title'])),
      point('id', 'The id, as in the path.', needsInEach(['id'])),
      point('every-field', 'Every field but attributes.', needsInEach(POINT_FIELDS)),
      point('every-field-filled', 'Every field but attributes with a value.', needsInEach(POINT_FIELDS, isFilled)),
    ),
  },
  {
    id: 'points.fixed',
    section: POINT,
    silence: 'Which fields of a point can be changed once it exists.',
    answers: [
      point('id', 'The id can not be sent with a change.', fixed('id')),
      ...[...POINT_FIELDS, 'attributes'].map((name) => point(name, `${name} can not be changed.`, fixed(name))),
      point(
        'all-but-title',
        'Only the title can be changed.',
        fixed('id', 'address', 'city', 'zip', 'country', 'attributes'),
      ),
      point(
        'all-but-city',
        'Only the city can be changed.',
        fixed('id', 'title', 'address', 'zip', 'country', 'attributes'),
      ),
    ],
  },
  {
    id: 'methods.null',
    section: 'Resources and their fields',
    silence: 'Whether an optional value of a method can be sent as null.',
    answers: [
      method('refused', 'null is refused, also for the label page.', (sent) => {
        const found = Object.entries(sent).find(([, value]) => value === null);
        return found === undefined ? undefined : `${found[0]} must not be null.`;
      }),
    ],
  },
  {
    id: 'points.null',
    section: 'Resources and their fields',
    silence: 'Whether an optional value can be sent as null, or as the empty string.',
    answers: [
      point('null-refused', 'null is refused.', (sent) => {
        const found = Object.entries(sent).find(([, value]) => value === null);
        return found === undefined ? undefined : `${found[0]} must not be null.`;
      }),
      point('empty-refused', 'The empty string is refused but for attributes.', (sent) => {
        const found = Object.entries(sent).find(([name, value]) => value === '' && name !== 'attributes');
        return found === undefined ? undefined : `${found[0]} must not be empty.`;
      }),
    ],
  },
];
