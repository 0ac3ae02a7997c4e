/**
 * The order in which the responses of a check arrive in a replay: that of the recording. Of several requests in flight, the first
 * refusal may be asked again, and the first token is the one that is used.
 */

/** A recorded response that is not asked for by then will not be: the check does something else than in the recording. */
const MAX_WAIT_MS = 50;

export class ArrivalOrder {
  /** Ranks that have not arrived, the next one last. */
  readonly #due: number[];
  readonly #waiting = new Map<number, () => void>();
  #isScheduled = false;
  #givingUp: NodeJS.Timeout | undefined;

  /** `ranks`: the places of all responses in the recorded order. */
  constructor(ranks: readonly number[]) {
    this.#due = [...ranks].sort((a, b) => b - a);
  }

  /** Resolves when a response may arrive. */
  turnOf(rank: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.set(rank, resolve);
      this.#schedule();
    });
  }

  /** One response at a time: what follows from it is sent before the next one arrives. */
  #schedule(): void {
    clearTimeout(this.#givingUp);
    if (this.#isScheduled || this.#waiting.size === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      const next = this.#due.at(-1);
      if (next !== undefined && this.#waiting.has(next)) this.#arrive(next);
      else this.#givingUp = setTimeout(() => this.#arrive(Math.min(...this.#waiting.keys())), MAX_WAIT_MS);
    });
  }

  #arrive(rank: number): void {
    while ((this.#due.at(-1) ?? Number.POSITIVE_INFINITY) <= rank) this.#due.pop();
    const resolve = this.#waiting.get(rank);
    this.#waiting.delete(rank);
    resolve?.();
    this.#schedule();
  }
}
