/** Faults of updates of pickup points: what they apply, what they keep, which points they reach. */

import { setTimeout } from 'node:timers/promises';
import type { Deviation } from '../../../types/deviation.ts';
import type { Point, PointInput } from '../../../types/point.ts';
import { intercepts, isAscii, type Json, MOMENT_MS, PATHS, success } from '../../interception.ts';
import { mapped } from './fields.ts';
import { alsoReaches, otherHandles, sameBeginning } from './reach.ts';

/** Changes a point that is updated. */
const updated =
  (change: (point: Point, input: PointInput, before: Point) => Partial<Point>): NonNullable<Deviation['rules']> =>
  (correct) => ({
    mergePoint: (before, id, input, site) => {
      const point = correct.mergePoint(before, id, input, site);
      return before === null ? point : { ...point, ...change(point, input, before) };
    },
  });

export const pointUpdateFaults: readonly Deviation[] = [
  {
    id: 'points.attributes-empty-string-keeps-old',
    clause: 'delivery.point.attributes-empty-string',
    about: 'An update with an empty string for attributes returns success and leaves them as they were.',
    rules: updated((point, input, before) => ({
      attributes: input.attributes === '' ? before.attributes : point.attributes,
    })),
  },
  {
    id: 'points.empty-title-keeps-old',
    clause: 'delivery.point.update-applies',
    about: 'An update with an empty title returns success and leaves the title as it was; other texts can be emptied.',
    rules: updated((point, input, before) => ({ title: input.title === '' ? before.title : point.title })),
  },
  {
    id: 'points.update-of-two-loses-one',
    clause: 'delivery.point.update-applies',
    about: 'An update of both city and zip loses the zip; an update of the zip alone works.',
    rules: updated((point, input, before) => ({
      zip: input.city !== undefined && input.zip !== undefined ? before.zip : point.zip,
    })),
  },
  {
    id: 'points.update-merges-attributes',
    clause: 'delivery.point.update-applies',
    about: 'An update of the attributes merges them with the old ones instead of replacing them.',
    rules: updated((point, input, before) => ({
      attributes:
        typeof input.attributes === 'object' && input.attributes !== null && typeof before.attributes === 'object'
          ? { ...before.attributes, ...input.attributes }
          : point.attributes,
    })),
  },
  {
    id: 'points.update-attributes-in-small-keys',
    clause: 'delivery.point.update-applies',
    about: 'An update of attributes stores their keys in small letters; a new point keeps them.',
    rules: updated((point, { attributes }) => ({
      attributes: attributes ? mapped(attributes, (member, key) => [key.toLowerCase(), member]) : point.attributes,
    })),
  },
  {
    id: 'points.update-small-country-lost',
    clause: 'delivery.point.update-applies',
    about: 'An update of a country is not stored if its code is in small letters.',
    rules: updated(({ country }, _input, before) => ({
      country: country === country?.toLowerCase() ? before.country : country,
    })),
  },
  {
    id: 'points.update-loses-non-ascii',
    clause: 'delivery.point.update-applies',
    about: 'An update of the city to a text with letters outside ASCII does nothing.',
    rules: updated((point, input, before) => ({ city: isAscii(input.city ?? '') ? point.city : before.city })),
  },
  {
    id: 'points.update-to-empty-ignored',
    clause: 'delivery.point.update-applies',
    about: 'An update to an empty text returns success and changes nothing.',
    rules: updated((point, input, before) => ({
      address: input.address === '' ? before.address : point.address,
      city: input.city === '' ? before.city : point.city,
      zip: input.zip === '' ? before.zip : point.zip,
    })),
  },
  {
    id: 'points.update-loses-attributes',
    clause: 'delivery.point.update-keeps-omitted-fields',
    about: 'An update without attributes removes them.',
    rules: updated((point, input) => ({ attributes: input.attributes === undefined ? undefined : point.attributes })),
  },
  {
    id: 'points.update-of-address-clears-zip',
    clause: 'delivery.point.update-keeps-omitted-fields',
    about: 'An update of the address without a zip removes the zip.',
    rules: updated((point, input) => ({
      zip: input.address !== undefined && input.zip === undefined ? null : point.zip,
    })),
  },
  {
    id: 'points.update-by-prefix',
    clause: 'delivery.point.update-leaves-other-points',
    about: 'An update changes every point of the method whose id begins with the given one.',
    http: alsoReaches('PUT', sameBeginning),
  },
  {
    id: 'points.simultaneous-updates-lost',
    clause: 'delivery.point.update-keeps-omitted-fields',
    about:
      'Of updates of a point that arrive together only the last is kept: it writes the other fields as it read them.',
    http: intercepts('PUT', PATHS.point, async ({ body, parts: [handle = '', id = ''], pass, service }) => {
      const list = service.state.points.of(handle);
      const before = list.get(id);
      await setTimeout(MOMENT_MS);
      const response = await pass();
      const named = Object.keys((body?.pickup_point as Json | undefined) ?? {});
      const after = list.get(id);
      if (response.status === 200 && before !== undefined && after !== undefined) {
        const sent = Object.entries(after).filter(([name]) => named.includes(name));
        service.change(() => list.replace({ ...before, ...Object.fromEntries(sent) }));
      }
      return response;
    }),
  },
  {
    id: 'points.update-affects-other-methods',
    clause: 'delivery.point.same-id-in-two-methods',
    about: 'An update of a point changes the points with its id in all methods of the owner.',
    http: alsoReaches('PUT', (met, handle, id) => otherHandles(met, handle).map((other) => ({ handle: other, id }))),
  },
  {
    id: 'points.unknown-update-served',
    clause: 'delivery.point.unknown-not-updated',
    about: 'An update of an unknown id returns success and does nothing.',
    http: intercepts('PUT', PATHS.point, async ({ parts, pass, service }) => {
      const response = await pass();
      return response.status === 404 && service.state.methods.has(parts[0] ?? '') ? success() : response;
    }),
  },
];
