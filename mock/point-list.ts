/**
 * Pickup points of delivery methods: the published list of each, and the list that is being uploaded.
 *
 * A list is a row of segments. A portion is appended to a segment of its own that nobody lists; publishing makes that
 * segment the list (or, for one country, the last part of it), so that a portion costs what its own points cost, however
 * long the list is. Points keep the order in which they came; a position in the list is `rank-seq`.
 */
import type { Point } from './state.ts';
import type { Journal } from './table.ts';

/** A list that pages can be cut from, in the service's own order. */
export interface Listing<Item> {
  readonly size: number;
  all(): Item[];
  /** At most `count` items after a position (from the start when null), forwards or backwards, with the position of each. */
  slice(after: string | null, count: number, backwards: boolean): { item: Item; position: string }[];
}

/** An upload that has begun and is not published. */
export interface Upload {
  readonly country: string | null;
  readonly segment: number;
}

export interface PointList extends Listing<Point> {
  readonly handle: string;
  readonly upload: Upload | null;
  get(id: string): Point | undefined;
  add(point: Point): void;
  /** Puts a changed point in the place of the one with its id. */
  replace(point: Point): void;
  remove(id: string): boolean;
  /** Begins an upload; an unfinished one is thrown away. */
  begin(country: string | null): void;
  stage(points: readonly Point[]): void;
  staged(): Point[];
  isStaged(id: string): boolean;
  /** Whether a published point with this id would stay when the upload is published: only then two points could meet. */
  keepsPublished(id: string): boolean;
  /** The upload becomes the list, or for a country its part of the list. */
  publish(): void;
  discard(): void;
}

export interface PointLists {
  of(handle: string): PointList;
  /** With the method its points go. */
  drop(handle: string): void;
}

export type CreatePointLists = (journal: Journal) => PointLists;
