/**
 * The order of a list: of two readings one right after the other, with no write between them, each has to show that of the other.
 * Other items may be the work of a client that is not in the recording: that they depend on the parameters is certain once the first
 * reading comes again.
 */
import type { ServiceRequest } from '../../../call.ts';
import type { Finding } from '../../../tally.ts';

/** Two reads one after the other, with no write between them. */
export const ADJACENT_MS = 10_000;
const SHOWN_IDS = 20;

/** How a list was read from its first page to its last. */
export interface ListReading {
  readonly startMs: number;
  /** Undefined where it is open in which order it was to be read. */
  readonly desc: boolean | undefined;
  /** The parameters of its first page. */
  readonly parameters: string;
}

export class ListOrder {
  readonly #what: string;
  readonly #isAlone: boolean;
  readonly #isOwnerKnown: boolean;
  readonly #breaks: (call: ServiceRequest, clause: string, finding: Finding) => void;
  #before: (ListReading & { readonly ids: readonly string[]; readonly endMs: number }) | undefined;
  /** A reading, and what the one after it showed with other parameters. */
  #doubt: { readonly ids: readonly string[]; readonly parameters: string; readonly finding: Finding } | undefined;

  /**
   * `what` names an item in findings; `isAlone`: no other client writes to the list; `isOwnerKnown`: it cannot be the list of
   * another owner.
   */
  constructor(
    {
      what,
      isAlone,
      isOwnerKnown,
    }: { readonly what: string; readonly isAlone: boolean; readonly isOwnerKnown: boolean },
    breaks: (call: ServiceRequest, clause: string, finding: Finding) => void,
  ) {
    this.#what = what;
    this.#isAlone = isAlone;
    this.#isOwnerKnown = isOwnerKnown;
    this.#breaks = breaks;
  }

  /** Something was written. */
  forget(): void {
    this.#before = undefined;
    this.#doubt = undefined;
  }

  /** The whole list was read, the last page by `call`. */
  read(ids: readonly string[], call: ServiceRequest, reading: ListReading): void {
    if (reading.desc === undefined) {
      this.forget();
      return;
    }
    this.#judge(ids, call, reading);
    const { startMs, desc, parameters } = reading;
    this.#before = { startMs, desc, parameters, ids, endMs: call.seen.endMs };
  }

  #judge(ids: readonly string[], call: ServiceRequest, { startMs, desc, parameters }: ListReading): void {
    const before = this.#before;
    const doubt = this.#doubt;
    this.#doubt = undefined;
    if (before === undefined || startMs < before.endMs || startMs - before.endMs > ADJACENT_MS) return;
    const isReverse = before.desc !== desc;
    const known = new Set(before.ids);
    const isSameSet = ids.length === known.size && ids.every((id) => known.has(id));
    const wanted = isReverse ? before.ids.toReversed() : before.ids;
    if (isSameSet && ids.every((id, index) => id === wanted[index])) return;
    const shown = { pointer: '', expected: wanted.slice(0, SHOWN_IDS), actual: ids.slice(0, SHOWN_IDS) };
    if (!isSameSet) {
      if (!this.#isOwnerKnown) return;
      if (this.#isAlone) {
        const message = `the list of ${this.#what}s holds other items than when it was read just before`;
        this.#breaks(call, 'delivery.lists.every-item-once', { ...shown, message });
        return;
      }
      // The same request returns other items: another client may have changed the list.
      if (before.parameters === parameters) return;
      const isFirstAgain = doubt?.parameters === parameters && doubt.ids.join('\n') === ids.join('\n');
      if (isFirstAgain) this.#breaks(call, 'delivery.lists.every-item-once', doubt.finding);
      const message = `the list of ${this.#what}s holds other items than when it was read with other parameters just before and after`;
      this.#doubt = { ids: before.ids, parameters: before.parameters, finding: { ...shown, message } };
      return;
    }
    this.#breaks(call, isReverse ? 'delivery.lists.desc-reverses-whole-list' : 'delivery.lists.stable-order', {
      ...shown,
      message: `the list of ${this.#what}s is read in an order that is not ${isReverse ? 'the reverse of the one' : 'the one'} in which it was read just before`,
    });
  }
}
