/** Faults of the links from page to page. */

import { MAX_PAGE_ITEMS } from '../../../rules/common.ts';
import type { Deviation } from '../../../types/deviation.ts';
import { bodies } from '../../interception.ts';
import { cut, links, withMoreMethods } from './changes.ts';

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

export const listLinkFaults: readonly Deviation[] = [
  {
    id: 'lists.no-link-where-size-is-reduced',
    clause: 'delivery.lists.every-item-once',
    about: 'A page that is shorter than its page_size, because that is above the limit, has no link.',
    rules: links((link, _name, call) => (Number(new Map(call.params).get('page_size')) > MAX_PAGE_ITEMS ? null : link)),
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
    id: 'lists.link-of-points-refused',
    clause: 'delivery.lists.next-link',
    about: 'Links of lists of points contain a position that the service refuses; those of methods do not.',
    rules: links((link, name) =>
      name === 'pickup_points' ? link.replace(/page_start=[^&]*/, 'page_start=next') : link,
    ),
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
];
