/** Faults of lists for one country that lists of all countries do not have. */

import { MAX_PORTION_ITEMS } from '../../../../contracts/lists/portions.ts';
import { refuse } from '../../../http/refusal.ts';
import { isObject } from '../../../http/request.ts';
import type { PointList } from '../../../storage/point-list.ts';
import type { Deviation } from '../../../types/deviation.ts';
import { meetsBatch, staged, withoutIdsOf } from './uploads.ts';

/** An index of ids by country, from which nothing is removed when a list for the country replaces its points. */
function staleIndex(): NonNullable<Deviation['rules']> {
  const replaced = new WeakMap<PointList, Map<string, Set<string>>>();
  return (correct) => ({
    publish: (list) => {
      const country = list.upload?.country ?? null;
      const sent = new Set(list.staged().map(({ id }) => id));
      const before = list.all();
      correct.publish(list);
      if (country === null) return;
      const index = replaced.get(list) ?? new Map<string, Set<string>>();
      replaced.set(list, index);
      const ids = index.get(country) ?? new Set<string>();
      for (const id of ids) if (!sent.has(id)) list.remove(id);
      for (const point of before) if (point.country?.toLowerCase() === country) ids.add(point.id);
      index.set(country, ids);
    },
  });
}

const namesNoCountry = (point: unknown): point is { readonly id: unknown } => isObject(point) && !('country' in point);

export const countryListFaults: readonly Deviation[] = [
  {
    id: 'batch.first-of-country-refused',
    clause: 'delivery.batch.country-replaces',
    about: 'A list for a country is refused where the method has points, but none of that country.',
    rules: (correct) => ({
      beginUpload: (list, country) => {
        const points = list.all();
        const isFirst =
          country !== null && points.every((point) => point.country?.toLowerCase() !== country.toLowerCase());
        if (isFirst && points.length > 0) refuse('not-found', `No point of the method is in ${country}.`);
        return correct.beginUpload(list, country);
      },
    }),
  },
  {
    id: 'batch.country-only-in-call-empties-points',
    clause: 'delivery.batch.country-replaces',
    about: 'In a list for a country, points that do not name it again lose all but their id.',
    http: meetsBatch(async (points, { body, pass }) =>
      typeof body?.country === 'string' && points.length > 0 && points.every(namesNoCountry)
        ? pass({ body: { ...body, pickup_points: points.map(({ id }) => ({ id })) } })
        : pass(),
    ),
  },
  {
    id: 'batch.country-only-in-call-replaces-nothing',
    clause: 'delivery.batch.country-replaces',
    about: 'A list for a country whose points do not name it again is added to the points of that country.',
    http: meetsBatch(async (points, { body, parts, pass, service }) => {
      const list = service.state.points.of(parts[0] ?? '');
      const before = list.all();
      const response = await pass();
      const isAdded = typeof body?.country === 'string' && points.length > 0 && points.every(namesNoCountry);
      if (response.status === 200 && isAdded) {
        const stay = withoutIdsOf(before, list.all());
        service.change(() => list.rewrite([...stay, ...list.all()]));
      }
      return response;
    }),
  },
  {
    id: 'batch.stores-99-of-100-for-country',
    clause: 'delivery.batch.accepts-100-points',
    about: 'In a list of 100 points for one country the last one is lost; a list without a country is correct.',
    rules: staged((points, { upload }) =>
      upload?.country != null && points.length === MAX_PORTION_ITEMS ? points.slice(0, -1) : points,
    ),
  },
  {
    id: 'batch.id-taken-during-upload',
    clause: 'delivery.batch.ids-unique-across-countries',
    about: 'The upload for a country publishes an id that a point of another country has taken since the upload began.',
    rules: () => ({ clashingId: () => null }),
  },
  {
    id: 'batch.stale-index-of-country',
    clause: 'delivery.batch.country-keeps-others',
    about:
      'A list for a country also removes a point of another one whose id an earlier list for the country has replaced.',
    rules: staleIndex(),
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
