/**
 * Keeps a run from filling a target with methods that it can't find again: one that fails at each create and each list may have made all
 * of them.
 */
import { Inconclusive } from '../check/failures.ts';
import type { Ledger } from './ledger.ts';

/** So many may be left on a target by one process. A check creates fewer before its clean-up, unless each is refused. */
export const MAX_UNACCOUNTED_METHODS = 50;

export class UnaccountedMethods {
  readonly #ledger: Pick<Ledger, 'orphans'>;
  #isAnyFound = false;

  constructor(ledger: Pick<Ledger, 'orphans'>) {
    this.#ledger = ledger;
  }

  /** Notes that the handle of a new method became known: what a create makes can be found, and removed. */
  found(): void {
    this.#isAnyFound = true;
  }

  /** Throws `Inconclusive` where no create has shown what it made, and too many may have made something. */
  givenFew(): void {
    if (this.#isAnyFound) return;
    const open = this.#ledger
      .orphans()
      .filter(({ entry }) => entry.kind === 'delivery-method' && entry.handle === undefined);
    if (open.length < MAX_UNACCOUNTED_METHODS) return;
    const reason = `each of ${open.length} creates of delivery methods has failed, and the target does not list what they may have made, so no more are sent: repair the create or the list of methods, then run again`;
    throw new Inconclusive(reason, 'target');
  }
}
