/** A cache in front of the public pages that ignores the query and the headers of a visitor. */
import type { Deviation } from '../../../mock/types/deviation.ts';
import type { MockService } from '../../../mock/types/service.ts';

/** How often a page is served from the cache: its first reader after a change, and the second a little later, see the old one. */
const SERVED_FROM_CACHE = 2;

interface CachedPage {
  readonly page: Response;
  reads: number;
}

const caches = new WeakMap<MockService, Map<string, CachedPage>>();

/** Serves each page of a website again a few times, whatever has changed meanwhile. */
export const cachedPages: NonNullable<Deviation['http']> = async (request, next, service) => {
  const { pathname } = new URL(request.url);
  if (request.method !== 'GET' || !pathname.startsWith('/site/')) return next(request);
  const cache = caches.get(service) ?? new Map<string, CachedPage>();
  caches.set(service, cache);
  const known = cache.get(pathname);
  if (known !== undefined && known.reads < SERVED_FROM_CACHE) {
    known.reads += 1;
    return known.page.clone();
  }
  const response = await next(request);
  if (response.status === 200) cache.set(pathname, { page: response.clone(), reads: 0 });
  return response;
};
