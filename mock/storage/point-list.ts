/**
 * Pickup points of delivery methods: the published list of each, and the list that is being uploaded.
 *
 * A list is a row of segments. A portion is appended to a segment of its own that is not listed yet; publishing makes that
 * segment the list (or, for one country, the last part of it), so that a portion costs what its own points cost, however
 * long the list is. Points keep the order in which they came; a position in the list is `rank-seq`.
 */

import { refuse } from '../http/refusal.ts';
import type { Point } from '../types/point.ts';
import { type Entry, Segment } from './point-segment.ts';
import type { Journal } from './table.ts';

/** A list in the service's order that can be split into pages. */
export interface Listing<Item> {
  readonly size: number;
  all(): Item[];
  /** At most `count` items after a position (from the start when null), forwards or backwards, with the position of each. */
  slice(after: string | null, count: number, backwards: boolean): { item: Item; position: string }[];
}

/** An upload that has begun and is not published. */
export interface Upload {
  /** Lower case; null for the whole list. */
  readonly country: string | null;
  readonly segment: Segment;
}

/** What is stored of a list beside its points. */
export interface StoredList {
  readonly segments: readonly { readonly id: number; readonly rank: number }[];
  readonly upload: { readonly segment: number; readonly country: string | null } | null;
}

/** Numbers that are unique across all lists. */
export interface Numbers {
  seq: number;
  segment: number;
  /** The number of processed points, the measure of cost. */
  touched: number;
}

export class PointList implements Listing<Point> {
  readonly handle: string;
  readonly #journal: Journal;
  readonly #numbers: Numbers;
  #segments: readonly Segment[];
  #upload: Upload | null;
  #changedSinceBegin = true;

  constructor(
    handle: string,
    journal: Journal,
    numbers: Numbers,
    stored?: { segments: Segment[]; upload: Upload | null },
  ) {
    this.handle = handle;
    this.#journal = journal;
    this.#numbers = numbers;
    this.#segments = stored?.segments ?? [];
    this.#upload = stored?.upload ?? null;
  }

  get size(): number {
    return this.#segments.reduce((sum, segment) => sum + segment.size, 0);
  }
  get upload(): Upload | null {
    return this.#upload;
  }

  /** Whether published points were added or changed since the upload began (or may have been, after a restart). */
  get changedSinceBegin(): boolean {
    return this.#changedSinceBegin;
  }

  all(): Point[] {
    return this.#segments.flatMap((segment) => segment.live().map(({ point }) => point));
  }

  slice(after: string | null, count: number, backwards: boolean): { item: Point; position: string }[] {
    const from = after === null ? null : positionOf(after);
    const segments = backwards ? this.#segments.toReversed() : this.#segments;
    const found: { item: Point; position: string }[] = [];
    for (const segment of segments) {
      if (found.length >= count) break;
      if (from && (backwards ? segment.rank > from.rank : segment.rank < from.rank)) continue;
      if (!this.#journal.active) segment.compact();
      const start = from?.rank === segment.rank ? from.seq : null;
      const entries = segment.slice(start, count - found.length, backwards);
      this.#numbers.touched += entries.length;
      for (const { seq, point } of entries) found.push({ item: point, position: `${segment.rank}-${seq}` });
    }
    return found;
  }

  get(id: string): Point | undefined {
    return this.#find(id)?.entry.point;
  }

  /** Adds a point whose id is not in the list. */
  add(point: Point): void {
    this.#changedSinceBegin = true;
    let segment = this.#segments.at(-1);
    if (!segment) {
      segment = this.#newSegment();
      this.#place([segment], this.#upload);
    }
    this.#append(segment, [point]);
  }

  /** Puts a changed point in the place of the one with its id. */
  replace(point: Point): void {
    const found = this.#find(point.id);
    if (!found) throw new Error(`There is no point ${point.id} in ${this.handle}.`);
    this.#changedSinceBegin = true;
    const { segment, entry } = found;
    const before = entry.point;
    this.#journal.note(
      () => segment.change(entry, before),
      (sink) => sink.points(segment.id, [{ seq: entry.seq, value: point }]),
    );
    segment.change(entry, point);
  }

  remove(id: string): boolean {
    const found = this.#find(id);
    if (!found) return false;
    this.#kill(found.segment, [found.entry]);
    return true;
  }

  /** Begins an upload for one country or for the whole list; discards an unfinished one. */
  begin(country: string | null): void {
    const unfinished = this.#upload?.segment;
    this.#changedSinceBegin = false;
    this.#place(this.#segments, { country: country?.toLowerCase() ?? null, segment: this.#newSegment() });
    if (unfinished) this.#forget([unfinished]);
  }

