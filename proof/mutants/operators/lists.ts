/** Operators on lists and their pages: extra or missing items, order, and the link to the next page. */
import type { Operation } from '../locations/operations.ts';
import {
  copyOf,
  copyOfSent,
  isObject,
  isSuccess,
  type Json,
  type MutableRequest,
  type Pair,
  type Reply,
  recordsIn,
} from '../message.ts';
import type { World } from '../world.ts';
import type { Operator } from './operator.ts';

interface Change {
  (items: unknown[], sent: MutableRequest, world: World, reply: Reply): unknown;
  /** Takes note of a list that the mutant leaves as it is. */
  readonly note?: (items: readonly unknown[], sent: MutableRequest) => void;
}

const isList = (operation: Operation, field?: unknown): boolean => field === undefined && operation.effect === 'list';
const isPaged = (operation: Operation, field?: unknown): boolean =>
  isList(operation, field) && operation.iface === 'delivery';

function listing(
  id: string,
  group: string,
  about: string,
  make: () => Change,
  applies: Operator['applies'] = isList,
): Operator {
  return {
    id,
    group,
    about,
    applies,
    when: WHEN,
    behave: (operation) => {
      const change = make();
      return {
        isPure: true,
        response: (sent, reply, world, holds) => {
          const list = reply.json?.[operation.wrapper ?? ''];
          if (sent.operation !== operation || !isSuccess(reply) || !Array.isArray(list)) return reply;
          if (!holds(sent)) {
            change.note?.(list, sent);
            return reply;
          }
          const before = JSON.stringify(reply.json);
          const after = change(list, sent, world, reply);
          if (after === undefined) delete reply.json![operation.wrapper!];
          else reply.json![operation.wrapper!] = after;
          if (JSON.stringify(reply.json) !== before) world.fire();
          return reply;
        },
      };
    },
  };
}

const plain = (change: (items: unknown[]) => unknown) => (): Change => (items) => change(items);

const WHEN = [
  'sort order',
  'page position',
  'owner and kind of key',
  'GET and POST, body format',
  'after how many items',
  'state after a refusal',
] as const;

const LINK = 'next_page_uri';

/** Changes the link of a page; undefined removes it. */
const link = (
  id: string,
  about: string,
  change: (link: string | undefined, sent: MutableRequest, world: World) => string | undefined,
): Operator =>
  listing(
    id,
    'change the link',
    about,
    () =>
      (items, sent, world, { json }) => {
        const before = typeof json?.[LINK] === 'string' ? json[LINK] : undefined;
        const after = change(before, sent, world);
        if (after === undefined) delete json?.[LINK];
        else if (json !== undefined) json[LINK] = after;
        return items;
      },
    isPaged,
  );

const ownAddress = ({ operation, segments, query }: MutableRequest, { service }: World): string => {
  const path = operation.path.replaceAll(/\{([a-z]+)\}/g, (_all, name: string) =>
    encodeURIComponent(segments[name] ?? ''),
  );
  return `${service.origin}${path}?${new URLSearchParams(query)}`;
};

const without = (address: string | undefined, name: string): string | undefined => {
  if (address === undefined) return undefined;
  const url = new URL(address);
  url.searchParams.delete(name);
  return url.href;
};

/** Sends the call with other query parameters. */
const asked = (id: string, group: string, about: string, change: (query: Pair[]) => Pair[]): Operator => ({
  id,
  group,
  about,
  applies: isPaged,
  when: WHEN,
  behave: () => ({
    serve: async (sent, world) => {
      const copy = copyOfSent(sent);
      copy.query = change(copy.query);
      if (JSON.stringify(copy.query) !== JSON.stringify(sent.query)) world.fire();
      return world.forward(copy);
    },
  }),
});

const sized =
  (change: (size: number) => number) =>
  (query: Pair[]): Pair[] =>
    query.map(
      ([name, value]): Pair =>
        name === 'page_size' && Number(value) > 0 ? [name, String(change(Number(value)))] : [name, value],
    );

const keyed = (items: unknown[]): Json => Object.fromEntries(items.map((item, at) => [String(at), item]));

/** Items that another list of the same operation showed: another owner's, method's or website's. */
function foreign(): Change {
  const seen = new Map<string, unknown>();
  const nameOf = (sent: MutableRequest): string => JSON.stringify([sent.segments, sent.headers.get('authorization')]);
  const note: Change['note'] = (items, sent) => {
    if (items.length > 0) seen.set(nameOf(sent), copyOf(items[0]));
  };
  const change = (items: unknown[], sent: MutableRequest): unknown => {
    const other = [...seen].findLast(([name]) => name !== nameOf(sent))?.[1];
    note(items, sent);
    return other === undefined ? items : [...items, other];
  };
  return Object.assign(change, { note });
}

/** An item that a list once showed stays in it. */
function everSeen(): Change {
  const seen = new Map<string, Map<string, unknown>>();
  return (items, sent) => {
    const name = JSON.stringify([sent.segments, sent.headers.get('authorization')]);
    const known = seen.get(name) ?? new Map<string, unknown>();
    seen.set(name, known);
    const ids = new Set(items.map(idOf));
    const gone = [...known].filter(([id]) => !ids.has(id)).map(([, item]) => item);
    if (sent.query.every(([one]) => one !== LINK)) for (const item of items) known.set(idOf(item), copyOf(item));
    return sent.query.some(([one]) => one === 'page_size') ? items : [...items, ...gone];
  };
}

