/** Faults of methods and points that are sent without some of their fields, or as if they were. */
import type { Deviation } from '../../types/deviation.ts';
import type { Method } from '../../types/method.ts';
import type { Point } from '../../types/point.ts';
import { staged } from './batch/uploads.ts';

/** A method that is created without a field has that of the last one that was created with it. */
const copiesOfPrevious =
  (field: 'reference' | 'title' | 'available_countries_to'): NonNullable<Deviation['rules']> =>
  (correct) => {
    let previous: Method[typeof field] = null;
    return {
      mergeMethod: (before, input, site) => {
        const fields = correct.mergeMethod(before, input, site);
        if (before !== null) return fields;
        previous = input[field] ?? previous;
        return input[field] === undefined ? { ...fields, [field]: previous } : fields;
      },
    };
  };

/** A point that is added without a postal code has that of the last one that was added with one, in any method. */
const zipOfPrevious: NonNullable<Deviation['rules']> = (correct) => {
  let previous: Point['zip'] = null;
  return {
    mergePoint: (before, id, input, site) => {
      const point = correct.mergePoint(before, id, input, site);
      if (before !== null) return point;
      if (input.zip !== undefined) previous = point.zip;
      return input.zip === undefined ? { ...point, zip: previous } : point;
    },
  };
};

/** A point of a batch call that has no such field has that of the point before it. */
const copiesOfNeighbour = (field: 'title' | 'address' | 'country'): NonNullable<Deviation['rules']> =>
  staged((points) => {
    let neighbour: Point[typeof field] = null;
    return points.map((point) => {
      neighbour = point[field] ?? neighbour;
      return { ...point, [field]: neighbour };
    });
  });

/** The points of a batch call have no field that the first one lacks. */
const fieldsOfFirst: NonNullable<Deviation['rules']> = staged(([first, ...others]) => {
  if (first === undefined) return [];
  const lacks = (['city', 'zip'] as const).filter((field) => first[field] === null || first[field] === '');
  const none = Object.fromEntries(lacks.map((field) => [field, null]));
  return [first, ...others.map((point) => ({ ...point, ...none }))];
});

export const omittedFieldFaults: readonly Deviation[] = [
  {
    id: 'methods.create-copies-reference',
    clause: 'delivery.method.create-stores',
    about: 'A method created without a reference has that of the last one that was created with it.',
    rules: copiesOfPrevious('reference'),
  },
  {
    id: 'methods.create-copies-title',
    clause: 'delivery.method.create-stores',
    about: 'A method created without a title has that of the last one that was created with it.',
    rules: copiesOfPrevious('title'),
  },
  {
    id: 'methods.create-copies-destinations',
    clause: 'delivery.method.create-stores',
    about: 'A method created without available_countries_to has that of the last one that was created with it.',
    rules: copiesOfPrevious('available_countries_to'),
  },
  {
    id: 'points.zip-of-previous',
    clauses: ['delivery.point.create-stores', 'delivery.batch.replaces-all', 'delivery.batch.fields-kept'],
    about: 'A point that is sent without a postal code has that of the last one that was sent with one.',
    rules: zipOfPrevious,
  },
  {
    id: 'batch.title-of-neighbour',
    clause: 'delivery.batch.fields-kept',
    about: 'A point without a title has that of the point before it in the same call.',
    rules: copiesOfNeighbour('title'),
  },
  {
    id: 'batch.address-of-neighbour',
    clause: 'delivery.batch.fields-kept',
    about: 'A point without an address has that of the point before it in the same call.',
    rules: copiesOfNeighbour('address'),
  },
  {
    id: 'batch.country-of-neighbour',
    clause: 'delivery.batch.fields-kept',
    about: 'A point without a country has that of the point before it in the same call.',
    rules: copiesOfNeighbour('country'),
  },
  {
    id: 'batch.fields-of-first-point',
    clause: 'delivery.batch.fields-kept',
    about:
      'The points of a call lose the city and the zip if the first one has none: all are inserted with its columns.',
    rules: fieldsOfFirst,
  },
  {
    id: 'methods.update-to-zero-is-omitted',
    clause: 'delivery.method.update-applies',
    about: 'An update of a reference to 0 counts as one without a reference.',
    rules: (correct) => ({
      mergeMethod: (before, input, site) => {
        const { reference, ...others } = input;
        return correct.mergeMethod(before, before !== null && reference === '0' ? others : input, site);
      },
    }),
  },
];
