/**
 * What the traffic shows of one list of items: which exist, and the values that were sent or read last. Every write leaves its
 * cause, with the clauses that a later read would break; a read is judged when it began after the write had ended.
 */
import { isJsonObject } from '../../../../json/object.ts';
import type { ServiceRequest } from '../../../call.ts';
import { spellingOf } from '../../spelling.ts';
import { isExpected } from '../values/expected.ts';
import type { PendingFindings } from '../values/pending.ts';
import { type RecordFields, recordFindings } from '../values/record.ts';
import {
  allSent,
  type Cause,
  creationOf,
  forget,
  freshItem,
  type Item,
  type Json,
  leaveCountry,
  type SentFields,
} from './item.ts';
import { KnownItems } from './known-items.ts';
import { ADJACENT_MS, ListOrder, type ListReading } from './list-order.ts';

/** Items of one list; a longer one is not compared. */
const MAX_ITEMS = 5_000;
/** Writes of one item that are remembered. */
const MAX_WRITES = 10;
const MAX_LANGUAGES = 300;

export interface CollectionOptions extends RecordFields {
  readonly key: string;
  readonly agrees: string;
  readonly pending: PendingFindings;
  readonly languages: Set<string>;
  /** Only the calls write to the list. */
  readonly isAlone: boolean;
  /** Where the recording does not show whose list it is, so that calls of several owners look like those of one. */
  readonly strangers: Strangers | undefined;
}

/** Signs of several owners in a recording without keys. */
export interface Strangers {
  /** Something that should be there was refused or missing. */
  areSeen: boolean;
}

/** Why something that is not there proves nothing, nor anything else once that was seen. */
const WITHOUT_KEY =
  'the recording does not show the keys of the calls, and those of another owner do not open the same; record the header Authorization to decide it';

export class Collection {
  readonly #options: CollectionOptions;
  readonly #items = new KnownItems();
  #step = 0;
  #lastWriteStep = 0;
  /** The write after which nothing else is there. */
  #closedBy: Cause | undefined;
  /** The list was read, or replaced, as a whole, and what was written since is known. */
  #isWhole = false;
  #lastWrite: Cause | undefined;
  /** The item that was made last, and what was sent for it. */
  #lastMade: { readonly id: string; readonly fields: Json } | undefined;
  /** End of the last write to any of it. */
  #busyMs = 0;
  readonly #order: ListOrder;

  constructor(options: CollectionOptions) {
    this.#options = options;
    const { what, isAlone, strangers } = options;
    this.#order = new ListOrder({ what, isAlone, isOwnerKnown: strangers === undefined }, (call, clause, finding) =>
      options.pending.breaks(call, this, '', clause, finding, { doubt: this.#doubt }),
    );
  }

  /** Undefined where the owner is known. */
  get #doubt(): (() => string | undefined) | undefined {
    const { strangers } = this.#options;
    return strangers && (() => (strangers.areSeen ? WITHOUT_KEY : undefined));
  }

  get size(): number {
    return this.#items.size;
  }

  /** Whether no recorded write was under way since a time. */
  isUnchangedSince(startMs: number): boolean {
    return this.#busyMs <= startMs;
  }

  /** Whether anything is remembered of an id. */
  isKnown(id: string): boolean {
    return this.#items.of(id) !== undefined;
  }

  /** The call that made an item which is there, and what it sent. */
  madeBy(id: string): SentFields | undefined {
    const item = this.#items.of(id);
    return item?.state === 'present' ? creationOf(item) : undefined;
  }

  /** Whether the list is known as a whole, and an id was never in it. */
  isStrange(id: string, startMs: number): boolean {
    return this.#isWhole && startMs >= this.#busyMs && this.#items.at(id) === undefined;
  }

  isPresent(id: string): boolean {
    return this.#items.of(id)?.state === 'present';
  }

  /** Whether it is known that an id is not there. */
  isAbsent(id: string): boolean {
    const item = this.#items.at(id);
    return item === undefined ? this.#isWhole : item.state === 'absent';
  }

  /** A call made what the list belongs to: nothing is in it yet. */
  begun(call: ServiceRequest): void {
    this.touched(call);
    this.#isWhole = true;
  }

