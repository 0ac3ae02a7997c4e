/** Faults of lists for one country that lists of all countries do not have. */

import { MAX_PORTION_ITEMS } from '../../../../contracts/lists/portions.ts';
import type { Deviation } from '../../../types/deviation.ts';
import { staged } from './uploads.ts';

export const countryListFaults: readonly Deviation[] = [
  {
    id: 'batch.stores-99-of-100-for-country',
    clause: 'delivery.batch.accepts-100-points',
    about: 'In a list of 100 points for one country the last one is lost; a list without a country is correct.',
    rules: staged((points, { upload }) =>
      upload?.country != null && points.length === MAX_PORTION_ITEMS ? points.slice(0, -1) : points,
    ),
  },
  {
    id: 'batch.small-country-is-none',
    clause: 'delivery.batch.country-keeps-others',
    about:
      'A country in small letters counts as none, so that the call replaces the points of all countries; in capitals it is correct.',
    rules: (correct) => ({
      beginUpload: (list, country) => correct.beginUpload(list, country === country?.toUpperCase() ? country : null),
    }),
  },
];
