/**
 * Walks along the pages of a list, as a client made them (spec: Endpoints, "Common rules for A and B"). What a page holds may
 * change between two requests, by writers who are not in the recording as well, so that only what a link says by itself is judged. An
 * item that comes twice is blamed once a second walk shows the same.
 */

import { pairsOf } from '../../../install-hash/query.ts';
import { isJsonObject } from '../../../json/object.ts';
import { inWords } from '../../../json/words.ts';
import { isLastPage, resolveNext } from '../../../lists/pagination.ts';
import { matchPath } from '../../../operations/match.ts';
import { type RuleContext, responseKind, type ServiceRequest } from '../../call.ts';
import { Memory } from '../../memory.ts';
import { isRedacted } from '../../reading/redacted.ts';
import { comparable, type SeenExchange } from '../../reading/seen.ts';
import { pageSizeOf } from '../data.ts';
import { named } from '../responses.ts';
import { RESPONSE_SHAPES } from '../shapes.ts';
import type { FinishedWalk } from '../state/index.ts';
import { isMissing } from '../state/refusals/index.ts';

export const LIST_CLAUSES = ['delivery.lists.next-link', 'delivery.lists.walk-ends', 'delivery.lists.every-item-once'];

/** Clauses that a walk can only show broken. */
export const LIST_CLAUSES_BROKEN = ['delivery.lists.desc-kept-on-later-pages'];

interface Walk {
  /** Addresses of its pages, without their order of parameters being touched. */
  readonly pages: Set<string>;
  readonly ids: Set<string>;
  /** The link of the last page, in both of its readings. */
  next: readonly string[];
  /** Items that came twice, each with the number of the page. */
  repeated: string[];
  /** When its first page was requested, and when the last one so far was there. */
  readonly startMs: number;
  endMs: number;
  /** The key that it was read with. */
  readonly owner: string | undefined;
  /** Undefined where its first page was requested with a value of which the contract says nothing. */
  readonly desc: boolean | undefined;
  /** The page size that its first page was requested with. */
  readonly size: number | undefined;
  /** The parameters of its first page that are the contract's. */
  readonly parameters: string;
}

/** A walk that showed items twice. */
type RepeatingWalk = Pick<Walk, 'ids' | 'repeated' | 'startMs'>;

/** What else is known of the list that is walked. */
export interface ListState {
  /** Whether no recorded write was made to the list of a call since a time. */
  isUnchanged(call: ServiceRequest, startMs: number): boolean;
  /** A walk reached its end. Returns true when the last exchange shows a fault. */
  walked(walk: FinishedWalk): boolean;
}

/** Clients that walk many lists at once are rare; the walk that was not continued for longest is forgotten. */
const WALKS_AT_ONCE = 64;
/** Ids of one walk that are remembered; behind that nothing is said about repeats. */
const IDS_OF_A_WALK = 50_000;
/** Repeated items of one walk, and walks that showed any. */
const REPEATS_OF_A_WALK = 100;
const REPEATING_WALKS = 20;
/** Items that come again the other way round: two may have changed places. */
const MIN_TURNED = 3;
/** Within this time a link is followed as soon as it was received. */
const SWIFT_MS = 10_000;

