/** Faults of services that take a new value for the old one: they compare both as their database or language does. */
import type { Deviation } from '../../types/deviation.ts';
import type { Method } from '../../types/method.ts';
import type { Point } from '../../types/point.ts';

type Compared = (value: string) => unknown;

const kept = (before: unknown, after: unknown, form: Compared): boolean =>
  typeof before === 'string' && typeof after === 'string' && form(before) === form(after);

const ofPoints =
  (fields: readonly ('address' | 'city' | 'zip')[], form: Compared): NonNullable<Deviation['rules']> =>
  (correct) => ({
    mergePoint: (before, id, input, site) => {
      const point = correct.mergePoint(before, id, input, site);
      if (before === null) return point;
      const same = fields.filter((field) => kept(before[field], point[field], form));
      return { ...point, ...(Object.fromEntries(same.map((field) => [field, before[field]])) as Partial<Point>) };
    },
  });

const ofMethods =
  (fields: readonly ('reference' | 'print_label_url')[], form: Compared): NonNullable<Deviation['rules']> =>
  (correct) => ({
    mergeMethod: (before, input, site) => {
      const method = correct.mergeMethod(before, input, site);
      if (before === null) return method;
      const same = fields.filter((field) => kept(before[field], method[field], form));
      return { ...method, ...(Object.fromEntries(same.map((field) => [field, before[field]])) as Partial<Method>) };
    },
  });

const small: Compared = (value) => value.toLowerCase();
const unaccented: Compared = (value) => value.normalize('NFD').replace(/\p{M}/gu, '');
const UPDATE_OF_POINT = 'delivery.point.update-applies';
const UPDATE_OF_METHOD = 'delivery.method.update-applies';

export const similarUpdateFaults: readonly Deviation[] = [
  {
    id: 'points.update-compares-without-case',
    clause: UPDATE_OF_POINT,
    about: 'An update of a city that changes nothing but letter case is not stored.',
    rules: ofPoints(['city'], small),
  },
  {
    id: 'points.update-compares-without-accents',
    clause: UPDATE_OF_POINT,
    about: 'An update of an address that changes nothing but accents is not stored.',
    rules: ofPoints(['address'], unaccented),
  },
  {
    id: 'points.update-compares-without-last-space',
    clause: UPDATE_OF_POINT,
    about: 'An update that changes nothing but spaces at the end is not stored.',
    rules: ofPoints(['address', 'city', 'zip'], (value) => value.trimEnd()),
  },
  {
    id: 'points.update-compares-numbers',
    clause: UPDATE_OF_POINT,
    about: 'An update of a zip to another spelling of the same number is not stored.',
    rules: ofPoints(['zip'], (value) => (value === '' ? value : Number(value))),
  },
  {
    id: 'points.update-compares-members-loosely',
    clause: UPDATE_OF_POINT,
    about: 'An update of attributes whose members are equal as texts is not stored.',
    rules: (correct) => ({
      mergePoint: (before, id, input, site) => {
        const point = correct.mergePoint(before, id, input, site);
        const isLike = before !== null && asTexts(before.attributes) === asTexts(point.attributes);
        return isLike ? { ...point, attributes: before.attributes } : point;
      },
    }),
  },
  {
    id: 'methods.update-compares-reference-without-case',
    clause: UPDATE_OF_METHOD,
    about: 'An update of a reference that changes nothing but letter case is not stored.',
    rules: ofMethods(['reference'], small),
  },
  {
    id: 'methods.update-compares-label-address-without-case',
    clause: UPDATE_OF_METHOD,
    about: 'An update of a label address that changes nothing but letter case is not stored.',
    rules: ofMethods(['print_label_url'], small),
  },
];

/** As a comparison of PHP or JavaScript sees them that takes 7 for "7" and true for "1". */
const asTexts = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    member === true ? '1' : typeof member === 'number' ? `${member}` : member,
  );