  stage(points: readonly Point[]): void {
    if (!this.#upload) throw new Error(`No upload has begun for ${this.handle}.`);
    this.#append(this.#upload.segment, points);
  }

  staged(): Point[] {
    return this.#upload?.segment.live().map(({ point }) => point) ?? [];
  }
  isStaged(id: string): boolean {
    return this.#upload?.segment.get(id) !== undefined;
  }

  /** Whether a published point with this id would remain after publishing the upload, so that the id would be listed twice. */
  keepsPublished(id: string): boolean {
    const point = this.get(id);
    return (
      point !== undefined && this.#upload?.country != null && point.country?.toLowerCase() !== this.#upload.country
    );
  }

  /** The upload becomes the list, or for a country its part of the list. */
  publish(): void {
    const upload = this.#upload;
    if (!upload) throw new Error(`No upload has begun for ${this.handle}.`);
    const country = upload.country;
    if (country !== null) {
      for (const segment of this.#segments) this.#kill(segment, segment.ofCountry(country));
    }
    const kept = country === null ? [] : this.#segments.filter((segment) => segment.size > 0);
    const gone = this.#segments.filter((segment) => !kept.includes(segment));
    // The rank of the segment was assigned when the upload began; a list published in the meantime must still precede it.
    const segment = upload.segment.withRank(++this.#numbers.seq);
    this.#place(segment.size === 0 ? kept : [...kept, segment], null);
    this.#forget(segment.size === 0 ? [...gone, segment] : gone);
  }

  discard(): void {
    const unfinished = this.#upload?.segment;
    if (!unfinished) return;
    this.#place(this.#segments, null);
    this.#forget([unfinished]);
  }

  /** Replaces the published list by these points, at the cost of all of them: for fixtures and deviations. */
  rewrite(points: readonly Point[]): void {
    const gone = this.#segments;
    const segment = this.#newSegment();
    this.#place([segment], this.#upload);
    this.#forget(gone);
    this.#append(segment, points);
  }

  /** Removes everything; the list itself is dropped by `PointLists`. */
  clear(): void {
    const gone = [...this.#segments, ...(this.#upload ? [this.#upload.segment] : [])];
    this.#place([], null);
    this.#forget(gone);
  }

  #find(id: string): { segment: Segment; entry: Entry } | undefined {
    for (const segment of this.#segments) {
      const entry = segment.get(id);
      if (entry) return { segment, entry };
    }
    return undefined;
  }

  #newSegment(): Segment {
    return new Segment(++this.#numbers.segment, ++this.#numbers.seq);
  }

  #append(segment: Segment, points: readonly Point[]): void {
    const entries = points.map((point) => ({ seq: ++this.#numbers.seq, point, dead: false }));
    this.#numbers.touched += entries.length;
    this.#journal.note(
      () => segment.truncate(entries),
      (sink) =>
        sink.points(
          segment.id,
          entries.map(({ seq, point }) => ({ seq, value: point })),
        ),
    );
    for (const entry of entries) segment.push(entry);
  }

  #kill(segment: Segment, entries: readonly Entry[]): void {
    if (entries.length === 0) return;
    this.#numbers.touched += entries.length;
    this.#journal.note(
      () => {
        for (const entry of entries) segment.revive(entry);
      },
      (sink) =>
        sink.dropPoints(
          segment.id,
          entries.map(({ seq }) => seq),
        ),
    );
    for (const entry of entries) segment.kill(entry);
  }

  #place(segments: readonly Segment[], upload: Upload | null): void {
    const [segmentsBefore, uploadBefore] = [this.#segments, this.#upload];
    const stored: StoredList = {
      segments: segments.map(({ id, rank }) => ({ id, rank })),
      upload: upload && { segment: upload.segment.id, country: upload.country },
    };
    this.#journal.note(
      () => {
        this.#segments = segmentsBefore;
        this.#upload = uploadBefore;
      },
      (sink) => sink.row('lists', this.handle, stored),
    );
    this.#segments = segments;
    this.#upload = upload;
  }

  #forget(segments: readonly Segment[]): void {
    for (const { id } of segments)
      this.#journal.note(
        () => {},
        (sink) => sink.dropPoints(id),
      );
  }
}

export class PointLists {
  readonly #journal: Journal;
  readonly #lists = new Map<string, PointList>();
  readonly numbers: Numbers = { seq: 0, segment: 0, touched: 0 };

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** The list of a method; an empty one is there from the beginning. */
  of(handle: string): PointList {
    let list = this.#lists.get(handle);
    if (!list) {
      list = new PointList(handle, this.#journal, this.numbers);
      this.#lists.set(handle, list);
    }
    return list;
  }

  /** Deletes the points with the method. */
  drop(handle: string): void {
    const list = this.#lists.get(handle);
    if (!list) return;
    list.clear();
    this.#journal.note(
      () => this.#lists.set(handle, list),
      (sink) => sink.row('lists', handle, undefined),
    );
    this.#lists.delete(handle);
  }

  handles(): string[] {
    return [...this.#lists.keys()];
  }

  /** Puts a stored list in place; `pointsOf` reads the points of a segment in their order. */
  load(
    handle: string,
    stored: StoredList,
    pointsOf: (segment: number) => Iterable<{ seq: number; value: unknown }>,
  ): void {
    const read = (id: number, rank: number): Segment => {
      const segment = new Segment(id, rank);
      this.numbers.segment = Math.max(this.numbers.segment, id);
      this.numbers.seq = Math.max(this.numbers.seq, rank);
      for (const { seq, value } of pointsOf(id)) {
        segment.push({ seq, point: value as Point, dead: false });
        this.numbers.seq = Math.max(this.numbers.seq, seq);
      }
      return segment;
    };
    const segments = stored.segments.map(({ id, rank }) => read(id, rank));
    const upload = stored.upload && {
      country: stored.upload.country,
      segment: read(stored.upload.segment, 0),
    };
    this.#lists.set(handle, new PointList(handle, this.#journal, this.numbers, { segments, upload }));
  }
}

/** Any short list as a Listing; `position` grows along it. */
export function listingOf<Item>(items: readonly Item[], position: (item: Item) => number): Listing<Item> {
  return {
    size: items.length,
    all: () => [...items],
    slice: (after, count, backwards) => {
      const from = after === null ? null : positionOf(`0-${after}`).seq;
      return (backwards ? items.toReversed() : items)
        .filter((item) => from === null || (backwards ? position(item) < from : position(item) > from))
        .slice(0, count)
        .map((item) => ({ item, position: String(position(item)) }));
    },
  };
}

function positionOf(text: string): { rank: number; seq: number } {
  const found = /^(\d{1,15})-(\d{1,15})$/.exec(text);
  if (!found) return refuse('invalid', 'page_start is not a position of this list: follow next_page_uri as it is.');
  return { rank: Number(found[1]), seq: Number(found[2]) };
}
