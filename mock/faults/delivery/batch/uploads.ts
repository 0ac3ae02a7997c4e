/** What faults of batch calls are made of: points changed when they are staged or published, and calls met before. */

import type { PointList } from '../../../storage/point-list.ts';
import type { Deviation } from '../../../types/deviation.ts';
import type { Point } from '../../../types/point.ts';
import { type InterceptedRequest, meets, PATHS } from '../../interception.ts';

type MakesRules = NonNullable<Deviation['rules']>;

/** What a batch call makes of its points; a point that is added alone is stored as it was sent. */
export const staged =
  (change: (points: readonly Point[], list: PointList) => readonly Point[]): MakesRules =>
  (correct) => ({ stage: (list, points) => correct.stage(list, change(points, list)) });

/** What is published, made of the points before and the points uploaded. */
export const published =
  (
    make: (before: readonly Point[], uploaded: readonly Point[], country: string | null) => readonly Point[],
  ): MakesRules =>
  (correct) => ({
    publish: (list) => {
      const points = make(list.all(), list.staged(), list.upload?.country ?? null);
      correct.publish(list);
      list.rewrite(points);
    },
  });

/** What an upload leaves alone: nothing, or the points of other countries than its own. */
export const notOf = (country: string | null, points: readonly Point[]): Point[] =>
  country === null ? [] : points.filter((point) => point.country?.toLowerCase() !== country);
export const withoutIdsOf = (points: readonly Point[], others: readonly Point[]): Point[] =>
  points.filter(({ id }) => !others.some((other) => other.id === id));

/** The batch calls, with their points. */
export const meetsBatch = (serve: (points: readonly unknown[], met: InterceptedRequest) => Promise<Response>) =>
  meets('POST', PATHS.batch, async (met) => serve((met.body?.pickup_points as unknown[] | undefined) ?? [], met));

/** Stores some points a second time. A list holds an id once, so that the second has an ending that is never shown. */
export function storesTwice(isAgain: (list: PointList, points: readonly Point[], at: number) => boolean): MakesRules {
  const ending = '~again';
  return (correct) => ({
    repeatedId: (list, points) =>
      correct.repeatedId(
        list,
        points.filter((_, at) => !isAgain(list, points, at)),
      ),
    stage: (list, points) => {
      const marked = points.map((point, at) =>
        isAgain(list, points, at) ? { ...point, id: `${point.id}${ending}` } : point,
      );
      correct.stage(list, marked);
    },
    renderPoint: (point, site) =>
      correct.renderPoint(
        { ...point, id: point.id.endsWith(ending) ? point.id.slice(0, -ending.length) : point.id },
        site,
      ),
  });
}
