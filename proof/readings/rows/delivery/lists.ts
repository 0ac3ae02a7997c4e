/** Silences about lists: order, pages, links. */

import { listed } from '../../../../mock/faults/interception.ts';
import { refuse } from '../../../../mock/http/refusal.ts';
import { toQuery } from '../../../../mock/rules/common.ts';
import type { Listing } from '../../../../mock/storage/point-list.ts';
import type { Rules } from '../../../../mock/types/rules.ts';
import type { Reading, ReadingAnswer } from '../../reading.ts';

const LISTS = 'Endpoints, Common rules for A and B';
const LIMITS = 'Limits';

/** A list ordered by a key of each item. */
const orderedBy =
  (key: (item: Record<string, unknown>) => string | number): NonNullable<ReadingAnswer['rules']> =>
  (correct) => ({
    pageOf: (list, after, size, backwards) => correct.pageOf(sorted(list, key), after, size, backwards),
  });

function sorted<Item>(list: Listing<Item>, key: (item: Record<string, unknown>) => string | number): Listing<Item> {
  const items = list
    .all()
    .map((item) => ({ item, key: key(item as Record<string, unknown>) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ item }) => item);
  return {
    size: items.length,
    all: () => [...items],
    slice: (after, count, backwards) => {
      const ordered = backwards ? items.toReversed() : items;
      const from = after === null ? 0 : Number(after);
      return ordered.slice(from, from + count).map((item, at) => ({ item, position: String(from + at + 1) }));
    },
  };
}

const percentEncoded = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

const idOf = (item: Record<string, unknown>): string => String(item.id ?? item.handle);

function hashOf(text: string): number {
  let hash = 7;
  for (const letter of text) hash = (Math.imul(hash, 31) + letter.codePointAt(0)!) >>> 0;
  return Math.imul(hash, 2_654_435_761) >>> 0;
}

/** The order in which rows were first seen. A changed row is a new object, so it moves to the end. */
function byLastChange(): (item: Record<string, unknown>) => number {
  const seen = new WeakMap<object, number>();
  let count = 0;
  return (item) => {
    const known = seen.get(item);
    if (known !== undefined) return known;
    count += 1;
    seen.set(item, count);
    return count;
  };
}

const clampedAt = (limit: number): ReadingAnswer => ({
  id: `clamped-at-${limit}`,
  about: `No page holds more than ${limit} items, however many were asked for.`,
  rules: (correct) => ({ pageSize: (asked) => Math.min(limit, correct.pageSize(asked)) }),
});

const refusedAbove = (limit: number): ReadingAnswer => ({
  id: `refused-above-${limit}`,
  about: `A page size above ${limit} is refused.`,
  rules: (correct) => ({
    pageSize: (asked) => {
      if (Number(asked) > limit) return refuse('invalid', `page_size is at most ${limit}.`);
      return asked === null ? Math.min(limit, correct.pageSize(asked)) : correct.pageSize(asked);
    },
  }),
});

const byDefault = (size: number): ReadingAnswer => ({
  id: `of-${size}`,
  about: `A page has ${size} items where no size is asked for.`,
  without: ['lists.page-limit', 'lists.page-sizes'],
  rules: (correct) => ({ pageSize: (asked) => (asked === null || asked === '' ? size : correct.pageSize(asked)) }),
});

/** Links that contain only an opaque token for the position, which the service stores. */
function statefulLinks(keeps: (name: string) => boolean): NonNullable<ReadingAnswer['rules']> {
  return (correct) => {
    const known = new Map<string, string>();
    return {
      positionParameter: () => 'cursor',
      pageOf: (list, after, size, backwards) => {
        const [place, ways, items] = (after === null ? '' : (known.get(after) ?? '')).split(' ');
        if (after !== null && place === '') return refuse('invalid', 'This cursor is not known.');
        const back = ways === undefined ? backwards : ways === 'back';
        const many = items === undefined ? size : Number(items);
        const page = correct.pageOf(list, place === '' || place === undefined ? null : place, many, back);
        if (page.next === null) return page;
        const word = `c${hashOf(`${known.size}${page.next}`).toString(36)}${known.size}`;
        known.set(word, `${page.next} ${back ? 'back' : 'forth'} ${many}`);
        return { ...page, next: word };
      },
      nextLink: (base, path, query) =>
        correct.nextLink(
          base,
          path,
          query.filter(([name]) => keeps(name)),
        ),
    };
  };
}