  /** The service chose the id of a new item. */
  createdNew(id: string, fields: Json, cause: Cause, startMs: number): void {
    this.created(id, fields, cause, startMs);
    const item = this.#items.of(id);
    if (item !== undefined) item.mayBeOlder = false;
  }

  created(id: string, fields: Json, cause: Cause, startMs: number): void {
    const before = this.#items.at(id);
    const isNew = before === undefined ? this.#isWhole : before.state === 'absent';
    const item = this.#written(id, cause, startMs);
    if (item === undefined) return;
    const mayHaveKept = before?.state === 'present';
    item.state = 'present';
    item.cause = cause;
    item.record = undefined;
    item.mayBeOlder = !isNew;
    item.sent = mayHaveKept ? undefined : [{ fields, cause }];
    this.#madeAfter(item, fields);
  }

  updated(id: string, fields: Json, cause: Cause, startMs: number): void {
    const item = this.#written(id, cause, startMs);
    if (item === undefined) return;
    item.state = 'present';
    item.cause = cause;
    item.sent = [{ fields, cause }, ...(item.sent ?? [])].slice(0, MAX_WRITES);
  }

  deleted(id: string, cause: Cause, startMs: number): void {
    const item = this.#written(id, cause, startMs);
    if (item === undefined) return;
    item.state = 'absent';
    item.cause = cause;
    item.former = allSent(item);
    item.sent = undefined;
    item.record = undefined;
  }