const idOf = (item: unknown): string =>
  isObject(item) ? String(item.id ?? item.handle ?? item.websiteID ?? item.domainID) : String(item);

const sortedBy = (items: unknown[]): unknown[] => [...items].sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));

const uniqueBy =
  (nameOf: (item: unknown) => string) =>
  (items: unknown[]): unknown[] => {
    const names = new Set<string>();
    return items.filter((item) => !names.has(nameOf(item)) && names.add(nameOf(item)));
  };

export const LIST_OPERATORS: readonly Operator[] = [
  listing(
    'last-item-lost',
    'apply to one fewer',
    'The last item of a page is left out.',
    plain((items) => items.slice(0, -1)),
  ),
  listing(
    'first-item-lost',
    'apply to one fewer',
    'The first item of a page is left out.',
    plain((items) => items.slice(1)),
  ),
  listing(
    'last-item-twice',
    'apply to one more',
    'The last item of a page comes twice.',
    plain((items) => [...items, ...items.slice(-1)]),
  ),
  listing(
    'ids-differ-in-case-merged',
    'fold case',
    'Of items whose ids differ only in case one is shown.',
    plain(uniqueBy((item) => idOf(item).toLowerCase())),
  ),
  listing('foreign-item', 'copy from a neighbour', 'An item of another list is shown as well.', foreign),
  listing('deleted-items-stay', 'stale', 'What was listed once stays listed.', everSeen, isPaged),
  listing(
    'empty-list-null',
    'null',
    'An empty list is null.',
    plain((items) => (items.length === 0 ? null : items)),
  ),
  listing(
    'empty-list-missing',
    'drop',
    'An empty list is left out.',
    plain((items) => (items.length === 0 ? undefined : items)),
  ),
  listing(
    'empty-list-object',
    'change the type',
    'An empty list is an object.',
    plain((items) => (items.length === 0 ? {} : items)),
  ),
  listing('list-as-object', 'change the type', 'A list is an object with numbers as names.', plain(keyed)),
  listing(
    'one-item-bare',
    'change the type',
    'A list of one item is the item itself.',
    plain((items) => (items.length === 1 ? items[0] : items)),
  ),
  listing(
    'reversed-on-later-pages',
    'change the order',
    'Items are the other way round on pages after the first.',
    () =>
      (items, { query }) =>
        query.some(([name]) => name !== 'page_size' && name !== 'desc') ? [...items].reverse() : items,
    isPaged,
  ),
  listing(
    'reversed-pages',
    'change the order',
    'The items of each page are the other way round.',
    plain((items) => [...items].reverse()),
    isPaged,
  ),
  listing(
    'sorted-pages',
    'change the order',
    'The items of each page are sorted by their ids.',
    plain(sortedBy),
    isPaged,
  ),
  listing(
    'other-order-each-time',
    'change the order',
    'The first two items change places on every second call.',
    () => {
      let calls = 0;
      return (items) => {
        calls += 1;
        return calls % 2 === 0 && items.length > 1 ? [items[1], items[0], ...items.slice(2)] : items;
      };
    },
    isPaged,
  ),
  asked('desc-ignored', 'ignore', 'The reverse order is not known.', (query) =>
    query.filter(([name]) => name !== 'desc'),
  ),
  asked('always-desc', 'ignore', 'The order is always reversed.', (query) => [
    ...query.filter(([name]) => name !== 'desc'),
    ['desc', '1'],
  ]),
  asked('page-size-ignored', 'ignore', 'The page size is not known.', (query) =>
    query.filter(([name]) => name !== 'page_size'),
  ),
  asked(
    'page-one-larger',
    'apply to one more',
    'A page has one item more than asked.',
    sized((size) => size + 1),
  ),
  asked(
    'page-one-smaller',
    'apply to one fewer',
    'A page has one item fewer than asked.',
    sized((size) => Math.max(1, size - 1)),
  ),
  link('link-lost', 'No page has a link to the next.', () => undefined),
  link('link-null-on-later-pages', 'Pages after the first have no link.', (one, { query }) =>
    query.some(([name]) => name !== 'page_size' && name !== 'desc') ? undefined : one,
  ),
  link('link-to-itself', 'The link of a page leads to the page itself.', (one, sent, world) =>
    one === undefined ? undefined : ownAddress(sent, world),
  ),
  link('link-on-last-page', 'The last page links to itself.', (one, sent, world) => one ?? ownAddress(sent, world)),
  link('link-without-desc', 'The link forgets the order.', (one) => without(one, 'desc')),
  link('link-without-page-size', 'The link forgets the page size.', (one) => without(one, 'page_size')),
  link('link-without-host', 'The link is rooted at the host.', (one) => one?.replace(/^https?:\/\/[^/]+/, '')),
  link('link-empty', 'The last page has an empty link.', (one) => one ?? ''),
  {
    id: 'page-skips-one',
    group: 'apply to one fewer',
    about: 'Between two pages one item is missing.',
    applies: isPaged,
    when: WHEN,
    behave: (operation) => ({
      isPure: true,
      response: (sent, reply, world, holds) => {
        const isLater = sent.query.some(([name]) => name !== 'page_size' && name !== 'desc');
        if (
          sent.operation !== operation ||
          !isLater ||
          !holds(sent) ||
          recordsIn(sent.operation, reply.json).length < 2
        )
          return reply;
        world.fire();
        const list = reply.json![sent.operation.wrapper!] as unknown[];
        reply.json![sent.operation.wrapper!] = list.slice(1);
        return reply;
      },
    }),
  },
];
