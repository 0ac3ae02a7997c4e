/** Faults of the order of lists and of its reverse. */

import { param } from '../../../http/call.ts';
import { refuse } from '../../../http/refusal.ts';
import type { Deviation } from '../../../types/deviation.ts';
import { bodies, PATHS, refused } from '../../interception.ts';
import { cut, links, without, withoutItems } from './changes.ts';

export const listOrderFaults: readonly Deviation[] = [
  {
    id: 'lists.order-by-page-size',
    clause: 'delivery.lists.stable-order',
    about: 'With an even page size the list is in reverse order.',
    rules: cut(({ after, size, backwards, usual }) =>
      usual(after, size, size % 2 === 0 && size < 20 ? !backwards : backwards),
    ),
  },
  {
    id: 'lists.order-within-page-changes',
    clause: 'delivery.lists.stable-order',
    about: 'The items of a page are in a different order in each response.',
    rules: (correct) => {
      let times = 0;
      return {
        pageOf: (list, after, size, backwards) => {
          const page = correct.pageOf(list, after, size, backwards);
          times += 1;
          const by = times % Math.max(1, page.items.length);
          return { ...page, items: [...page.items.slice(by), ...page.items.slice(0, by)] };
        },
      };
    },
  },
  {
    id: 'lists.desc-ignored',
    clause: 'delivery.lists.desc-reverses-whole-list',
    about: 'desc=1 changes nothing.',
    rules: () => ({ descending: () => false }),
  },
  {
    id: 'lists.desc-within-pages',
    clause: 'delivery.lists.desc-reverses-whole-list',
    about: 'With desc=1 each page is reversed, but the pages are in the usual order.',
    rules: cut(({ after, size, backwards, usual }) => {
      const page = usual(after, size, false);
      return backwards ? { ...page, items: page.items.toReversed() } : page;
    }),
  },
  {
    id: 'lists.desc-without-last-item',
    clause: 'delivery.lists.desc-reverses-whole-list',
    about: 'With desc=1 the list begins with the second to last item.',
    rules: cut(({ list, after, size, backwards, usual }) => {
      const [skipped] = backwards && after === null && list.size > 1 ? list.slice(null, 1, true) : [];
      return usual(skipped?.position ?? after, size, backwards);
    }),
  },
  {
    id: 'lists.desc-ignored-without-small-pages',
    clause: 'delivery.lists.desc-reverses-whole-list',
    about: 'desc=1 changes nothing. Sizes below 10 are refused, which is allowed.',
    rules: (correct) => ({
      pageSize: (asked) =>
        asked !== null && Number(asked) < 10
          ? refuse('invalid', 'page_size cannot be below 10.')
          : correct.pageSize(asked),
      descending: () => false,
    }),
  },
  {
    id: 'lists.desc-refused-with-page-size',
    clause: 'delivery.lists.desc-reverses-whole-list',
    about: 'desc=1 is served alone, and refused together with page_size.',
    http: async (request, next) => {
      const { pathname, searchParams } = new URL(request.url);
      const isList = request.method === 'GET' && (PATHS.methods.test(pathname) || PATHS.points.test(pathname));
      return isList && searchParams.has('desc') && searchParams.has('page_size')
        ? refused(400, 'desc and page_size cannot be combined.')
        : next(request);
    },
  },
  {
    id: 'lists.desc-without-untitled',
    clauses: ['delivery.lists.desc-reverses-whole-list', 'delivery.lists.desc-kept-on-later-pages'],
    about: 'With desc=1 methods and points without a title are left out, as in a join of tables.',
    rules: bodies(['listMethods', 'listPoints'], (body, call) =>
      param(call.params, 'desc') === '1' ? withoutItems(body, ({ title }) => !title) : body,
    ),
  },
  {
    id: 'lists.desc-lost-on-second-page',
    clause: 'delivery.lists.desc-kept-on-later-pages',
    about: 'Links lack desc=1, so that the walk changes direction after its first page.',
    rules: links((link) => without(link, 'desc')),
  },
  {
    id: 'lists.desc-kept-on-second-page-only',
    clause: 'delivery.lists.desc-kept-on-later-pages',
    about: 'With desc=1 the second page is correct, and then the walk changes direction.',
    rules: links((link, _name, call) =>
      call.params.some(([name]) => name === 'page_start') ? without(link, 'desc') : link,
    ),
  },
  {
    id: 'lists.desc-only-as-last-parameter',
    clause: 'delivery.lists.desc-reverses-whole-list',
    about: 'The parameter desc is read only behind page_size.',
    http: async (request, next) => {
      const url = new URL(request.url);
      const names = [...url.searchParams.keys()];
      if (names.indexOf('desc') >= names.indexOf('page_size')) return next(request);
      url.searchParams.delete('desc');
      return next(new Request(url, { headers: request.headers }));
    },
  },
];
