/**
 * Keeps a run from filling a target with methods that it can't find again: one that fails at each create and each list may have made all
 * of them.
 */
import { Inconclusive } from '../check/failures.ts';

/** So many may be left on a target by one process, and those of the check under way. */
export const MAX_UNACCOUNTED_METHODS = 20;

export class UnaccountedMethods {
  #isAnyFound = false;
  #left = 0;

  /** Notes that the handle of a new method became known: what a create makes can be found, and removed. */
  found(): void {
    this.#isAnyFound = true;
  }

  /** Notes that clean-up could not tell whether a create had made its method. */
  left(): void {
    this.#left += 1;
  }

  /** Throws `Inconclusive` where no create has shown what it made, and too many may have made something. */
  givenFew(): void {
    if (this.#isAnyFound || this.#left < MAX_UNACCOUNTED_METHODS) return;
    const reason = `each of ${this.#left} creates of delivery methods has failed, and the target does not list what they may have made, so no more are sent: repair the create or the list of methods, then run again`;
    throw new Inconclusive(reason, 'target');
  }
}
