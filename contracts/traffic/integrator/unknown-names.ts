/** Names that a client sends and that are not the contract's. One that a response shows, before or after, is the service's own. */

/** Names that wait for the end of the recording, at most, and names of the service that are remembered. */
const MAX_NAMES = 200;

/** `T`: where a name was sent. */
export class UnknownNames<T> {
  readonly #sent = new Map<string, T>();
  readonly #shown = new Set<string>();

  /** Notes a name; of one that was sent before, the first place counts. */
  sent(name: string, where: T): void {
    if (!this.#sent.has(name) && this.#sent.size < MAX_NAMES) this.#sent.set(name, where);
  }

  /** Notes the members of a response. */
  shown(record: object): void {
    for (const name of Object.keys(record)) if (this.#shown.size < MAX_NAMES) this.#shown.add(name);
  }

  /** At the end of the recording: the names that no response has shown. */
  left(): readonly (readonly [name: string, where: T])[] {
    return [...this.#sent].filter(([name]) => !this.#shown.has(name));
  }
}
