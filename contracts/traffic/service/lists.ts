/**
 * Walks along the pages of a list, as a client made them (spec: Endpoints, "Common rules for A and B"). What a page holds may
 * change between two requests, so that only what a link says by itself is judged; an item that comes twice is reported, not blamed.
 */

import { pairsOf } from '../../install-hash/query.ts';
import { isLastPage, resolveNext } from '../../lists/pagination.ts';
import { inWords, isJsonObject } from '../../run/fault.ts';
import { type RuleContext, responseKind, type ServiceRequest } from '../call.ts';
import { isRedacted } from '../reading/redacted.ts';
import { comparable, type SeenExchange } from '../reading/seen.ts';
import { named } from './responses.ts';
import { RESPONSE_SHAPES } from './shapes.ts';

export const LIST_CLAUSES = ['delivery.lists.next-link', 'delivery.lists.walk-ends', 'delivery.lists.every-item-once'];

interface Walk {
  /** Addresses of its pages, without their order of parameters being touched. */
  readonly pages: Set<string>;
  readonly ids: Set<string>;
  /** The link of the last page, in both of its readings. */
  next: readonly string[];
  /** An item came twice. */
  repeated: string | undefined;
}

/** Clients that walk many lists at once are rare; a list that is not followed on is forgotten. */
const WALKS_AT_ONCE = 64;
/** Ids of one walk that are remembered; behind that nothing is said about repeats. */
const IDS_OF_A_WALK = 50_000;

/** A rule with memory: call it with every call of one base, in their order. */
export function listRule({ notes }: RuleContext): (call: ServiceRequest) => void {
  const walks: Walk[] = [];

  return (call) => {
    const answered = call.operation === undefined ? undefined : RESPONSE_SHAPES[call.operation.id];
    if (call.document !== 'v1' || answered?.isList !== true || responseKind(call) !== 'served') return;
    const { seen, base } = call;
    const body = seen.responseBody;
    const page = body.kind === 'json' && isJsonObject(body.value) ? body.value : undefined;
    const items = page?.[answered.name];
    if (page === undefined || !Array.isArray(items)) return;
    const url = comparable(seen.exchange.request.url);
    let walk =
      walks.find(({ next }) => next.includes(url)) ??
      walks.find(({ next }) => next.some((link) => isFollowed(link, seen)));
    const followed = walk !== undefined;
    if (walk === undefined) {
      // In the middle of a list nothing is known about its beginning.
      const isStart = seen.query.every(([name]) => /^(?:page_size$|desc$|_)/.test(name));
      if (!isStart) return;
      walk = { pages: new Set(), ids: new Set(), next: [], repeated: undefined };
      walks.push(walk);
      if (walks.length > WALKS_AT_ONCE) walks.shift();
    }
    if (followed) notes.keeps('delivery.lists.next-link', seen.n);
    walk.pages.add(url);
    remember(walk, items, answered.key?.member ?? 'id');
    const link = page.next_page_uri;
    if (isLastPage(link)) {
      walks.splice(walks.indexOf(walk), 1);
      ended(walk, call);
      return;
    }
    if (isRedacted(link)) return;
    const next = resolveNext(link, { base, current: url });
    if ('refused' in next) {
      notes.breaks('delivery.lists.next-link', seen.n, {
        message: `${named(call)}: ${next.reason.replace(/\.$/, '')}`,
        pointer: '/next_page_uri',
        expected: 'a link of the same service',
        actual: inWords(link),
      });
      walks.splice(walks.indexOf(walk), 1);
      return;
    }
    walk.next = [next.url, ...(next.otherwise === undefined ? [] : [next.otherwise])].map(comparable);
    if (walk.pages.has(comparable(next.url))) {
      notes.breaks('delivery.lists.walk-ends', seen.n, {
        message: `${named(call)} links to a page that was already visited, so the links form a loop`,
        pointer: '/next_page_uri',
        expected: 'a link to the following page',
        actual: link,
      });
      walks.splice(walks.indexOf(walk), 1);
    }
  };

  function ended(walk: Walk, call: ServiceRequest): void {
    const { n } = call.seen;
    notes.keeps('delivery.lists.walk-ends', n);
    if (walk.repeated !== undefined) {
      const reason = `the item ${JSON.stringify(walk.repeated)} appeared twice on the pages of a list (${named(call)}): unless the list was changed meanwhile, the service repeats it`;
      notes.undecided('delivery.lists.every-item-once', n, reason, 'target');
    } else if (walk.pages.size > 1 && walk.ids.size < IDS_OF_A_WALK) notes.keeps('delivery.lists.every-item-once', n);
  }
}

/** Whether a request is for a link with parameters of the client's own beside it: against caches, say. */
function isFollowed(link: string, seen: SeenExchange): boolean {
  const [path, query = ''] = link.split(/\?(.*)/s);
  if (query === '' || path !== seen.origin + seen.path) return false;
  return pairsOf(query).every(([name, value]) => seen.query.some(([other, its]) => other === name && its === value));
}

function remember(walk: Walk, items: readonly unknown[], member: string): void {
  for (const item of items) {
    const id = isJsonObject(item) ? item[member] : undefined;
    if (typeof id !== 'string' || isRedacted(id) || walk.ids.size >= IDS_OF_A_WALK) continue;
    if (walk.ids.has(id)) walk.repeated ??= id;
    walk.ids.add(id);
  }
}
