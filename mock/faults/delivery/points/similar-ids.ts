/** Faults of services that find a pickup point by an id that only looks like its own: without its accents, or in composed letters. */

import type { Deviation } from '../../../types/deviation.ts';
import type { MockService } from '../../../types/service.ts';
import { intercepts, PATHS, refused } from '../../interception.ts';
import { replacesSimilar } from './ids.ts';
import { pointPath } from './reach.ts';

const withoutAccents = (id: string): string => id.normalize('NFD').replace(/\p{M}/gu, '');
const composed = (id: string): string => id.normalize('NFC');

/** A call for an id that no point has is served for a point whose id is the same in this form. */
const findsSimilar = (method: 'GET' | 'PUT' | 'DELETE', form: (id: string) => string): NonNullable<Deviation['http']> =>
  findsLike(method, (id, sent) => form(id) === form(sent));

/** The same for a point whose id is like the one that was sent. */
const findsLike = (
  method: 'GET' | 'PUT' | 'DELETE',
  isLike: (id: string, sent: string) => boolean,
): NonNullable<Deviation['http']> =>
  intercepts(method, PATHS.point, async ({ parts, pass, service }) => {
    const [handle = '', sent = ''] = parts;
    const list = service.state.points.of(handle);
    const found = list.get(sent) ?? list.all().find(({ id }) => isLike(id, sent));
    return pass({ path: pointPath(handle, found?.id ?? sent) });
  });

/** Does the same for the points of the method whose id has the id in the path as one of several words. */
async function ofWord(
  [handle = '', sent = '']: readonly string[],
  { state }: MockService,
  response: Response,
  again: (id: string) => Promise<Response>,
): Promise<Response> {
  if (response.status !== 200) return response;
  for (const { id } of state.points.of(handle).all())
    if (id !== sent && id.split(/[\s-]/).includes(sent)) await again(id);
  return response;
}

/** An add replaces a point whose id is the same in this form. */
const compared = (id: string, about: string, form: (id: string) => string): Deviation => ({
  id,
  clause: 'delivery.point.create-stores',
  about,
  rules: replacesSimilar((one, other) => form(one) === form(other)),
});

