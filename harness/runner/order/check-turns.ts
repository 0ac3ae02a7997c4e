/** How the checks of one worker take turns with delivery methods, in a run and in its replay. */
import type { Check } from '../../check/check.ts';
import { deleteIdle } from '../../resources/methods/idle-methods.ts';
import type { Resources } from '../../resources/resources.ts';
import { type Turns, touchesMethods } from './method-turns.ts';

export class CheckTurns {
  readonly #turns: Turns;
  /** Whether a check may have made delivery methods that are kept until the end. */
  #keepsMethods = false;

  constructor(turns: Turns) {
    this.#turns = turns;
  }

  /** Before a check: takes a turn, where turns were needed when the check was about to start. */
  async begin(check: Check, isNeeded: boolean, resources: Resources): Promise<void> {
    // Others wait for what this worker keeps.
    if (isNeeded && this.#keepsMethods) await deleteIdle(resources);
    this.#keepsMethods ||= touchesMethods(check);
    await this.#turns.begins(check, this.#keepsMethods);
    if (isNeeded && touchesMethods(check)) await this.#turns.take(check.id);
    resources.operations.takesFewMethods ||= isNeeded;
  }

  /** After a check: leaves the methods to other workers, where an owner can have only few. */
  async end(resources: Resources): Promise<void> {
    if (!resources.operations.takesFewMethods) return;
    this.#turns.announce();
    if (this.#turns.isOwn) await deleteIdle(resources);
    this.#turns.release();
  }
}
