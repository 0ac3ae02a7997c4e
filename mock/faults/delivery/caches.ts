/** Faults of cached responses: lists from their end and single points that are forgotten at some changes only. */
import type { Deviation } from '../../types/deviation.ts';
import { memory, PATHS, remembering } from '../interception.ts';

/** A change of points: its method and path, and the handles in the path. */
interface Change {
  readonly method: string;
  readonly path: string;
  readonly handles: readonly string[];
  readonly body: string;
}

const handlesIn = (path: string): string[] => (path.split('/')[4] ?? '').split(/,|%2c/i);

/** Keeps responses to these reads of a method until a change that is named by `isSeen`. */
const kept = (
  isKept: (url: URL) => boolean,
  isSeen: (change: Change, handle: string) => boolean,
): NonNullable<Deviation['http']> =>
  remembering(() => {
    const responses = memory(() => new Map<string, { readonly handle: string; readonly body: string }>());
    return async (request, next, service) => {
      const url = new URL(request.url);
      const cache = responses(service);
      const [handle = '', ...others] = handlesIn(url.pathname);
      const key = `${request.headers.get('authorization')} ${url.pathname}${url.search}`;
      if (request.method !== 'GET') {
        const body = request.body === null ? '' : await request.clone().text();
        const response = await next(request);
        const change = { method: request.method, path: url.pathname, handles: [handle, ...others], body };
        if (response.status === 200)
          for (const [name, known] of cache) if (isSeen(change, known.handle)) cache.delete(name);
        return response;
      }
      const known = isKept(url) ? cache.get(key) : undefined;
      if (known !== undefined) return new Response(known.body, { headers: { 'content-type': 'application/json' } });
      const response = await next(request);
      if (isKept(url) && response.status === 200) cache.set(key, { handle, body: await response.clone().text() });
      return response;
    };
  });

const isReversed = ({ pathname, searchParams }: URL): boolean =>
  PATHS.points.test(pathname) && searchParams.get('desc') === '1';
const isPoint = ({ pathname }: URL): boolean => PATHS.point.test(pathname);

const AGREES = 'delivery.point.list-agrees-with-read';

export const cacheFaults: readonly Deviation[] = [
  {
    id: 'caches.reversed-list-of-later-handles',
    clause: AGREES,
    about: 'The list from its end is stale after a change under several handles, except in the first method.',
    http: kept(isReversed, ({ handles }, handle) => handles[0] === handle),
  },
  {
    id: 'caches.reversed-list-after-update',
    clause: AGREES,
    about: 'The list from its end is stale after an update.',
    http: kept(isReversed, ({ handles, method }, handle) => handles.includes(handle) && method !== 'PUT'),
  },
  {
    id: 'caches.reversed-list-after-delete',
    clause: AGREES,
    about: 'The list from its end is stale after a delete.',
    http: kept(isReversed, ({ handles, method }, handle) => handles.includes(handle) && method !== 'DELETE'),
  },
  {
    id: 'caches.reversed-list-after-batch',
    clause: AGREES,
    about: 'The list from its end is stale after a batch call.',
    http: kept(isReversed, ({ handles, path }, handle) => handles.includes(handle) && !PATHS.batch.test(path)),
  },
  {
    id: 'caches.point-of-later-handles',
    clause: AGREES,
    about: 'A single point is stale after a change under several handles, except in the first method.',
    http: kept(isPoint, ({ handles }, handle) => handles[0] === handle),
  },
  {
    id: 'caches.point-after-batch-for-country',
    clause: AGREES,
    about: 'A single point is stale after a batch call for a country.',
    http: kept(isPoint, ({ handles, path, body }, handle) => {
      const isForCountry =
        PATHS.batch.test(path) && typeof (JSON.parse(body) as { country?: unknown }).country === 'string';
      return handles.includes(handle) && !isForCountry;
    }),
  },
];