export const similarIdFaults: readonly Deviation[] = [
  compared('points.id-compared-by-64-characters', 'An add replaces a point whose id has the same first 64.', (id) =>
    id.slice(0, 64),
  ),
  compared('points.id-compared-with-sharp-s', 'An add replaces a point whose id has ß for its ss.', (id) =>
    id.replaceAll('ß', 'ss'),
  ),
  compared('points.id-compared-as-slug', 'An add replaces a point whose id has a hyphen for its underscore.', (id) =>
    id.replaceAll('_', '-'),
  ),
  compared('points.id-compared-without-plus', 'An add replaces a point whose id has a plus before its digits.', (id) =>
    id.replace(/^\+(?=\d+$)/, ''),
  ),
  {
    id: 'points.update-splits-id',
    clause: 'delivery.point.id-any-characters',
    about: 'The id in the path of an update is a list: with a comma in it, its parts are not found.',
    http: intercepts('PUT', PATHS.point, async ({ parts: [, id = ''], pass }) =>
      id.includes(',') ? refused(404, 'A point of the list does not exist.') : pass(),
    ),
  },
  compared('points.id-compared-by-191-characters', 'An add replaces a point whose id has the same first 191.', (id) =>
    id.slice(0, 191),
  ),
  {
    id: 'points.id-loses-invisible-characters',
    clause: 'delivery.point.id-kept',
    about: 'Zero-width characters and soft hyphens are removed from the id of a new point.',
    rules: (correct) => ({
      mergePoint: (before, id, input, site) =>
        correct.mergePoint(before, id.replaceAll(/[\u200b-\u200f\u00ad]/g, ''), input, site),
    }),
  },
  {
    id: 'points.id-loses-ligatures',
    clause: 'delivery.point.id-kept',
    about: 'Ligatures in the id of a new point are written as single letters.',
    rules: (correct) => ({
      mergePoint: (before, id, input, site) => correct.mergePoint(before, id.replaceAll('\ufb01', 'fi'), input, site),
    }),
  },
  {
    id: 'points.read-takes-backslash-for-slash',
    clause: 'delivery.point.id-any-characters',
    about: 'A backslash in the path of a read is taken for a slash.',
    http: intercepts('GET', PATHS.point, async ({ parts: [handle = '', id = ''], pass }) =>
      pass({ path: pointPath(handle, id.replaceAll('\\', '/')) }),
    ),
  },
  {
    id: 'points.delete-loses-invisible-characters',
    clause: 'delivery.point.id-any-characters',
    about: 'Zero-width characters are removed from the path of a delete.',
    http: intercepts('DELETE', PATHS.point, async ({ parts: [handle = '', id = ''], pass }) =>
      pass({ path: pointPath(handle, id.replaceAll(/[\u200b-\u200f]/g, '')) }),
    ),
  },
  {
    id: 'points.update-merges-slashes',
    clause: 'delivery.point.id-with-slash',
    about: 'Slashes that follow each other in the id of an update are merged.',
    http: intercepts('PUT', PATHS.point, async ({ parts: [handle = '', id = ''], pass }) =>
      pass({ path: pointPath(handle, id.replaceAll(/\/+/g, '/')) }),
    ),
  },
  {
    id: 'points.id-loses-line-feed',
    clause: 'delivery.point.id-kept',
    about: 'A line feed at the end of an id is removed; spaces stay.',
    rules: (correct) => ({
      mergePoint: (before, id, input, site) => correct.mergePoint(before, id.replace(/\n$/, ''), input, site),
    }),
  },
  {
    id: 'points.id-read-by-first-letters',
    clause: 'delivery.point.unknown-read-refused',
    about:
      'A read of an unknown id of four characters or more returns a point whose id begins with it, as a search does.',
    http: findsLike('GET', (id, sent) => sent.length >= 4 && id.startsWith(sent)),
  },
  {
    id: 'points.id-updated-by-first-letters',
    clause: 'delivery.point.unknown-not-updated',
    about: 'An update of an unknown id of four characters or more changes a point whose id begins with it.',
    http: findsLike('PUT', (id, sent) => sent.length >= 4 && id.startsWith(sent)),
  },
  {
    id: 'points.id-read-without-accents',
    clause: 'delivery.point.unknown-read-refused',
    about: 'A read of an unknown id returns the point whose id has the same letters without accents.',
    http: findsSimilar('GET', withoutAccents),
  },
  {
    id: 'points.id-read-in-composed-letters',
    clause: 'delivery.point.unknown-read-refused',
    about: 'A read of an unknown id in decomposed letters returns the point whose id has them composed.',
    http: findsSimilar('GET', composed),
  },
  {
    id: 'points.delete-removes-by-word',
    clause: 'delivery.point.delete-leaves-other-points',
    about: 'A delete also removes the points whose id has this id as a word, as a search index does.',
    http: intercepts('DELETE', PATHS.point, async ({ parts, pass, service }) =>
      ofWord(parts, service, await pass(), (id) => pass({ path: pointPath(parts[0] ?? '', id) })),
    ),
  },
  {
    id: 'points.update-changes-by-word',
    clause: 'delivery.point.update-leaves-other-points',
    about: 'An update also changes the points whose id has this id as a word, as a search index does.',
    http: intercepts('PUT', PATHS.point, async ({ parts, pass, service }) =>
      ofWord(parts, service, await pass(), (id) => pass({ path: pointPath(parts[0] ?? '', id) })),
    ),
  },
  {
    id: 'points.id-updated-without-accents',
    clause: 'delivery.point.unknown-not-updated',
    about: 'An update of an unknown id changes the point whose id has the same letters without accents.',
    http: findsSimilar('PUT', withoutAccents),
  },
  {
    id: 'points.id-deleted-without-accents',
    clause: 'delivery.point.delete-leaves-other-points',
    about: 'A delete of an unknown id removes the point whose id has the same letters without accents.',
    http: findsSimilar('DELETE', withoutAccents),
  },
  {
    id: 'points.update-reaches-ids-without-accents',
    clause: 'delivery.point.update-leaves-other-points',
    about: 'An update of a point also changes those whose ids differ only in accents.',
    http: intercepts('PUT', PATHS.point, async ({ parts, pass, service }) => {
      const [handle = '', sent = ''] = parts;
      const response = await pass();
      if (response.status !== 200) return response;
      for (const { id } of service.state.points.of(handle).all())
        if (id !== sent && withoutAccents(id) === withoutAccents(sent)) await pass({ path: pointPath(handle, id) });
      return response;
    }),
  },
];
