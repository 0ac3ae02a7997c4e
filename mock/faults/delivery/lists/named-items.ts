/** Faults of links that name the last item of their page, and find another one by that name. */

import type { Deviation } from '../../../types/deviation.ts';
import { cut } from './changes.ts';

const idOf = (item: unknown): string => (item as { readonly id?: string } | undefined)?.id ?? '';

/** A page begins after another item whose id is the same in this form as that of the last item of the page before. */
const beginsAfter = (which: 'the first' | 'the last', form: (id: string) => string): NonNullable<Deviation['rules']> =>
  cut(({ after, size, backwards, list, usual }) => {
    const all = after === null ? [] : list.slice(null, list.size, backwards);
    const named = idOf(all.find(({ position }) => position === after)?.item);
    if (named === '') return usual(after, size, backwards);
    const similar = all.filter(({ item }) => form(idOf(item)) === form(named));
    return usual((which === 'the first' ? similar[0] : similar.at(-1))?.position ?? after, size, backwards);
  });

const ONCE = 'delivery.lists.every-item-once';
const LINK = 'delivery.lists.next-link';

export const listNamedItemFaults: readonly Deviation[] = [
  {
    id: 'lists.link-id-cut',
    clause: ONCE,
    about: 'A link names the last item of its page by 20 characters: items that begin like it are left out.',
    rules: beginsAfter('the last', (id) => id.slice(0, 20)),
  },
  {
    id: 'lists.link-id-cut-at-64',
    clauses: [ONCE, LINK],
    about: 'A link names the last item of its page by 64 characters: the next page begins after the first one like it.',
    rules: beginsAfter('the first', (id) => id.slice(0, 64)),
  },
  {
    id: 'lists.link-id-without-case',
    clause: ONCE,
    about:
      'The item that a link names is looked for without letter case: items up to one in the other case are left out.',
    rules: beginsAfter('the last', (id) => id.toLowerCase()),
  },
  {
    id: 'lists.link-id-without-case-first',
    clause: LINK,
    about: 'The item that a link names is looked for without letter case, and one before it is found.',
    rules: beginsAfter('the first', (id) => id.toLowerCase()),
  },
  {
    id: 'lists.link-id-without-accents',
    clause: ONCE,
    about: 'The item that a link names is looked for without accents: items up to one that looks like it are left out.',
    rules: beginsAfter('the last', (id) => id.normalize('NFD').replace(/\p{M}/gu, '')),
  },
];