  /** The list as a whole was replaced; with `country` only the items of that country. */
  replaced(items: ReadonlyMap<string, Json>, cause: Cause, startMs: number, country?: string): void {
    const isOverlapping = startMs < this.#busyMs;
    this.#changed(cause);
    this.#options.pending.takeBack(this);
    if (isOverlapping || items.size > MAX_ITEMS) {
      this.forgetItems();
      return;
    }
    const olds = country === undefined ? this.#items.clear() : this.#items.copy();
    if (country !== undefined) for (const item of this.#items.values()) leaveCountry(item, country, cause);
    for (const [id, fields] of items) {
      const before = this.#items.at(id);
      const item = freshItem(id, cause);
      // An id of another country, or in two spellings: which of the two remains is open.
      const isOpen = before !== undefined && before.state !== 'absent';
      item.state = isOpen ? 'unknown' : 'present';
      item.cause = cause;
      item.sent = isOpen ? undefined : [{ fields, cause }];
      const old = olds.get(id);
      item.former = old?.state === 'absent' ? old.former : old && allSent(old);
      this.#madeAfter(item, fields);
      if (before !== undefined) this.#items.delete(before.id);
      item.writeStep = this.#step;
      this.#items.put(item);
    }
    if (country !== undefined) return;
    this.#closedBy = cause;
    this.#isWhole = true;
  }

  /** A write was refused, so that nothing has changed. */
  refused(id: string, fields: Json, cause: Cause): void {
    const item = this.#items.of(id);
    this.#busyMs = Math.max(this.#busyMs, cause.endMs);
    this.#order.forget();
    if (item === undefined) return;
    item.busyMs = Math.max(item.busyMs, cause.endMs);
    item.refused = { fields, cause };
    const isReadSince = item.cause === undefined || item.readStep > item.writeStep;
    if (!isReadSince || item.record === undefined) return;
    item.cause = cause;
    item.writeStep = ++this.#step;
  }

  /** A list of items was refused as a whole, so that none of them came and no other one went. */
  refusedWhole(ids: Iterable<string>, cause: Cause, startMs: number): void {
    if (startMs < this.#busyMs) {
      this.forgetItems();
      return;
    }
    for (const id of ids) {
      if (this.#items.at(id) !== undefined || !this.#isWhole || this.#items.size >= MAX_ITEMS) continue;
      this.#items.put({ ...freshItem(id, cause), state: 'absent' });
    }
    this.#changed(cause);
  }

  /** A portion of an upload: what is listed until the last one is open. */
  suspended(call: ServiceRequest): void {
    this.#busyMs = Math.max(this.#busyMs, call.seen.endMs);
    this.#order.forget();
    this.#options.pending.takeBack(this);
  }

  /** A write whose effect is not known. */
  touched(call: ServiceRequest, id?: string): void {
    const { endMs } = call.seen;
    this.#busyMs = Math.max(this.#busyMs, endMs);
    this.#order.forget();
    this.#options.pending.takeBack(this, id);
    if (id === undefined || (this.#items.at(id) === undefined && this.#items.size >= MAX_ITEMS)) {
      this.forgetItems();
      return;
    }
    const item = this.#items.at(id) ?? this.#items.put(freshItem(id, undefined));
    forget(item);
    item.busyMs = Math.max(item.busyMs, endMs);
  }

  /** Writes that are not recorded may have happened. */
  forgetItems(): void {
    this.#items.clear();
    this.#closedBy = undefined;
    this.#isWhole = false;
    this.#lastMade = undefined;
    this.#lastWrite = undefined;
    this.#order.forget();
  }

  /** A single item was read. */
  read(id: string, record: Json, call: ServiceRequest): void {
    const item = this.#items.at(id);
    this.#judgeThere(id, item, call, 'is read');
    this.#compare(id, item, record, call, 'read');
  }

  /** A single item was refused as one that does not exist. */
  missed(id: string, call: ServiceRequest): void {
    this.#judgeGone(id, call, 'is refused');
  }

  /** A page of the list was read. */
  page(records: readonly Json[], call: ServiceRequest): void {
    const ids = new Set<unknown>();
    for (const record of records) ids.add(record[this.#options.key]);
    // Items that share an id break a clause of their own.
    if (ids.size < records.length) return;
    for (const record of records) {
      const id = record[this.#options.key];
      if (typeof id !== 'string') continue;
      const item = this.#items.at(id);
      this.#judgeThere(id, item, call, 'is listed');
      this.#compare(id, item, record, call, 'list');
    }
  }

  /** A list was read from its first page to its last. */
  walked(ids: ReadonlySet<string>, call: ServiceRequest, walk: ListReading): void {
    const { startMs } = walk;
    const missing = [...this.#items.values()].filter(
      ({ id, state, busyMs }) => state === 'present' && busyMs <= startMs && !ids.has(id),
    );
    const spellings = new Set(missing.length === 0 ? [] : [...ids].map(spellingOf));
    for (const { id } of missing)
      if (!spellings.has(spellingOf(id))) this.#judgeGone(id, call, 'is not listed', startMs);
    if (!this.isUnchangedSince(startMs)) return;
    this.#order.read([...ids], call, walk);
    this.#isWhole = this.#items.size < MAX_ITEMS;
  }

  /** An item is there, although a write removed it. */
  #judgeThere(id: string, item: Item | undefined, call: ServiceRequest, seen: string): void {
    if (item?.state === 'present') return;
    if (item !== undefined && item.id !== id) return;
    const cause = item === undefined ? this.#closedBy : item.state === 'absent' ? item.cause : undefined;
    const clause = item === undefined ? cause?.only : cause?.item;
    if (cause === undefined || clause === undefined || !isExpected(cause.endMs, call.seen.startMs)) return;
    if (item === undefined && call.seen.startMs < this.#busyMs) return;
    const finding = {
      message: `the ${this.#options.what} ${JSON.stringify(id)} ${seen} after ${cause.name} (exchange ${cause.n}) removed it`,
      pointer: '',
      expected: `no ${this.#options.what} ${JSON.stringify(id)}`,
      actual: id,
    };
    this.#options.pending.breaks(call, this, id, clause, finding, { doubt: this.#doubt });
    if (item !== undefined) Object.assign(item, { state: 'unknown', cause: undefined });
    else this.#closedBy = undefined;
  }

  /** An item is not there, although nothing removed it. */
  #judgeGone(id: string, call: ServiceRequest, seen: string, startMs = call.seen.startMs): void {
    const item = this.#items.of(id);
    if (item?.state !== 'present' || startMs < item.busyMs) return;
    const neighbour = this.#neighbourOf(item);
    // Once it was read, what came since is to blame.
    const isOther = item.cause === undefined || (item.readStep > item.writeStep && neighbour?.otherItems !== undefined);
    const cause = isOther ? neighbour : item.cause;
    const clause = isOther ? cause?.otherItems : cause?.item;
    if (cause !== undefined && clause !== undefined && isExpected(isOther ? item.readMs : cause.endMs, startMs)) {
      const { pending, what, strangers } = this.#options;
      if (strangers !== undefined) strangers.areSeen = true;
      const finding = {
        message: `the ${what} ${JSON.stringify(id)} ${seen} after ${cause.name} (exchange ${cause.n})${isOther ? ', which did not name it' : ''}`,
        pointer: '',
        expected: id,
        actual: 'no such item',
      };
      pending.breaks(call, this, id, clause, finding, { doubt: this.#doubt });
    }
    forget(item);
  }

  #compare(id: string, known: Item | undefined, record: Json, call: ServiceRequest, by: string): void {
    const { startMs, endMs } = call.seen;
    let item = known;
    if (item === undefined) {
      if (this.#items.size >= MAX_ITEMS) return;
      item = this.#items.put(freshItem(id, undefined));
    }
    if (item.id !== id || startMs < item.busyMs) return;
    const change = item.record === undefined ? undefined : this.#changeSinceRead(item, call, by);
    for (const [clause, finding] of recordFindings(item, record, { startMs, change, about: this.#options }))
      this.#options.pending.breaks(call, this, id, clause, finding, { doubt: this.#doubt });
    if (item.state !== 'present') {
      item.state = 'present';
      item.cause = undefined;
    }
    if (isJsonObject(record.title)) this.#learnLanguages(record.title);
    item.record = record;
    item.readMs = endMs;
    item.readBy = by;
    item.readStep = ++this.#step;
  }

  #learnLanguages(text: Json): void {
    const { languages } = this.#options;
    for (const language in text) if (languages.size < MAX_LANGUAGES && text[language]) languages.add(language);
  }

  /** What came between the last read of an item and this one. */
  #changeSinceRead(item: Item, call: ServiceRequest, by: string): Cause | undefined {
    if (item.cause !== undefined && item.writeStep > item.readStep) return item.cause;
    const neighbour = this.#neighbourOf(item);
    if (neighbour !== undefined) return neighbour;
    const isAdjacent = call.seen.startMs - item.readMs <= ADJACENT_MS && call.seen.startMs >= item.readMs;
    if (by === item.readBy || !isAdjacent || !this.isUnchangedSince(item.readMs)) return undefined;
    const name = by === 'list' ? 'it was read alone' : 'it was listed';
    return { n: call.seen.n, endMs: item.readMs, name, otherItems: this.#options.agrees };
  }

  /** The write to another item since this one was read. */
  #neighbourOf(item: Item): Cause | undefined {
    const last = this.#lastWrite;
    return last !== undefined && item.readStep > 0 && this.#lastWriteStep > item.readStep ? last : undefined;
  }

  /** The item of a write; undefined where another write to it was under way. */
  #written(id: string, cause: Cause, startMs: number): Item | undefined {
    this.#options.pending.takeBack(this, id);
    this.#options.pending.takeBack(this, '');
    this.#changed(cause);
    const known = this.#items.at(id);
    if (known === undefined && this.#items.size >= MAX_ITEMS) {
      this.forgetItems();
      return undefined;
    }
    const item = known ?? this.#items.put(freshItem(id, undefined));
    const isOpen = startMs < item.busyMs || item.id !== id;
    item.busyMs = Math.max(item.busyMs, cause.endMs);
    item.writeStep = this.#step;
    item.refused = undefined;
    if (known === undefined) item.state = 'unknown';
    if (isOpen) forget(item);
    return isOpen ? undefined : item;
  }

  /** An item is the last one that was made, after the one that was it before. */
  #madeAfter(item: Item, fields: Json): void {
    item.neighbour = this.#lastMade?.id === item.id ? undefined : this.#lastMade?.fields;
    this.#lastMade = { id: item.id, fields };
  }

  #changed(cause: Cause): void {
    this.#busyMs = Math.max(this.#busyMs, cause.endMs);
    this.#lastWrite = cause;
    this.#lastWriteStep = ++this.#step;
    this.#order.forget();
  }
}
