/** An item of a list as the traffic shows it, and the write that made it so. */
import { isUnset } from '../../../../fields/unset.ts';

export type Json = Readonly<Record<string, unknown>>;

/** A write, and the clauses that what is read later may break. */
export interface Cause {
  readonly n: number;
  readonly endMs: number;
  /** For sentences: `PUT /store/…`. */
  readonly name: string;
  /** It made the item. */
  readonly creates?: boolean;
  /** The item is there, or is not there any more. */
  readonly item?: string;
  /** Nothing else is there. */
  readonly only?: string;
  readonly field?: (name: string) => string;
  /** Fields that it did not name, and items that it did not name. */
  readonly otherFields?: string;
  readonly otherItems?: string;
}

/** The fields that one write named. */
export interface SentFields {
  readonly fields: Json;
  readonly cause: Cause;
}

export interface Item {
  readonly id: string;
  state: 'present' | 'absent' | 'unknown';
  /** The write that decided the state; undefined when the item was only read. */
  cause: Cause | undefined;
  /** End of the last write to it. */
  busyMs: number;
  /** What was sent, the last one first. */
  sent: readonly SentFields[] | undefined;
  /** What was refused since it was written. */
  refused: SentFields | undefined;
  /** Whether it existed before is not known, so that the service may have kept what it had. */
  mayBeOlder: boolean;
  /** What clients had sent for an item that had its id before, and for the one that was made just before it. */
  former: Json | undefined;
  neighbour: Json | undefined;
  record: Json | undefined;
  readMs: number;
  readBy: string;
  /** When it was read and written, counted in steps: times may be missing in a recording. */
  readStep: number;
  writeStep: number;
}

/** An item that is there. */
export function freshItem(id: string, cause: Cause | undefined): Item {
  // Written out: one is made for each item of each list.
  return {
    id,
    state: 'present',
    cause,
    busyMs: cause?.endMs ?? 0,
    sent: undefined,
    refused: undefined,
    mayBeOlder: false,
    former: undefined,
    neighbour: undefined,
    record: undefined,
    readMs: 0,
    readBy: '',
    readStep: 0,
    writeStep: 0,
  };
}

/** The last write that named a field. */
export function sentIn(item: Item, field: string): SentFields | undefined {
  for (const sent of item.sent ?? []) if (Object.hasOwn(sent.fields, field)) return sent;
  return undefined;
}

/** The call that made an item, and what it sent; undefined where it is not known. */
export function creationOf({ sent }: Item): SentFields | undefined {
  const first = sent?.at(-1);
  return first?.cause.creates === true ? first : undefined;
}

/** Its state is unknown from now on. */
export function forget(item: Item): void {
  Object.assign(item, { state: 'unknown', cause: undefined, sent: undefined, record: undefined });
}

/**
 * All items of a country are replaced: this one is gone, if it is known to be one of them. Whether `ee` and `EE` are one country to the
 * service is open.
 */
export function leaveCountry(item: Item, country: string, cause: Cause): void {
  const own = sentIn(item, 'country')?.fields.country ?? item.record?.country;
  if (item.state === 'absent') return;
  if (typeof own !== 'string' || isUnset(own) || isSpelledDifferently(own, country)) {
    forget(item);
  } else if (own === country) {
    item.former = allSent(item);
    Object.assign(item, { state: 'absent', cause, sent: undefined, record: undefined, busyMs: cause.endMs });
  }
}

const isSpelledDifferently = (one: string, other: string): boolean =>
  one !== other && one.toLowerCase() === other.toLowerCase();

/** All that clients sent for an item and that is valid still. */
export function allSent(item: Item): Json | undefined {
  const writes = item.sent ?? [];
  return writes.length === 0 ? undefined : Object.assign({}, ...writes.map(({ fields }) => fields).toReversed());
}
