/** Faults of cached responses: lists from their end, later pages and single points that are forgotten at some changes only. */
import type { Deviation } from '../../types/deviation.ts';
import { json, memory, PATHS, remembering } from '../interception.ts';

/** A change of points: its method and path, and the handles in the path. */
interface Change {
  readonly method: string;
  readonly path: string;
  readonly handles: readonly string[];
  readonly body: string;
}

type IsKept = (url: URL, status: number) => boolean;

const handlesIn = (path: string): string[] => (path.split('/')[4] ?? '').split(/,|%2c/i);

/** Keeps responses to these reads until a change that is named by `isSeen`; those that succeed, unless `isKept` says otherwise. */
const kept = (isKept: IsKept, isSeen: (change: Change, handle: string) => boolean): NonNullable<Deviation['http']> =>
  remembering(() => {
    const responses = memory(
      () => new Map<string, { readonly handle: string; readonly status: number; readonly body: string }>(),
    );
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
      const known = cache.get(key);
      if (known !== undefined) return json(JSON.parse(known.body), known.status);
      const response = await next(request);
      const { status } = response;
      if (isKept(url, status)) cache.set(key, { handle, status, body: await response.clone().text() });
      return response;
    };
  });

const isReversed: IsKept = ({ pathname, searchParams }, status) =>
  status === 200 && PATHS.points.test(pathname) && searchParams.get('desc') === '1';
const isSized: IsKept = ({ pathname, searchParams }, status) =>
  status === 200 && PATHS.points.test(pathname) && searchParams.has('page_size');
const isPoint: IsKept = ({ pathname }, status) => status === 200 && PATHS.point.test(pathname);
const isLaterPage =
  (list: RegExp): IsKept =>
  ({ pathname, searchParams }, status) =>
    status === 200 && list.test(pathname) && searchParams.has('page_start');

const AGREES = 'delivery.point.list-agrees-with-read';

/** A later page that follows a refused call has no link: the error resets what was known of the walk. */
const linkLostAfterRefusal: NonNullable<Deviation['http']> = remembering(() => {
  const latest = memory(() => ({ status: 200 }));
  return async (request, next, service) => {
    const state = latest(service);
    const wasRefused = state.status >= 400;
    const response = await next(request);
    state.status = response.status;
    const isLater = isLaterPage(PATHS.points)(new URL(request.url), response.status);
    if (!wasRefused || !isLater) return response;
    const { next_page_uri: _, ...page } = await response.json();
    return json(page);
  };
});

/** Points as they were read first directly after a refused call, shown at each such read. */
const keptAfterRefusal: NonNullable<Deviation['http']> = remembering(() => {
  const latest = memory(() => ({ status: 200, points: new Map<string, unknown>() }));
  return async (request, next, service) => {
    const state = latest(service);
    const wasRefused = state.status >= 400;
    const response = await next(request);
    state.status = response.status;
    const url = new URL(request.url);
    if (!wasRefused || request.method !== 'GET' || !isPoint(url, response.status)) return response;
    const known = state.points.get(url.pathname) ?? (await response.clone().json());
    state.points.set(url.pathname, known);
    return json(known);
  };
});

/** Points as they were read, by their path in small letters, until something is written. */
const keptInSmallLetters: NonNullable<Deviation['http']> = remembering(() => {
  const responses = memory(() => new Map<string, unknown>());
  return async (request, next, service) => {
    const cache = responses(service);
    const url = new URL(request.url);
    const key = `${request.headers.get('authorization')} ${url.pathname.toLowerCase()}`;
    if (request.method !== 'GET') cache.clear();
    else if (cache.has(key)) return json(cache.get(key));
    const response = await next(request);
    if (request.method === 'GET' && isPoint(url, response.status)) cache.set(key, await response.clone().json());
    return response;
  };
});

export const cacheFaults: readonly Deviation[] = [
  {
    id: 'lists.link-lost-after-refusal',
    clause: 'delivery.lists.every-item-once',
    about: 'A later page of points that follows a refused call has no link to the next one.',
    http: linkLostAfterRefusal,
  },
  {
    id: 'caches.point-without-case',
    clause: 'delivery.point.read-by-id',
    about: 'A point is read in place of one whose id differs in letter case only, until something is written.',
    http: keptInSmallLetters,
  },
  {
    id: 'caches.point-kept-after-refusal',
    clause: AGREES,
    about: 'A point that is read directly after a refused call is kept, and shown at the next such read.',
    http: keptAfterRefusal,
  },
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
    id: 'caches.sized-list-after-update',
    clauses: [AGREES, 'delivery.point.update-applies'],
    about: 'A list with a page size is stale after an update.',
    http: kept(isSized, ({ handles, method }, handle) => handles.includes(handle) && method !== 'PUT'),
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
  {
    id: 'caches.refusal-until-add',
    clause: 'delivery.point.read-by-id',
    about: 'A read of an unknown point is remembered until that point is added, updated or deleted alone.',
    http: kept(
      ({ pathname }, status) => status === 404 && PATHS.point.test(pathname),
      ({ handles, path }, handle) => handles.includes(handle) && (PATHS.point.test(path) || PATHS.newPoint.test(path)),
    ),
  },
  {
    id: 'caches.refusal-until-change-of-one',
    clause: 'delivery.point.read-by-id',
    about:
      'A read of an unknown point is remembered until a point of the method is changed alone; a batch call does not end that.',
    http: kept(
      ({ pathname }, status) => status === 404 && PATHS.point.test(pathname),
      ({ handles, path }, handle) => handles.includes(handle) && !PATHS.batch.test(path),
    ),
  },
  {
    id: 'caches.later-pages-of-points',
    clauses: [AGREES, 'delivery.point.update-applies'],
    about: 'A change of points is shown on the first page of their list; later pages are as they were first read.',
    http: kept(isLaterPage(PATHS.points), () => false),
  },
  {
    id: 'caches.methods-after-add',
    clause: 'delivery.method.list-contains-own',
    about: 'The list of methods is stale after a new one, until one is updated or deleted.',
    http: kept(
      ({ pathname }, status) => status === 200 && PATHS.methods.test(pathname),
      ({ method, path }) => method !== 'POST' && PATHS.method.test(path),
    ),
  },
  {
    id: 'caches.later-pages-of-methods',
    clause: 'delivery.method.list-agrees-with-read',
    about: 'A change of methods is shown on the first page of their list; later pages are as they were first read.',
    http: kept(isLaterPage(PATHS.methods), () => false),
  },
];
