/** Faults of updates that write only what there was before: a value for a field that had none is lost. */
import type { PointField } from '../../../contracts/fields/catalogue/delivery.ts';
import { isUnset } from '../../../contracts/fields/unset.ts';
import type { Deviation } from '../../types/deviation.ts';

const losesFirst = (field: PointField): NonNullable<Deviation['rules']> => {
  return (correct) => ({
    mergePoint: (before, id, input, site) => {
      const point = correct.mergePoint(before, id, input, site);
      return before === null || !isUnset(before[field]) ? point : { ...point, [field]: before[field] };
    },
  });
};

export const firstValueFaults: readonly Deviation[] = [
  {
    id: 'methods.first-title-lost',
    clause: 'delivery.method.update-applies',
    about: 'An update with a title does nothing for a method that has none.',
    rules: (correct) => ({
      mergeMethod: (before, input, site) => {
        const fields = correct.mergeMethod(before, input, site);
        return before === null || !isUnset(before.title) ? fields : { ...fields, title: before.title };
      },
    }),
  },
  ...(['title', 'country', 'attributes'] as const).map((field) => ({
    id: `points.first-${field}-lost`,
    clause: 'delivery.point.update-applies',
    about: `An update with a value for ${field} does nothing for a point that has none.`,
    rules: losesFirst(field),
  })),
];