/** A rule with memory: takes every call of one base, in their order. */
export class ListRule {
  readonly #notes: RuleContext['notes'];
  readonly #state: ListState;
  readonly #facts: RuleContext['facts'];
  readonly #walks: Walk[] = [];
  readonly #repeating = new Memory<RepeatingWalk>({
    entries: REPEATING_WALKS,
    weight: { of: ({ ids }) => ids.size, most: IDS_OF_A_WALK },
  });

  constructor(scene: RuleContext, state: ListState) {
    this.#facts = scene.facts;
    this.#state = state;
    this.#notes = scene.notes;
  }

  call(call: ServiceRequest): boolean {
    const answered = call.operation === undefined ? undefined : RESPONSE_SHAPES[call.operation.id];
    if (call.document !== 'v1' || answered?.isList !== true) return false;
    if (responseKind(call) === 'refused') this.#judgeRefusedLink(call);
    if (responseKind(call) !== 'served') return false;
    const { seen, base } = call;
    const body = seen.responseBody;
    const page = body.kind === 'json' && isJsonObject(body.value) ? body.value : undefined;
    const items = page?.[answered.name];
    if (page === undefined || !Array.isArray(items)) return false;
    const url = comparable(seen.exchange.request.url);
    let walk = this.#walkOf(seen, url);
    const followed = walk !== undefined;
    if (walk === undefined) {
      // In the middle of a list nothing is known about its beginning.
      const isStart = seen.query.every(([name]) => /^(?:page_size$|desc$|_)/.test(name));
      if (!isStart) return false;
      const { startMs, endMs } = seen;
      walk = {
        ...{ pages: new Set<string>(), ids: new Set<string>(), next: [], repeated: [] },
        ...{ startMs, endMs, owner: seen.header('authorization') },
        ...{ desc: isReversed(seen), size: pageSizeOf(seen), parameters: parametersOf(seen) },
      };
      this.#walks.push(walk);
      if (this.#walks.length > WALKS_AT_ONCE) this.#walks.shift();
    }
    if (followed) {
      this.#notes.keeps('delivery.lists.next-link', seen.n);
      this.#judgeLaterPage(walk, call, items.length);
      this.#judgeTurned(walk, call, items, answered.key?.member ?? 'id');
    }
    walk.endMs = seen.endMs;
    walk.pages.add(url);
    remember(walk, items, answered.key?.member ?? 'id');
    const link = page.next_page_uri;
    if (isLastPage(link)) {
      this.#walks.splice(this.#walks.indexOf(walk), 1);
      this.#ended(walk, call);
      const isWhole = walk.ids.size < IDS_OF_A_WALK && walk.repeated.length === 0 && isOrderly(seen, items);
      return isWhole && this.#state.walked({ ...walk, call });
    }
    if (isRedacted(link)) return false;
    const next = resolveNext(link, { base, current: url });
    const refusal = 'refused' in next ? next.reason.replace(/\.$/, '') : otherList(call, next.url);
    if ('refused' in next && next.refused === 'foreign-host' && isOfThisMachine(base)) {
      const reason = `${named(call)}: ${refusal}. If the recorded address is that of a proxy, the service names its own; record without the proxy to decide it`;
      this.#notes.undecided('delivery.lists.next-link', seen.n, reason);
      this.#walks.splice(this.#walks.indexOf(walk), 1);
      return false;
    }
    if ('refused' in next || refusal !== undefined) {
      this.#notes.breaks('delivery.lists.next-link', seen.n, {
        message: `${named(call)}: ${refusal}`,
        pointer: '/next_page_uri',
        expected: 'a link to the next page of this list',
        actual: typeof link === 'string' ? link : inWords(link),
      });
      this.#walks.splice(this.#walks.indexOf(walk), 1);
      return false;
    }
    walk.next = [next.url, ...(next.otherwise === undefined ? [] : [next.otherwise])].map(comparable);
    if (walk.pages.has(comparable(next.url))) {
      this.#notes.breaks('delivery.lists.walk-ends', seen.n, {
        message: `${named(call)} links to a page that was already visited, so the links form a loop`,
        pointer: '/next_page_uri',
        expected: 'a link to the following page',
        actual: link,
      });
      this.#walks.splice(this.#walks.indexOf(walk), 1);
    }
    return false;
  }

  /** The lists of two owners may have the same links. */
  #walkOf(seen: SeenExchange, url: string): Walk | undefined {
    const ofOwner = this.#walks.filter(({ owner }) => owner === seen.header('authorization'));
    return (
      ofOwner.find(({ next }) => next.includes(url)) ??
      ofOwner.find(({ next }) => next.some((link) => isFollowed(link, seen)))
    );
  }

  /** A page behind the first one, whose link may leave out the size that was asked for. */
  #judgeLaterPage({ size }: Walk, call: ServiceRequest, count: number): void {
    if (size === undefined || count <= size || call.seen.parameter('page_size') !== undefined) return;
    this.#notes.breaks('delivery.lists.page-size-respected', call.seen.n, {
      message: `${named(call)} holds ${count} items on a later page of a list that was requested with page_size=${size}`,
      pointer: '',
      expected: `at most ${size}`,
      actual: count,
    });
  }

  /** A page of a reversed list that shows items of earlier pages the other way round: its order is not the reversed one any more. */
  #judgeTurned(walk: Walk, call: ServiceRequest, items: readonly unknown[], member: string): void {
    if (walk.desc !== true) return;
    const again = items.flatMap((item) => {
      const id = isJsonObject(item) ? item[member] : undefined;
      return typeof id === 'string' && walk.ids.has(id) ? [id] : [];
    });
    if (again.length < MIN_TURNED) return;
    const repeated = new Set(again);
    const before = [...walk.ids].filter((id) => repeated.has(id));
    if (before.toReversed().join('\n') !== again.join('\n')) return;
    this.#notes.breaks('delivery.lists.desc-kept-on-later-pages', call.seen.n, {
      message: `${named(call)}, which the link of a page with desc=1 led to, shows items of earlier pages the other way round`,
      pointer: '/next_page_uri',
      expected: 'the following items of the reversed list',
      actual: again.slice(0, MIN_TURNED),
    });
  }

  /** A link that is refused as soon as it is followed; how long it stays valid, and how often, is open. */
  #judgeRefusedLink(call: ServiceRequest): void {
    const { seen } = call;
    const walk = this.#walkOf(seen, comparable(seen.exchange.request.url));
    if (walk === undefined) return;
    this.#walks.splice(this.#walks.indexOf(walk), 1);
    const isMeant = walk.next.length === 1 && seen.method === 'GET' && seen.header('authorization') === walk.owner;
    const isSwift = seen.startMs >= walk.endMs && seen.startMs - walk.endMs <= SWIFT_MS;
    if (!isMeant || !isSwift || !isMissing(call) || !this.#state.isUnchanged(call, walk.startMs)) return;
    this.#notes.breaks('delivery.lists.next-link', seen.n, {
      message: `${named(call)} refuses the link of the page before`,
      pointer: 'status',
      expected: 'the next page of the list',
      actual: seen.status,
    });
  }

  #ended(walk: Walk, call: ServiceRequest): void {
    const { n } = call.seen;
    const clause = 'delivery.lists.every-item-once';
    this.#notes.keeps('delivery.lists.walk-ends', n);
    const [first] = walk.repeated;
    if (first === undefined) {
      if (walk.pages.size > 1 && walk.ids.size < IDS_OF_A_WALK) this.#notes.keeps(clause, n);
      return;
    }
    const [, id = ''] = JSON.parse(first) as [number, string];
    const what = `the item ${JSON.stringify(id)} appeared twice on the pages of a list (${named(call)})`;
    const key = JSON.stringify([walk.owner, call.seen.path.toLowerCase(), walk.parameters]);
    const before = this.#repeating.get(key);
    this.#repeating.set(key, walk);
    const isAgain = before !== undefined && isSameWalk(before, walk) && this.#state.isUnchanged(call, before.startMs);
    const isCertain = this.#facts.isAlone === true && this.#state.isUnchanged(call, walk.startMs);
    if (isAgain || isCertain) {
      this.#notes.breaks(clause, n, {
        message: isAgain ? `${what}, and did so when the same items were read before` : what,
        pointer: '',
        expected: 'each item once',
        actual: id,
      });
    } else {
      const reason = `${what}: unless a client that is not in the recording changed the list meanwhile, the service repeats it; read the list twice to decide it`;
      this.#notes.undecided(clause, n, reason, 'target');
    }
  }
}

