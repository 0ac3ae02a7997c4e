/** What a rule remembers of earlier exchanges, with a fixed limit for traffic of any length. */

export interface MemoryLimits<V> {
  /** Entries that are kept. */
  readonly entries: number;
  /** How much an entry holds, and how much all may hold together. */
  readonly weight?: { readonly of: (value: V) => number; readonly most: number };
}

/** A map that forgets the entries which were not set for longest. */
export class Memory<V> {
  readonly #limits: MemoryLimits<V>;
  readonly #entries = new Map<string, { value: V; weight: number }>();
  #weight = 0;

  constructor(limits: MemoryLimits<V>) {
    this.#limits = limits;
  }

  get(key: string): V | undefined {
    return this.#entries.get(key)?.value;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Remembers a value, or that an entry has grown. */
  set(key: string, value: V): V {
    const weight = this.#limits.weight?.of(value) ?? 0;
    const entry = this.#entries.get(key) ?? { value, weight: 0 };
    this.#weight += weight - entry.weight;
    entry.value = value;
    entry.weight = weight;
    // The last one again.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    while (this.#entries.size > 1 && this.#isFull()) this.delete(this.#entries.keys().next().value as string);
    return value;
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#weight -= entry.weight;
    this.#entries.delete(key);
  }

  keys(): string[] {
    return [...this.#entries.keys()];
  }

  *values(): Generator<V> {
    for (const { value } of this.#entries.values()) yield value;
  }

  #isFull(): boolean {
    return this.#entries.size > this.#limits.entries || this.#weight > (this.#limits.weight?.most ?? Infinity);
  }
}
