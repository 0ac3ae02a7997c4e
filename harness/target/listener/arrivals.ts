/** What arrived at the listener, by the name in its path: a bounded number of requests, and those who wait for one. */
import type { Fields } from '../../../contracts/signing/index.ts';

/** A request as it arrived. */
export interface Received {
  readonly method: string;
  /** The address as the sender wrote it: path (without that of `publicUrl`) and query, raw. */
  readonly target: string;
  readonly path: string;
  /** Raw query without `?`. */
  readonly query: string;
  readonly headers: ReadonlyArray<readonly [string, string]>;
  readonly body: Uint8Array;
  /** Form fields in sent order, urlencoded or multipart; empty when the body is not a form. */
  readonly fields: Fields;
  readonly at: Date;
  /** Number of its exchange in the record. */
  exchange?: number;
}

/** A page is asked for some ten times in a run; a client that comes thousands of times is answered, but not kept. */
export const MAX_KEPT_REQUESTS = 1_000;
const MAX_KEPT_BYTES = 64 * 1024 * 1024;
/** Requests for pages that do not exist (a browser's icon, an unknown caller on a tunnel), kept in the record. */
export const MAX_STRANGE_REQUESTS = 50;

export class Arrivals {
  readonly #byName = new Map<string, Received[]>();
  readonly #waiting = new Set<() => void>();
  #bytes = 0;
  #strange = 0;

  /** Whether there is room to keep a request under a name, which it takes up then. */
  takesRoom({ body }: Received, name: string, isServed: boolean): boolean {
    if (!isServed) return ++this.#strange <= MAX_STRANGE_REQUESTS;
    const isRoom = this.of(name).length < MAX_KEPT_REQUESTS && this.#bytes + body.length <= MAX_KEPT_BYTES;
    if (isRoom) this.#bytes += body.length;
    return isRoom;
  }

  add(name: string, received: Received): void {
    this.#byName.set(name, [...this.of(name), received]);
    for (const wake of this.#waiting) wake();
  }

  /** What arrived under a name so far, oldest first. */
  of(name: string): readonly Received[] {
    return this.#byName.get(name) ?? [];
  }

  get areAny(): boolean {
    return this.#byName.size > 0;
  }

  /** The first request under a name, from the `after`th on, that is `wanted`; `undefined` when none came in time. */
  async waitFor(
    name: string,
    after: number,
    timeoutMs: number,
    wanted: (received: Received) => boolean,
  ): Promise<Received | undefined> {
    const found = () => this.of(name).slice(after).find(wanted);
    if (found() !== undefined) return found();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve(found());
      };
      const wake = () => {
        if (found() !== undefined) end();
      };
      const timer = setTimeout(end, timeoutMs);
      this.#waiting.add(wake);
    });
  }
}
