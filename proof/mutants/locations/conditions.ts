/** When a mutant deviates: the second table of locations. A mutant without a condition deviates on every call of its operation. */
import type { MutableRequest } from '../message.ts';
import { keyOf, type World } from '../world.ts';
import { isReading, type Operation } from './operations.ts';

/** The object of a value, if it has one. */
export interface At {
  readonly key?: string;
  readonly index?: number;
  readonly length?: number;
  readonly handleIndex?: number;
}

export type ConditionGroup =
  | 'sort order'
  | 'page position'
  | 'handle position'
  | 'place in a list'
  | 'owner and kind of key'
  | 'GET and POST, body format'
  | 'how it was made'
  | 'country'
  | 'language'
  | 'after how many calls'
  | 'after how many items'
  | 'state after a refusal'
  | 'the same call twice';

export interface Condition {
  readonly id: string;
  /** The kind of location, for the figures. */
  readonly group: ConditionGroup;
  readonly about: string;
  /** Which operations it can hold for; `isField` when a single value deviates. */
  readonly applies: (operation: Operation, isField: boolean) => boolean;
  readonly holds: (sent: MutableRequest, world: World, at: At) => boolean;
}

const isList = ({ effect }: Operation): boolean => effect === 'list';
const isPaged = ({ id }: Operation): boolean => /^delivery\.(methods|points)\.list$/.test(id);
const isBatch = ({ effect }: Operation): boolean => effect === 'replace';
const isPoint = ({ id }: Operation): boolean => /^delivery\.(point|points)\./.test(id);
const isDelivery = ({ iface }: Operation): boolean => iface === 'delivery';

const queryHas = ({ query }: MutableRequest, name: string, value?: string): boolean =>
  query.some(([key, given]) => key === name && (value === undefined || given === value));
const isLaterPage = ({ query }: MutableRequest): boolean =>
  query.some(([name]) => name !== 'page_size' && name !== 'desc');

const by = (id: string, about: string, key: keyof World['credentials']): Condition => ({
  id,
  group: 'owner and kind of key',
  about,
  applies: isDelivery,
  holds: (sent, world) => keyOf(sent) === world.credentials[key],
});

const handle = (place: number): Condition => ({
  id: `handle-${place}`,
  group: 'handle position',
  about: `For handle ${place} of the path only, where the path takes several.`,
  applies: ({ severalHandles }) => severalHandles,
  holds: ({ segments }, _world, { handleIndex }) =>
    (segments.handle ?? '').split(',').length >= Math.max(place, 2) &&
    (handleIndex === undefined || handleIndex === place - 1),
});

const item = (place: number): Condition => ({
  id: `item-${place}`,
  group: 'place in a list',
  about: `For item ${place} of a list or batch only.`,
  applies: (operation, isField) => isField && (isList(operation) || isBatch(operation)),
  holds: (_sent, _world, { index }) => index === place - 1,
});

const made = (origin: 'single' | 'batch' | 'portion'): Condition => ({
  id: `made-by-${origin}`,
  group: 'how it was made',
  about: `For pickup points that came by ${origin === 'single' ? 'a call of their own' : `a ${origin}`}.`,
  applies: (operation, isField) => isPoint(operation) && isField && isReading(operation),
  holds: (_sent, world, { key }) => key !== undefined && world.origins.get(key) === origin,
});

const calls = (count: number): Condition => ({
  id: `after-${count}-calls`,
  group: 'after how many calls',
  about: `Starting with call ${count + 1} of the operation.`,
  applies: (_operation, isField) => !isField,
  holds: ({ operation: { id } }, world) => (world.calls.get(id) ?? 0) > count,
});

const over = (count: number): Condition => ({
  id: `over-${count}-items`,
  group: 'after how many items',
  about: `For methods with more than ${count} pickup points, in the call or already listed.`,
  applies: (operation, isField) => isPoint(operation) && (!isField || isList(operation)),
  holds: ({ segments, json }, world) => {
    const sent = Array.isArray(json?.pickup_points) ? json.pickup_points.length : 0;
    const handles = (segments.handle ?? '').split(',');
    return sent > count || handles.some((one) => (world.pointIds.get(one)?.size ?? 0) > count);
  },
});

const way = (id: string, about: string, holds: (sent: MutableRequest) => boolean): Condition => ({
  id,
  group: 'GET and POST, body format',
  about,
  applies: ({ iface }) => iface === 'reseller',
  holds,
});