const extraMembers =
  (members: (items: number) => Record<string, unknown>): NonNullable<ReadingAnswer['rules']> =>
  (correct: Rules) => ({
    linkField: (link) => ({ ...correct.linkField(link), ...members(0) }),
  });

export const listReadings: readonly Reading[] = [
  {
    id: 'lists.order',
    section: LISTS,
    silence: 'By what a list is ordered by default; only that desc=1 reverses it.',
    answers: [
      { id: 'newest-first', about: 'The newest item comes first.', rules: () => ({ newestFirst: () => true }) },
      { id: 'by-id', about: 'Items are ordered by id or handle.', rules: orderedBy(idOf) },
      {
        id: 'by-title',
        about: 'Items are ordered by title, and by id where titles are equal.',
        rules: orderedBy((item) => `${JSON.stringify(item.title)} ${idOf(item)}`),
      },
      {
        id: 'by-digest',
        about: 'Items are ordered by a digest of their id: any order, but a stable one.',
        rules: orderedBy((item) => hashOf(idOf(item))),
      },
      {
        id: 'by-last-change',
        about: 'An item that is changed goes to the end of the list.',
        rules: (correct) => orderedBy(byLastChange())(correct),
      },
    ],
  },
  {
    id: 'lists.page-limit',
    section: LIMITS,
    silence: 'The largest page, and whether a larger size is cut down or refused.',
    answers: [
      ...[1, 2, 3, 7, 10, 50, 99].map(clampedAt),
      ...[1, 2, 5, 10, 20, 30, 49].map(refusedAbove),
      {
        id: 'clamped-at-1000',
        about: 'A page may hold 1,000 items.',
        rules: (correct) => ({
          pageSize: (asked) =>
            /^[1-9]\d{0,8}$/.test(asked ?? '') ? Math.min(Number(asked), 1000) : correct.pageSize(asked),
        }),
      },
      {
        id: 'uneven',
        about: 'Pages hold fewer items than asked for, and not always the same number.',
        rules: (correct) => ({
          pageOf: (list, after, size, backwards) =>
            correct.pageOf(list, after, Math.max(1, size - (hashOf(after ?? '') % Math.min(size, 4))), backwards),
        }),
      },
    ],
  },
  {
    id: 'lists.default-page',
    section: LIMITS,
    silence: 'The size of a page when none is asked for.',
    answers: [1, 5, 100, 1000].map(byDefault),
  },
  {
    id: 'lists.unusable-page-size',
    section: LISTS,
    silence: 'What a page size of zero, below zero or without a number does.',
    answers: [
      {
        id: 'default-page',
        about: 'Such a size counts as none.',
        rules: (correct) => ({
          pageSize: (asked) => correct.pageSize(/^\d{1,9}$/.test(asked ?? '') && Number(asked) > 0 ? asked : null),
        }),
      },
      {
        id: 'one-item',
        about: 'Such a size counts as 1.',
        rules: (correct) => ({
          pageSize: (asked) =>
            asked === null || (/^\d{1,9}$/.test(asked) && Number(asked) > 0) ? correct.pageSize(asked) : 1,
        }),
      },
    ],
  },
  {
    id: 'lists.link-form',
    section: LISTS,
    silence: 'How the link to the next page is written.',
    answers: [
      {
        id: 'host-rooted',
        about: 'A path from the root of the host, with the version.',
        rules: () => ({ nextLink: (base, path, query) => `${new URL(base).pathname}${path}?${toQuery(query)}` }),
      },
      {
        id: 'base-rooted',
        about: 'A rooted path without the version, meant from the base.',
        rules: () => ({ nextLink: (_base, path, query) => `${path}?${toQuery(query)}` }),
      },
      {
        id: 'base-relative',
        about: 'A path without a slash in front, meant from the base.',
        rules: () => ({ nextLink: (_base, path, query) => `${path.slice(1)}?${toQuery(query)}` }),
      },
      {
        id: 'opaque',
        about: 'The position is opaque.',
        rules: (correct) => ({
          positionParameter: () => 'cursor',
          pageOf: (list, after, size, backwards) => {
            const from = after === null ? null : Buffer.from(after, 'base64').toString();
            const page = correct.pageOf(list, from, size, backwards);
            return { ...page, next: page.next && Buffer.from(`${page.next}`).toString('base64') };
          },
        }),
      },
      {
        id: 'stateful',
        about: 'The link contains the size and an opaque token for position and direction.',
        rules: statefulLinks((name) => name !== 'desc'),
      },
      {
        id: 'word-only',
        about: 'The link contains only an opaque token: the service stores size and direction.',
        rules: statefulLinks((name) => name === 'cursor'),
      },
      {
        id: 'position-first',
        about: 'The position is the first parameter of the link.',
        rules: (correct) => ({ nextLink: (base, path, query) => correct.nextLink(base, path, query.toReversed()) }),
      },
      {
        id: 'with-own-parameter',
        about: 'The link carries an additional parameter.',
        rules: (correct) => ({ nextLink: (base, path, query) => correct.nextLink(base, path, [...query, ['v', '3']]) }),
      },
      {
        id: 'query-only',
        about: 'Only the query: it is relative to the page that carries it.',
        rules: () => ({ nextLink: (_base, _path, query) => `?${toQuery(query)}` }),
      },
      {
        id: 'without-scheme',
        about: 'A full address without its scheme.',
        rules: (correct) => ({
          nextLink: (base, path, query) => correct.nextLink(base, path, query).replace(/^https?:/, ''),
        }),
      },
      {
        id: 'with-fragment',
        about: 'A fragment follows the query.',
        rules: (correct) => ({ nextLink: (base, path, query) => `${correct.nextLink(base, path, query)}#next` }),
      },
      {
        id: 'all-encoded',
        about: 'Each character of a value is percent-encoded, with small hexadecimal digits.',
        rules: (correct) => ({
          positionParameter: () => 'after',
          nextLink: (base, path, query) =>
            `${correct.nextLink(base, path, [])}${query.map(([name, value]) => `${name}=${percentEncoded(value)}`).join('&')}`,
        }),
      },
    ],
  },
  {
    id: 'lists.last-link',
    section: LISTS,
    silence: 'What the last page holds in place of a link.',
    answers: [
      { id: 'null', about: 'The link is null.', rules: () => ({ linkField: (link) => ({ next_page_uri: link }) }) },
      {
        id: 'empty',
        about: 'The link is the empty string.',
        rules: () => ({ linkField: (link) => ({ next_page_uri: link ?? '' }) }),
      },
      {
        id: 'empty-array',
        about: 'The link is an empty array, as absent values are in some languages.',
        rules: () => ({ linkField: (link) => ({ next_page_uri: link ?? [] }) }),
      },
      {
        id: 'false',
        about: 'The link is false.',
        rules: () => ({ linkField: (link) => ({ next_page_uri: link ?? false }) }),
      },
      {
        id: 'empty-page',
        about: 'The link leads to a page without items.',
        without: ['lists.link-form', 'lists.page-limit/uneven'],
        rules: () => ({
          pageOf: (list, after, size, backwards) => {
            const found = list.slice(after, size, backwards);
            return { items: found.map(({ item }) => item), next: found.at(-1)?.position ?? null };
          },
        }),
      },
    ],
  },
  {
    id: 'lists.further-members',
    section: LISTS,
    silence: 'What else a list carries beside its items.',
    answers: [
      { id: 'error-false', about: 'error: false.', rules: extraMembers(() => ({ error: false })) },
      { id: 'error-null', about: 'error: null.', rules: extraMembers(() => ({ error: null })) },
      {
        id: 'counts',
        about: 'Counts, and links of other names.',
        rules: extraMembers(() => ({ total: 3, count: null, prev_page_uri: null, meta: { items: [] } })),
      },
      {
        id: 'kinds',
        about: 'Each item says what it is.',
        rules: (correct) => ({
          ...listed('delivery_methods', (items) => items.map((item) => ({ kind: 'method', ...item })))(correct),
        }),
      },
    ],
  },
  {
    id: 'lists.other-desc',
    section: LISTS,
    silence: 'What values of desc other than 1 do.',
    answers: [
      {
        id: 'true-reverses',
        about: 'Any value but 0 and the empty one reverses.',
        rules: () => ({ descending: (asked) => asked !== null && asked !== '' && asked !== '0' }),
      },
      {
        id: 'others-refused',
        about: 'Any value but 0 and 1 is refused.',
        rules: () => ({
          descending: (asked) => {
            if (asked !== null && !/^[01]$/.test(asked)) return refuse('invalid', 'desc is 0 or 1.');
            return asked === '1';
          },
        }),
      },
      {
        id: 'zero-refused',
        about: 'Only 1 is taken, anything else is refused.',
        rules: () => ({
          descending: (asked) => {
            if (asked !== null && asked !== '1') return refuse('invalid', 'desc is 1 or absent.');
            return asked === '1';
          },
        }),
      },
    ],
  },
];
