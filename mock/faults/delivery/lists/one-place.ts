/** Faults of services that keep in one place where a caller is in a list, and not in the link to the next page. */
import type { Deviation } from '../../../types/deviation.ts';
import { intercepts, memory, PATHS, remembering } from '../../interception.ts';

const CLAUSE = 'delivery.lists.every-item-once';
const POSITION = 'page_start';

export const onePlaceFaults: readonly Deviation[] = [
  {
    id: 'lists.position-kept-by-list',
    clause: CLAUSE,
    about: 'A later page of points begins where the page that was read last of this list has ended, in either order.',
    http: remembering(() => {
      const positions = memory(() => new Map<string, string>());
      return intercepts('GET', PATHS.points, async ({ pass, request, service }) => {
        const url = new URL(request.url);
        const kept = positions(service);
        const position = kept.get(url.pathname);
        if (url.searchParams.has(POSITION) && position !== undefined) url.searchParams.set(POSITION, position);
        const response = await pass({ search: url.search });
        const { next_page_uri: link } = (await response.clone().json()) as { readonly next_page_uri?: string };
        const next = link === undefined ? null : new URL(link, url).searchParams.get(POSITION);
        if (next !== null) kept.set(url.pathname, next);
        return response;
      });
    }),
  },
  {
    id: 'lists.link-leads-to-list-read-last',
    clause: CLAUSE,
    about: 'A later page of points is one of the method whose points were listed last.',
    http: remembering(() => {
      const lists = memory(() => ({ last: '' }));
      return intercepts('GET', PATHS.points, async ({ pass, request, service }) => {
        const { pathname, searchParams } = new URL(request.url);
        const known = lists(service);
        if (searchParams.has(POSITION) && known.last !== '') return pass({ path: known.last });
        known.last = pathname;
        return pass();
      });
    }),
  },
];
