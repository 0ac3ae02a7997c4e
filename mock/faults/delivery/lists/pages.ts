/** Faults of the size and the items of pages. */

import { param } from '../../../http/call.ts';
import type { Page } from '../../../rules/common.ts';
import type { Listing } from '../../../storage/point-list.ts';
import type { Deviation } from '../../../types/deviation.ts';
import { bodies } from '../../interception.ts';
import { type Cut, cut, links, withMoreMethods, without, withoutItems } from './changes.ts';

function skippingEqualTitles<Item>({ after, size, backwards, list, usual }: Cut<Item>): Page<Item> {
  if (after === null) return usual(after, size, backwards);
  const all = list.slice(null, list.size, backwards);
  const last = all.findIndex(({ position }) => position === after);
  const rest = all.slice(last + 1);
  const next = rest.findIndex(({ item }) => titleOf(item) !== titleOf(all[last]?.item));
  if (next < 0) return { items: [], next: null };
  return usual(next === 0 ? after : rest[next - 1]!.position, size, backwards);
}

/** The places in which points are kept that came by different calls. */
const partOf = (position: string): string => position.split('-', 1)[0] ?? '';

/** Later pages show the part of the list that the page before ends in. */
function endingWithPart<Item>({ after, size, backwards, list, usual }: Cut<Item>): Page<Item> {
  if (after?.includes('-') !== true) return usual(after, size, backwards);
  const all = list.slice(null, list.size, backwards);
  const last = all.findIndex(({ position }) => position === after);
  const rest = all.slice(last + 1).filter(({ position }) => partOf(position) === partOf(after));
  const shown = rest.slice(0, size);
  return { items: shown.map(({ item }) => item), next: rest.length > size ? (shown.at(-1)?.position ?? null) : null };
}

const titleOf = (item: unknown): string => JSON.stringify((item as { readonly title?: unknown } | undefined)?.title);

/** An index with a window may show no more of a list. */
const WINDOW_PAGES = 40;

export const listPageFaults: readonly Deviation[] = [
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
    id: 'lists.page-size-minimum-5',
    clause: 'delivery.lists.page-size-respected',
    about: 'A page_size below 5 counts as 5.',
    rules: (correct) => ({ pageSize: (asked) => Math.max(5, correct.pageSize(asked)) }),
  },
  {
    id: 'lists.sized-pages-lack-points-without-zip',
    clause: 'delivery.lists.every-item-once',
    about: 'With a page_size below 50, points without a zip are left out.',
    rules: bodies(['listPoints'], (body, call) =>
      Number(param(call.params, 'page_size') ?? '50') < 50 ? withoutItems(body, ({ zip }) => !zip) : body,
    ),
  },
  {
    id: 'lists.window-of-40-pages',
    clause: 'delivery.lists.desc-reverses-whole-list',
    about:
      'A list shows its first forty pages of any size: in small pages a long one has no end, and its reverse begins there.',
    rules: cut(({ list, after, size, backwards, usual }) => {
      const window = list.slice(null, WINDOW_PAGES * size + 1, false);
      const beyond = window[WINDOW_PAGES * size]?.position;
      if (beyond === undefined) return usual(after, size, backwards);
      if (backwards) return usual(after ?? beyond, size, true);
      const page = usual(after, size, false);
      return page.next === window.at(-2)?.position ? { ...page, next: null } : page;
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
    id: 'lists.ends-with-part',
    clause: 'delivery.lists.next-link',
    about:
      'A walk ends with the points that came by one call: those that a list for another country has brought are left out.',
    rules: cut(endingWithPart),
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
];
