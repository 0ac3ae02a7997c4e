/** What a target handed out: of these only the latest are kept, so that no target can fill the memory with them. */

/** The latest are kept at least up to these limits, and at most a quarter more. */
export const MAX_LEARNED_SECRETS = 1_000;
const MAX_LEARNED_CHARS = 64 * 1024;
/** Forgetting costs a new index of all: a service with a new cookie in each response must not pay that for each one. */
const LEARNED_SURPLUS = 1.25;

export class LatestSecrets {
  readonly #values = new Set<string>();
  #chars = 0;

  /** Keeps a value, and returns those that are forgotten for it. */
  keep(value: string): string[] {
    this.#values.add(value);
    this.#chars += value.length;
    const forgotten: string[] = [];
    if (this.#isWithin(LEARNED_SURPLUS)) return forgotten;
    for (const oldest of this.#values) {
      if (this.#isWithin(1)) break;
      this.drop(oldest);
      forgotten.push(oldest);
    }
    return forgotten;
  }

  /** No longer counts a value among them. */
  drop(value: string): void {
    if (this.#values.delete(value)) this.#chars -= value.length;
  }

  #isWithin(share: number): boolean {
    return this.#values.size <= MAX_LEARNED_SECRETS * share && this.#chars <= MAX_LEARNED_CHARS * share;
  }
}
