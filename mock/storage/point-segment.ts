import type { Point } from '../types/point.ts';

/** A point with its position. Deleted points are skipped, and removed when they outnumber the others. */
export interface Entry {
  readonly seq: number;
  point: Point;
  dead: boolean;
}

const country = (point: Point): string => point.country?.toLowerCase() ?? '';

/** Points in the order of their `seq`, found by id, by position or by country without looking at the others. */
export class Segment {
  readonly id: number;
  /** Place among the segments of a list. */
  readonly rank: number;
  #entries: Entry[] = [];
  #byId = new Map<string, Entry>();
  /**
   * Each entry under every country that it has had: an array costs a third of a set, and an entry that has moved on is
   * sorted out where a country is asked for.
   */
  #byCountry = new Map<string, Entry[]>();
  /** Entries in all arrays of `#byCountry`. */
  #inCountries = 0;

  constructor(id: number, rank: number) {
    this.id = id;
    this.rank = rank;
  }

  /** The same points under another rank, without copying them. */
  withRank(rank: number): Segment {
    const other = new Segment(this.id, rank);
    other.#entries = this.#entries;
    other.#byId = this.#byId;
    other.#byCountry = this.#byCountry;
    other.#inCountries = this.#inCountries;
    return other;
  }

  get size(): number {
    return this.#byId.size;
  }
  get(id: string): Entry | undefined {
    return this.#byId.get(id);
  }
  live(): Entry[] {
    return this.#entries.filter((entry) => !entry.dead);
  }
  /** The points of a country, a lower-case code, without deleted ones. */
  ofCountry(code: string): Entry[] {
    const here = (this.#byCountry.get(code) ?? []).filter((entry) => !entry.dead && country(entry.point) === code);
    return [...new Set(here)];
  }

  slice(after: number | null, count: number, backwards: boolean): Entry[] {
    const found: Entry[] = [];
    const step = backwards ? -1 : 1;
    let at = after === null ? (backwards ? this.#entries.length - 1 : 0) : this.#next(after, backwards);
    for (; found.length < count; at += step) {
      const entry = this.#entries[at];
      if (!entry) break;
      if (!entry.dead) found.push(entry);
    }
    return found;
  }

  push(entry: Entry): void {
    this.#entries.push(entry);
    this.#index(entry);
  }
  /** Removes the entries that were added last. */
  truncate(entries: readonly Entry[]): void {
    this.#entries.length -= entries.length;
    for (const entry of entries) this.kill(entry);
  }
  kill(entry: Entry): void {
    entry.dead = true;
    this.#unindex(entry);
  }
  revive(entry: Entry): void {
    entry.dead = false;
    this.#index(entry);
  }
  change(entry: Entry, point: Point): void {
    const before = entry.point;
    this.#unindex(entry);
    entry.point = point;
    this.#byId.set(point.id, entry);
    if (country(before) !== country(point)) this.#indexCountry(entry);
  }
  /** Removes deleted points, and countries that points have left, when there are many. Only while no change can be rolled back. */
  compact(): void {
    const limit = 2 * this.#byId.size + 16;
    if (this.#entries.length > limit) this.#entries = this.live();
    if (this.#inCountries <= limit) return;
    this.#byCountry = new Map();
    this.#inCountries = 0;
    for (const entry of this.live()) this.#indexCountry(entry);
  }

  #index(entry: Entry): void {
    this.#byId.set(entry.point.id, entry);
    this.#indexCountry(entry);
  }
  #indexCountry(entry: Entry): void {
    this.#inCountries += 1;
    const code = country(entry.point);
    const known = this.#byCountry.get(code);
    if (known === undefined) this.#byCountry.set(code, [entry]);
    else known.push(entry);
  }
  #unindex(entry: Entry): void {
    if (this.#byId.get(entry.point.id) === entry) this.#byId.delete(entry.point.id);
  }

  /** The index of the first entry beyond `seq` in the given direction, by binary search. */
  #next(seq: number, backwards: boolean): number {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const entry = this.#entries[middle]!;
      if (backwards ? entry.seq < seq : entry.seq <= seq) low = middle + 1;
      else high = middle;
    }
    return backwards ? low - 1 : low;
  }
}