/** Both walks showed the same items, and the same ones twice: an item that was added or removed meanwhile would show. */
const isSameWalk = (one: RepeatingWalk, other: RepeatingWalk): boolean =>
  one.ids.size === other.ids.size &&
  one.repeated.join() === other.repeated.join() &&
  [...one.ids].every((id) => other.ids.has(id));

const parametersOf = ({ query }: SeenExchange): string =>
  query
    .filter(([name]) => name === 'page_size' || name === 'desc')
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join('&');

/** Only 1 has a meaning: what other values do is open. */
function isReversed({ query }: SeenExchange): boolean | undefined {
  const orders = query.filter(([name]) => name === 'desc');
  return orders.every(([, value]) => value === '1') ? orders.length > 0 : undefined;
}

/** Nothing is wrong with a page by itself, and its size is one that a page can have. */
function isOrderly(seen: SeenExchange, items: readonly unknown[]): boolean {
  const size = Number(seen.parameter('page_size') ?? Infinity);
  return size >= 1 && items.length <= size && items.every(isJsonObject);
}

/** What is wrong with a link that leads to another list of the interface. Other addresses are the service's own affair. */
function otherList(call: ServiceRequest, url: string): string | undefined {
  const address = url.replace(/[?#].*/s, '');
  if (!address.startsWith(call.base)) return undefined;
  const match = matchPath(call.document, address.slice(call.base.length));
  const operation = match?.operations.get('GET');
  if (operation === undefined || RESPONSE_SHAPES[operation.id]?.isList !== true) return undefined;
  const [handle, own] = [match, call.match].map((one) => (one?.params.handle ?? '').toLowerCase());
  if (operation.id === call.operation?.id && handle === own) return undefined;
  return 'the link to the next page leads to another list';
}

/** Whether a base is on this machine, where a recording proxy or a development server passes calls on to a service elsewhere. */
function isOfThisMachine(base: string): boolean {
  const { hostname } = new URL(base);
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Whether a request is for a link with parameters of the client's own beside it: against caches, say. */
function isFollowed(link: string, seen: SeenExchange): boolean {
  const [path, query = ''] = link.split(/\?(.*)/s);
  if (query === '' || path !== seen.origin + seen.path) return false;
  return pairsOf(query).every(([name, value]) => seen.query.some(([other, its]) => other === name && its === value));
}

/** An id that comes twice on one page is a matter of that page. */
function remember(walk: Walk, items: readonly unknown[], member: string): void {
  const own = new Set<string>();
  for (const item of items) {
    const id = isJsonObject(item) ? item[member] : undefined;
    if (typeof id !== 'string' || isRedacted(id) || walk.ids.size + own.size >= IDS_OF_A_WALK) continue;
    if (walk.ids.has(id) && walk.repeated.length < REPEATS_OF_A_WALK)
      walk.repeated.push(JSON.stringify([walk.pages.size, id]));
    own.add(id);
  }
  for (const id of own) walk.ids.add(id);
}
