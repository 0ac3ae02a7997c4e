/** Faults of the ids of pickup points: changed when stored, or misread in a path. */

import type { Deviation } from '../../../types/deviation.ts';
import type { Point } from '../../../types/point.ts';
import { asLikePattern } from '../../comparisons.ts';
import { intercepts, isAscii, type Json, PATHS, refused, success } from '../../interception.ts';
import { alsoReaches, findsUnderId, pointPath } from './reach.ts';

/** Stores a point under another id than the one that was sent. */
const storedUnder =
  (change: (id: string) => string): NonNullable<Deviation['rules']> =>
  (correct) => ({ mergePoint: (before, id, input, site) => correct.mergePoint(before, change(id), input, site) });

/** An add also removes another point whose id is the same by this comparison. */
export const replacesSimilar =
  (isSame: (a: string, b: string) => boolean): NonNullable<Deviation['rules']> =>
  (correct) => ({
    addPoint: (list, point) => {
      const same = list.all().find(({ id }) => id !== point.id && isSame(id, point.id));
      if (same !== undefined) correct.removePoint(list, same.id);
      correct.addPoint(list, point);
    },
  });

/** Because ids in a list are unique, a second point with an id has a suffix that is never shown. */
const AGAIN = '~again';

/** Stores a second point with an id, if it differs from the first one as a key of the database requires. */
const storedAgain = (
  id: string,
  about: string,
  isOther: (old: Point, sent: Json) => boolean = () => true,
): Deviation => ({
  id,
  clause: 'delivery.point.id-unique',
  about,
  rules: (correct) => ({
    duplicatePoint: () => 'replace',
    renderPoint: (point, site) => ({ ...correct.renderPoint(point, site), id: point.id.replace(AGAIN, '') }),
  }),
  http: intercepts('POST', PATHS.newPoint, async ({ body, parts, pass, service }) => {
    const point = body?.pickup_point as Json | undefined;
    const old = service.state.points.of(parts[0] ?? '').get(String(point?.id));
    if (point === undefined || old === undefined || !isOther(old, point)) return pass();
    return pass({ body: { pickup_point: { ...point, id: `${point.id}${AGAIN}` } } });
  }),
});

/** Finds a point by a pattern if it has no point with this id. */
const byPattern = (method: 'GET' | 'PUT'): NonNullable<Deviation['http']> =>
  intercepts(method, PATHS.point, async ({ parts, pass, service }) => {
    const [handle = '', sent = ''] = parts;
    const list = service.state.points.of(handle);
    const found = list.get(sent) ?? list.all().find(({ id }) => asLikePattern(sent, id));
    return pass({ path: pointPath(handle, found?.id ?? sent) });
  });

export const pointIdFaults: readonly Deviation[] = [
  storedAgain('points.duplicate-id-stored', 'Adding an id that already exists stores a second point with that id.'),
  storedAgain(
    'points.id-unique-within-country',
    'The key of points is id and country: an id that exists is stored again for another country.',
    (old, sent) => typeof sent.country === 'string' && sent.country.toUpperCase() !== old.country?.toUpperCase(),
  ),
  storedAgain(
    'points.id-unique-within-zip',
    'The key of points is id and zip: an id that exists is stored again with another zip.',
    (old, sent) => typeof sent.zip === 'string' && sent.zip !== old.zip,
  ),
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
    id: 'points.id-cut-at-comma',
    clause: 'delivery.point.id-any-characters',
    about: 'The id in a path ends at a comma, as a handle does.',
    http: findsUnderId((sent) => sent.split(',')[0] ?? ''),
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
  {
    id: 'points.id-zero-not-found',
    clause: 'delivery.point.id-any-characters',
    about: 'A point with the id 0 is listed and can neither be read, changed nor deleted.',
    http: intercepts('*', PATHS.point, async ({ parts, pass }) => (parts[1] === '0' ? refused(404) : pass())),
  },
  {
    id: 'points.id-zero-replaced',
    clause: 'delivery.point.id-kept',
    about: 'A point that is added with the id 0 gets another id.',
    rules: storedUnder((id) => (id === '0' ? 'new' : id)),
  },
  {
    id: 'points.id-compared-as-number',
    clause: 'delivery.point.create-stores',
    about:
      'An add replaces a point whose id is the same decimal number, like 12 and 12e0; numbers without an exponent differ.',
    rules: replacesSimilar((a, b) => /e/.test(a + b) && Number(a) === Number(b)),
  },
  {
    id: 'points.id-compared-in-composed-letters',
    clause: 'delivery.point.create-stores',
    about: 'An add replaces a point whose id has the same letters in composed form.',
    rules: replacesSimilar((a, b) => a.normalize('NFC') === b.normalize('NFC')),
  },
  {
    id: 'points.id-compared-without-emoji',
    clause: 'delivery.point.create-stores',
    about: 'An add replaces a point whose id differs only in characters outside the basic plane.',
    rules: replacesSimilar((a, b) => inBasicPlane(a) === inBasicPlane(b)),
  },
  {
    id: 'points.id-loses-last-dot',
    clause: 'delivery.point.id-any-characters',
    about: 'The id in a path loses a dot at its end, as the names of files do on some systems.',
    http: intercepts('*', PATHS.point, async ({ parts: [handle = '', id = ''], pass }) =>
      id.endsWith('.') ? pass({ path: pointPath(handle, id.replace(/\.$/, '')) }) : pass(),
    ),
  },
  {
    id: 'points.id-read-by-pattern',
    clause: 'delivery.point.unknown-read-refused',
    about: 'A read takes _ in an unknown id for any character.',
    http: byPattern('GET'),
  },
  {
    id: 'points.id-read-as-number',
    clause: 'delivery.point.unknown-read-refused',
    about: 'A read of an unknown id of digits returns the point whose id is the same number.',
    http: intercepts('GET', PATHS.point, async ({ parts, pass, service }) => {
      const [handle = '', sent = ''] = parts;
      const list = service.state.points.of(handle);
      const found = list.get(sent) ?? list.all().find(({ id }) => Number(id) === Number(sent));
      return pass({ path: pointPath(handle, found?.id ?? sent) });
    }),
  },
  {
    id: 'points.id-updated-by-pattern',
    clause: 'delivery.point.unknown-not-updated',
    about: 'An update takes _ in an unknown id for any character.',
    http: byPattern('PUT'),
  },
  {
    id: 'points.id-deleted-by-pattern',
    clause: 'delivery.point.id-any-characters',
    about: 'A delete takes _ in an id for any character and % for any text.',
    http: alsoReaches('DELETE', ({ service }, handle, id) => {
      const isLike = new RegExp(
        `^${id
          .replaceAll(/[^\w% ]/g, '\\$&')
          .replaceAll('_', '.')
          .replaceAll('%', '.*')}$`,
        's',
      );
      const points = service.state.points.of(handle).all();
      return points
        .filter((point) => point.id !== id && isLike.test(point.id))
        .map((point) => ({ handle, id: point.id }));
    }),
  },
];

/** With one sign for each character outside the basic plane. */
const inBasicPlane = (id: string): string => id.replaceAll(/[\u{10000}-\u{10FFFF}]/gu, '?');

const plain = (id: string): string => id.trimEnd().normalize('NFD').replace(/\p{M}/gu, '');
