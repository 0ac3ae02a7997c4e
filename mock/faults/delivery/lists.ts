/** Faults of pages: their size, their links, their order and its reverse. */

import type { Fixtures } from '../../fixtures/fixtures.ts';
import type { ServiceRequest } from '../../http/call.ts';
import { refuse } from '../../http/refusal.ts';
import { MAX_PAGE_ITEMS, type Page } from '../../rules/common.ts';
import type { Listing } from '../../storage/point-list.ts';
import type { Deviation } from '../../types/deviation.ts';
import { bodies, PATHS, refused } from '../interception.ts';

type MakesRules = NonNullable<Deviation['rules']>;

interface Cut<Item> {
  readonly list: Listing<Item>;
  readonly after: string | null;
  readonly size: number;
  readonly backwards: boolean;
  readonly usual: (after: string | null, size: number, backwards: boolean) => Page<Item>;
}

/** Cuts pages differently. `usual` cuts them correctly. */
const cut =
  (page: <Item>(of: Cut<Item>) => Page<Item>): MakesRules =>
  (correct) => ({
    pageOf: (list, after, size, backwards) =>
      page({ list, after, size, backwards, usual: (...asked) => correct.pageOf(list, ...asked) }),
  });

function skippingEqualTitles<Item>({ after, size, backwards, list, usual }: Cut<Item>): Page<Item> {
  if (after === null) return usual(after, size, backwards);
  const all = list.slice(null, list.size, backwards);
  const last = all.findIndex(({ position }) => position === after);
  const rest = all.slice(last + 1);
  const next = rest.findIndex(({ item }) => titleOf(item) !== titleOf(all[last]?.item));
  if (next < 0) return { items: [], next: null };
  return usual(next === 0 ? after : rest[next - 1]!.position, size, backwards);
}

const titleOf = (item: unknown): string => JSON.stringify((item as { readonly title?: unknown } | undefined)?.title);

/** Changes the link of each page; null removes it. */
const links = (change: (link: string, name: string, call: ServiceRequest) => string | null): MakesRules =>
  bodies(['listMethods', 'listPoints'], (body, call) => {
    const { next_page_uri: link, ...rest } = body;
    if (typeof link !== 'string') return body;
    const changed = change(link, 'delivery_methods' in body ? 'delivery_methods' : 'pickup_points', call);
    return { ...rest, ...(changed === null ? {} : { next_page_uri: changed }) };
  });

const without = (link: string, parameter: string): string => {
  const url = new URL(link);
  url.searchParams.delete(parameter);
  return url.href;
};

/** The first store with so many methods that their list has pages. */
function withMoreMethods(fixtures: Fixtures): Fixtures {
  const [model] = fixtures.methods;
  if (model === undefined) return fixtures;
  const more = [101, 102, 103, 104].map((number) => ({ ...model, handle: `courier-${number}`, number }));
  return { ...fixtures, methods: [...fixtures.methods, ...more] };
}

/** A page whose last item has such an id is the last one. */
const endsAfterIds =
  (which: RegExp): NonNullable<Deviation['rules']> =>
  (correct) => ({
    pageOf: (list, after, size, backwards) => {
      const page = correct.pageOf(list, after, size, backwards);
      const { id } = (page.items.at(-1) ?? {}) as { readonly id?: string };
      return id !== undefined && which.test(id) ? { ...page, next: null } : page;
    },
  });