const paged = (
  id: string,
  group: ConditionGroup,
  about: string,
  holds: (sent: MutableRequest) => boolean,
): Condition => ({
  id,
  group,
  about,
  applies: isPaged,
  holds,
});

const inBatch = (
  id: string,
  about: string,
  holds: (body: Readonly<Record<string, unknown>>) => boolean,
): Condition => ({
  id,
  group: 'how it was made',
  about,
  applies: isBatch,
  holds: ({ json }) => json !== undefined && holds(json),
});

export const CONDITIONS: readonly Condition[] = [
  paged('desc', 'sort order', 'In reverse order only.', (sent) => queryHas(sent, 'desc', '1')),
  paged('default-order', 'sort order', 'In default order only.', (sent) => !queryHas(sent, 'desc', '1')),
  paged('page-1', 'page position', 'On the first page only.', (sent) => !isLaterPage(sent)),
  paged('page-2', 'page position', 'On pages after the first.', isLaterPage),
  paged('no-page-size', 'page position', 'Where no page size was asked for.', (sent) => !queryHas(sent, 'page_size')),
  handle(1),
  handle(2),
  handle(6),
  item(1),
  item(2),
  item(11),
  item(51),
  item(100),
  by('private-key', "With the store's key.", 'privateKey'),
  by('other-key', "With the second store's key.", 'otherKey'),
  by('public-key', "With the provider's key.", 'publicKey'),
  {
    id: 'other-installation',
    group: 'owner and kind of key',
    about: 'For the second installation.',
    applies: ({ iface }) => iface === 'apps',
    holds: ({ query }, { credentials }) =>
      query.some(([name, value]) => name === 'authCode' && value === credentials.otherAuthCode),
  },
  way('by-get', 'When called by GET.', ({ method }) => method === 'GET'),
  way('by-post', 'When called by POST.', ({ method }) => method === 'POST'),
  way('by-multipart', 'When the form is multipart.', ({ isMultipart }) => isMultipart),
  made('single'),
  made('batch'),
  made('portion'),
  inBatch(
    'whole-batch',
    'In a call that is a whole list.',
    (body) => body.is_initialization !== false && body.is_finalization !== false,
  ),
  inBatch(
    'first-portion',
    'In the first of several portions.',
    (body) => body.is_initialization !== false && body.is_finalization === false,
  ),
  inBatch(
    'middle-portion',
    'In a portion between the first and the last.',
    (body) => body.is_initialization === false && body.is_finalization === false,
  ),
  inBatch(
    'last-portion',
    'In the last of several portions.',
    (body) => body.is_initialization === false && body.is_finalization !== false,
  ),
  {
    ...inBatch(
      'one-country',
      'Where one country is replaced.',
      (body) => body.country !== undefined && body.country !== null,
    ),
    group: 'country',
  },
  {
    id: 'other-country',
    group: 'country',
    about: 'Where the country is not that of the store.',
    applies: (operation, isField) =>
      isPoint(operation) && !isField && (isBatch(operation) || operation.effect === 'create'),
    holds: ({ json }) => {
      const country = json?.country ?? (json?.pickup_point as { country?: unknown } | undefined)?.country;
      return typeof country === 'string' && country.toUpperCase() !== 'LV';
    },
  },
  {
    id: 'in-a-language',
    group: 'language',
    about: 'Where a language is named.',
    applies: ({ id }) => id === 'apps.snippet.set',
    holds: ({ json }) => typeof json?.language === 'string',
  },
  {
    id: 'without-language',
    group: 'language',
    about: 'Where no language is named.',
    applies: ({ id }) => id === 'apps.snippet.set',
    holds: ({ json }) => typeof json?.language !== 'string',
  },
  {
    id: 'third-language',
    group: 'language',
    about: 'For a language other than the first two of the website.',
    applies: ({ id }) => id.startsWith('apps.snippet.'),
    holds: ({ json, segments }) => (json?.language ?? segments.language) === 'de',
  },
  ...[1, 2, 10, 21, 50, 100, 255, 1000].map(calls),
  ...[10, 21, 50, 100, 101, 255, 1000].map(over),
  {
    id: 'after-refusal',
    group: 'state after a refusal',
    about: 'Directly after a refused call of the interface.',
    applies: (_operation, isField) => !isField,
    holds: ({ operation: { iface } }, world) => world.refused.get(iface) === true,
  },
  {
    id: 'repeated',
    group: 'the same call twice',
    about: 'When the same call comes a second time in a row.',
    applies: (_operation, isField) => !isField,
    holds: (_sent, world) => world.isRepeated,
  },
];
