/**
 * A target that answered and then accepts no connection: a restart, a deployment, a network that is gone for a moment. Nothing was
 * sent, so that every call can wait for it. A target that stays away is waited for once, until it answers again.
 */
import { isAbsent } from '../../network/explain-failure.ts';
import { NoResponse } from '../no-response.ts';
import type { Clock } from '../types.ts';

/** How long one call waits for a target that was there, in milliseconds. */
export const MAX_AWAY_MS = 60_000;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 1_000;

export class Absence {
  readonly #clock: Clock;
  /** Origins that answered and were not waited for in vain since. */
  readonly #present = new Set<string>();
  #waitedMs = 0;
  /** Until when a call waits, of those that wait at this moment. */
  #waitsUntil = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How long calls have waited, in milliseconds. Where several wait at the same time, that time counts once. */
  get waitedMs(): number {
    return this.#waitedMs;
  }

  /** What `call` answers. It is repeated while the target of `origin` is away; the last `NoResponse` is thrown when it stays away. */
  async waitOut<T>(origin: string, call: () => Promise<T>): Promise<T> {
    const began = this.#clock.now();
    let waited = 0;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
      try {
        const response = await call();
        this.#present.add(origin);
        return response;
      } catch (error) {
        if (!(error instanceof NoResponse) || !isAbsent(error) || !this.#present.has(origin)) throw error;
        // An attempt may take seconds by itself.
        if (Math.max(waited, this.#clock.now() - began) + pause > MAX_AWAY_MS) {
          this.#present.delete(origin);
          throw error;
        }
        waited += pause;
        this.#countWait(this.#clock.now(), pause);
        await this.#clock.sleep(pause);
      }
    }
  }

  #countWait(from: number, pause: number): void {
    this.#waitedMs += Math.max(0, from + pause - Math.max(from, this.#waitsUntil));
    this.#waitsUntil = Math.max(this.#waitsUntil, from + pause);
  }
}