export const listFaults: readonly Deviation[] = [
  {
    id: 'lists.page-size-exceeded-by-one',
    clause: 'delivery.lists.page-size-respected',
    about: 'A page contains one item more than page_size.',
    rules: (correct) => ({
      pageSize: (asked) => correct.pageSize(asked) + (asked === null ? 0 : 1),
    }),
  },
  {
    id: 'lists.page-size-ignored',
    clause: 'delivery.lists.page-size-respected',
    about: 'Pages have the default size for any page_size.',
    rules: (correct) => ({ pageSize: () => correct.pageSize(null) }),
  },
  {
    id: 'lists.page-size-lost-on-second-page',
    clause: 'delivery.lists.page-size-respected',
    about: 'Links lack page_size, so that later pages have the default size.',
    rules: links((link) => without(link, 'page_size')),
  },
  {
    id: 'lists.no-link-where-size-is-reduced',
    clause: 'delivery.lists.every-item-once',
    about: 'A page that is shorter than its page_size, because that is above the limit, has no link.',
    rules: links((link, _name, call) => (Number(new Map(call.params).get('page_size')) > MAX_PAGE_ITEMS ? null : link)),
  },
  {
    id: 'lists.page-size-minimum-5',
    clause: 'delivery.lists.page-size-respected',
    about: 'A page_size below 5 counts as 5.',
    rules: (correct) => ({ pageSize: (asked) => Math.max(5, correct.pageSize(asked)) }),
  },
  {
    id: 'lists.no-link',
    clause: 'delivery.lists.next-link',
    about: 'No page links to the next.',
    rules: links(() => null),
  },
  {
    id: 'lists.link-on-first-page-only',
    clause: 'delivery.lists.next-link',
    about: 'Only the first page of a walk links to the next.',
    rules: (correct) => ({
      pageOf: (list, after, size, backwards) => {
        const page = correct.pageOf(list, after, size, backwards);
        return after === null ? page : { ...page, next: null };
      },
    }),
  },
  {
    id: 'lists.end-after-1000-items',
    clause: 'delivery.point.list-contains',
    about: 'The page that ends with the 1,000th item has no link.',
    rules: cut(({ list, after, size, backwards, usual }) => {
      const page = usual(after, size, backwards);
      const last = list.slice(null, 1_000, backwards)[999];
      return last !== undefined && last.position === page.next ? { ...page, next: null } : page;
    }),
  },
  {
    id: 'lists.link-to-itself',
    clause: 'delivery.lists.next-link',
    about: 'The link of each page except the last leads to the same page.',
    rules: cut(({ after, size, backwards, usual }) => {
      const page = usual(after, size, backwards);
      return { ...page, next: page.next === null ? null : (after ?? page.next) };
    }),
  },
  {
    id: 'lists.link-refused',
    clause: 'delivery.lists.next-link',
    about: 'Links contain a position that the service refuses.',
    rules: links((link) => link.replace(/page_start=[^&]*/, 'page_start=next')),
  },
  {
    id: 'lists.link-to-another-host',
    clause: 'delivery.lists.next-link',
    about: 'Links lead to a host that is not the service’s.',
    rules: links((link) => link.replace(/^https?:\/\/[^/]+/, 'https://internal-7.service.example')),
  },
  {
    id: 'lists.link-is-page-number',
    clause: 'delivery.lists.next-link',
    about: 'next_page_uri is the number of the next page instead of a link.',
    rules: bodies(['listMethods', 'listPoints'], (body) =>
      body.next_page_uri === undefined ? body : { ...body, next_page_uri: 2 },
    ),
  },
  {
    id: 'lists.methods-without-link',
    clause: 'delivery.lists.next-link',
    about: 'Pages of methods have no link, in a store with six of them; pages of points have theirs.',
    fixtures: withMoreMethods,
    rules: links((link, name) => (name === 'delivery_methods' ? null : link)),
  },
  {
    id: 'lists.method-lost-between-pages',
    clause: 'delivery.lists.every-item-once',
    about: 'In a list of six methods one is lost between two pages; points are complete.',
    fixtures: withMoreMethods,
    rules: cut(({ after, size, backwards, list, usual }) => {
      const [skipped] = after === null || after.includes('-') ? [] : list.slice(after, 1, backwards);
      return usual(skipped?.position ?? after, size, backwards);
    }),
  },
  {
    id: 'lists.ends-after-100',
    clause: 'delivery.lists.next-link',
    about: 'A walk ends at the 100th point of a method, even if there are more.',
    rules: cut(({ list, after, size, backwards, usual }) => {
      const page = usual(after, size, backwards);
      const all = list.slice(null, 100, backwards);
      const last = all.at(99)?.position;
      const at = all.findIndex(({ position }) => position === after);
      if (last === undefined) return page;
      if (after !== null && at < 0) return { items: [], next: null };
      const left = 100 - (at + 1);
      return page.items.length >= left ? { items: page.items.slice(0, left), next: null } : page;
    }),
  },
  {
    id: 'lists.last-page-links-to-first',
    clause: 'delivery.lists.walk-ends',
    about: 'The last page of a walk links to its first page.',
    rules: (correct) => ({
      pageOf: (list, after, size, backwards) => {
        const start = after === '0' || after === '0-0' ? null : after;
        const page = correct.pageOf(list, start, size, backwards);
        if (page.next !== null || page.items.length === 0) return page;
        const [first] = list.slice(null, 1, backwards);
        return { ...page, next: first?.position.includes('-') ? '0-0' : '0' };
      },
    }),
  },
  {
    id: 'lists.endless-links',
    clause: 'delivery.lists.walk-ends',
    about: 'After the last page there are endless empty pages, each with a link to the next.',
    rules: cut(({ after, size, backwards, usual }) => {
      const [, behind] = /^behind-(\d+)$/.exec(after ?? '') ?? [];
      const page = behind === undefined ? usual(after, size, backwards) : { items: [], next: null };
      return { ...page, next: page.next ?? `behind-${Number(behind ?? 0) + 1}` };
    }),
  },
  {
    id: 'lists.full-last-page-links-to-itself',
    clause: 'delivery.lists.walk-ends',
    about: 'When the last page is full it links to itself.',
    rules: cut(({ after, size, backwards, usual }) => {
      const page = usual(after, size, backwards);
      if (page.next !== null || page.items.length < size || after === null) return page;
      return { ...page, next: after };
    }),
  },
  {
    id: 'lists.item-lost-between-pages',
    clause: 'delivery.lists.every-item-once',
    about: 'Each page except the first begins one item too late, so that one is lost between two pages.',
    rules: cut(({ after, size, backwards, list, usual }) => {
      if (after === null) return usual(after, size, backwards);
      const [skipped] = list.slice(after, 1, backwards);
      return skipped === undefined ? { items: [], next: null } : usual(skipped.position, size, backwards);
    }),
  },
  {
    id: 'lists.item-repeated-between-pages',
    clause: 'delivery.lists.every-item-once',
    about: 'Each page except the first begins with the last item of the previous page.',
    rules: (correct) => {
      const lastItems = new Map<string, unknown>();
      return {
        pageOf: <Item>(list: Listing<Item>, after: string | null, size: number, backwards: boolean) => {
          const repeated =
            after === null || size < 2 ? undefined : (lastItems.get(`${list.size}:${after}`) as Item | undefined);
          const page = correct.pageOf(list, after, repeated === undefined ? size : size - 1, backwards);
          if (page.next !== null) lastItems.set(`${list.size}:${page.next}`, page.items.at(-1));
          return repeated === undefined ? page : { ...page, items: [repeated, ...page.items] };
        },
      };
    },
  },
  {
    id: 'lists.equal-titles-skipped',
    clauses: ['delivery.lists.every-item-once', 'delivery.lists.desc-kept-on-later-pages'],
    about: 'A page begins with the next title: items with the title of the last one of the page before are left out.',
    rules: cut(skippingEqualTitles),
  },
  {
    id: 'lists.methods-with-equal-titles-skipped',
    clause: 'delivery.lists.every-item-once',
    about:
      'In the usual order a page of methods begins with the next title: those that share the last title are left out.',
    rules: cut((of) => {
      const isOfMethods = 'handle' in (of.list.slice(null, 1, false)[0]?.item ?? {});
      return isOfMethods && !of.backwards ? skippingEqualTitles(of) : of.usual(of.after, of.size, of.backwards);
    }),
  },
  {
    id: 'lists.item-lost-on-last-page',
    clause: 'delivery.lists.every-item-once',
    about: 'The first item of a last page with several items is lost.',
    rules: cut(({ after, size, backwards, usual }) => {
      const page = usual(after, size, backwards);
      return after !== null && page.next === null && page.items.length > 1
        ? { ...page, items: page.items.slice(1) }
        : page;
    }),
  },
  {
    id: 'lists.item-lost-after-page-of-one',
    clause: 'delivery.lists.every-item-once',
    about: 'With page_size=1 every second item is lost; larger pages are correct.',
    rules: cut(({ after, size, backwards, list, usual }) => {
      const [skipped] = after === null || size > 1 ? [] : list.slice(after, 1, backwards);
      if (skipped === undefined) return usual(after, size, backwards);
      return usual(skipped.position, size, backwards);
    }),
  },
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
    id: 'lists.link-id-not-encoded',
    clause: 'delivery.lists.next-link',
    about: 'A link names the last item of its page without encoding it: after an id with & or # the walk ends.',
    rules: endsAfterIds(/[&#]/),
  },
  {
    id: 'lists.link-id-decoded-twice',
    clause: 'delivery.lists.next-link',
    about:
      'A link names the last item of its page, which is decoded twice: after an id with a percent sign the walk ends.',
    rules: endsAfterIds(/%/),
  },
  {
    id: 'lists.link-id-compared-as-number',
    clause: 'delivery.lists.next-link',
    about:
      'A link names the first item of its page: if an earlier item has the same number as its id, the page begins there.',
    rules: (correct) => ({
      pageOf: (list, after, size, backwards) => {
        const idOf = (item: unknown): string => (item as { readonly id?: string } | undefined)?.id ?? '';
        const isSame = (one: unknown, id: string): boolean => /^\d+$/.test(id) && Number(idOf(one)) === Number(id);
        const [named] = after === null ? [] : list.slice(after, 1, backwards);
        const all = list.slice(null, list.size, backwards);
        const at = named === undefined ? -1 : all.findIndex(({ item }) => isSame(item, idOf(named.item)));
        return correct.pageOf(list, at < 0 ? after : (all[at - 1]?.position ?? null), size, backwards);
      },
    }),
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
