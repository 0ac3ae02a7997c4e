/** Lists as other services page them. */

import { refuse } from '../http/refusal.ts';
import { toQuery } from '../rules/common.ts';
import type { Deviation } from '../types/deviation.ts';

export const listVariants: readonly Deviation[] = [
  {
    id: 'links.rooted',
    about: 'Links to the next page are paths from the root of the host, with the version.',
    rules: () => ({ nextLink: (base, path, query) => `${new URL(base).pathname}${path}?${toQuery(query)}` }),
  },
  {
    id: 'links.base-relative',
    about: 'Links to the next page are rooted paths without the version, relative to the base.',
    rules: () => ({ nextLink: (_base, path, query) => `${path}?${toQuery(query)}` }),
  },
  {
    id: 'links.empty-last-page',
    about: 'Every page with items links to a next one, so that the last link leads to an empty page.',
    rules: () => ({
      pageOf: (list, after, size, backwards) => {
        const found = list.slice(after, size, backwards);
        return { items: found.map(({ item }) => item), next: found.at(-1)?.position ?? null };
      },
    }),
  },
  {
    id: 'links.null-on-last-page',
    about: 'The last page has a link that is null.',
    rules: () => ({ linkField: (link) => ({ next_page_uri: link }) }),
  },
  {
    id: 'links.empty-on-last-page',
    about: 'The last page has a link that is the empty string.',
    rules: () => ({ linkField: (link) => ({ next_page_uri: link ?? '' }) }),
  },
  {
    id: 'links.opaque-position',
    about: 'The position in a link has another name and is opaque.',
    rules: (correct) => ({
      positionParameter: () => 'cursor',
      pageOf: (list, after, size, backwards) => {
        const from = after === null ? null : Buffer.from(after, 'base64url').toString();
        const page = correct.pageOf(list, from, size, backwards);
        return { ...page, next: page.next && Buffer.from(page.next).toString('base64url') };
      },
    }),
  },
  {
    id: 'pages.at-most-3',
    about: 'No page has more than 3 items, for any page_size.',
    rules: (correct) => ({ pageSize: (asked) => Math.min(3, correct.pageSize(asked)) }),
  },
  {
    id: 'pages.large-size-refused',
    about: 'A page size above 50 is refused instead of clamped.',
    rules: (correct) => ({
      pageSize: (asked) =>
        Number(asked) > 50 ? refuse('invalid', 'page_size is at most 50.') : correct.pageSize(asked),
    }),
  },
  {
    id: 'lists.newest-first',
    about: 'The default order is newest first, and desc=1 its reverse.',
    rules: () => ({ newestFirst: () => true }),
  },
  {
    id: 'upload.old-list-hidden',
    about: 'While a list is uploaded, the method lists no pickup points.',
    rules: () => ({ listedDuringUpload: () => false }),
  },
];
