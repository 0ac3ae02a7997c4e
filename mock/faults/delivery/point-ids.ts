/** Faults of the ids of pickup points: changed when stored, or misread in a path. */

import type { Deviation } from '../../types/deviation.ts';
import { intercepts, isAscii, PATHS, success } from '../interception.ts';
import { findsUnderId } from './reach.ts';

/** Stores a point under another id than the one that was sent. */
const storedUnder =
  (change: (id: string) => string): NonNullable<Deviation['rules']> =>
  (correct) => ({ mergePoint: (before, id, input, site) => correct.mergePoint(before, change(id), input, site) });

export const pointIdFaults: readonly Deviation[] = [
  {
    id: 'points.id-loses-leading-zeros',
    clause: 'delivery.point.id-kept',
    about: 'An id of digits loses its leading zeros.',
    rules: storedUnder((id) => (/^\d+$/.test(id) ? id.replace(/^0+(?=\d)/, '') : id)),
  },
  {
    id: 'points.id-trimmed',
    clause: 'delivery.point.id-kept',
    about: 'Spaces at both ends of an id are removed.',
    rules: storedUnder((id) => id.trim()),
  },
  {
    id: 'points.id-is-number',
    clause: 'delivery.point.id-kept',
    about: 'An id of digits is shown as a number.',
    rules: (correct) => ({
      renderPoint: (point, site) => {
        const shown = correct.renderPoint(point, site);
        return /^[1-9]\d{0,14}$/.test(point.id) ? { ...shown, id: Number(point.id) } : shown;
      },
    }),
  },
  {
    id: 'points.id-truncated',
    clause: 'delivery.point.id-kept',
    about: 'An id is cut to its first 50 characters.',
    rules: storedUnder((id) => id.slice(0, 50)),
  },
  {
    id: 'points.id-lower-case',
    clause: 'delivery.point.id-kept',
    about: 'Ids are kept in lower case.',
    rules: storedUnder((id) => id.toLowerCase()),
  },
  {
    id: 'points.id-plus-read-as-space',
    clause: 'delivery.point.id-any-characters',
    about: 'A plus in the id in a path is read as a space.',
    http: findsUnderId((sent) => sent.replaceAll('+', ' ')),
  },
  {
    id: 'points.id-decoded-twice',
    clause: 'delivery.point.id-any-characters',
    about: 'The id in a path is percent-decoded twice.',
    http: findsUnderId((sent) => (/%[0-9a-f]{2}/i.test(sent) ? decodeURIComponent(sent) : sent)),
  },
  {
    id: 'points.id-non-ascii-not-found',
    clause: 'delivery.point.id-any-characters',
    about: 'A point whose id has letters outside ASCII is listed, but not found by its id.',
    http: findsUnderId((sent) => (isAscii(sent) ? sent : 'unknown')),
  },
  {
    id: 'points.id-percent-not-deleted',
    clause: 'delivery.point.id-any-characters',
    about: 'A delete of a point whose id has a percent sign returns success and does nothing.',
    http: intercepts('DELETE', PATHS.point, async ({ parts, pass }) => {
      const seen = await pass({ method: 'GET' });
      return seen.status === 200 && parts[1]?.includes('%') ? success() : pass();
    }),
  },
  {
    id: 'points.id-with-slash-not-found',
    clause: 'delivery.point.id-with-slash',
    about: 'A point with a slash in its id is accepted, but not found by its id.',
    http: findsUnderId((sent) => (sent.includes('/') ? 'unknown' : sent)),
  },
  {
    id: 'points.id-suffix-read-as-format',
    clause: 'delivery.point.id-any-characters',
    about: 'The ending .json of an id in a path is read as a format and removed.',
    http: findsUnderId((sent) => sent.replace(/\.json$/, '')),
  },
  {
    id: 'points.id-compared-without-accents',
    clause: 'delivery.point.create-stores',
    about: 'An add replaces a point whose id differs only in accents or in trailing spaces.',
    http: intercepts('POST', PATHS.newPoint, async ({ body, parts, pass, service }) => {
      const id = (body?.pickup_point as Record<string, unknown> | undefined)?.id;
      const list = service.state.points.of(parts[0] ?? '');
      const same = list.all().find((point) => point.id !== id && plain(point.id) === plain(String(id)));
      if (same) service.change(() => list.remove(same.id));
      return pass();
    }),
  },
];

const plain = (id: string): string => id.trimEnd().normalize('NFD').replace(/\p{M}/gu, '');
