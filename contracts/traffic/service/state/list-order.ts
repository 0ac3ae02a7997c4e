/** The order of a list: of two readings one right after the other, with no write between them, each has to show that of the other. */
import type { ServiceRequest } from '../../call.ts';
import type { Finding } from '../../tally.ts';

/** Two reads one after the other, with no write between them. */
export const ADJACENT_MS = 10_000;
const SHOWN_IDS = 20;

/** How a list was read from its first page to its last. */
export interface ListReading {
  readonly startMs: number;
  readonly desc: boolean;
  /** The parameters of its first page. */
  readonly parameters: string;
}

export class ListOrder {
  readonly #what: string;
  readonly #breaks: (call: ServiceRequest, clause: string, finding: Finding) => void;
  #before: (ListReading & { readonly ids: readonly string[]; readonly endMs: number }) | undefined;

  /** `what` names an item in findings. */
  constructor(what: string, breaks: (call: ServiceRequest, clause: string, finding: Finding) => void) {
    this.#what = what;
    this.#breaks = breaks;
  }

  /** Something was written. */
  forget(): void {
    this.#before = undefined;
  }

  /** The whole list was read, the last page by `call`. */
  read(ids: readonly string[], call: ServiceRequest, reading: ListReading): void {
    this.#judge(ids, call, reading);
    const { startMs, desc, parameters } = reading;
    this.#before = { startMs, desc, parameters, ids, endMs: call.seen.endMs };
  }

  #judge(ids: readonly string[], call: ServiceRequest, { startMs, desc, parameters }: ListReading): void {
    const before = this.#before;
    if (before === undefined || startMs < before.endMs || startMs - before.endMs > ADJACENT_MS) return;
    const isReverse = before.desc !== desc;
    const known = new Set(before.ids);
    const isSameSet = ids.length === known.size && ids.every((id) => known.has(id));
    const wanted = isReverse ? before.ids.toReversed() : before.ids;
    if (isSameSet && ids.every((id, index) => id === wanted[index])) return;
    // The same request that is answered with other items: somebody may have changed the list.
    if (!isSameSet && before.parameters === parameters) return;
    const clause = !isSameSet
      ? 'delivery.lists.every-item-once'
      : isReverse
        ? 'delivery.lists.desc-reverses-whole-list'
        : 'delivery.lists.stable-order';
    const message = isSameSet
      ? `the list of ${this.#what}s is read in an order that is not ${isReverse ? 'the reverse of the one' : 'the one'} in which it was read just before`
      : `the list of ${this.#what}s holds other items than when it was read with other parameters just before`;
    this.#breaks(call, clause, {
      message,
      pointer: '',
      expected: wanted.slice(0, SHOWN_IDS),
      actual: ids.slice(0, SHOWN_IDS),
    });
  }
}
