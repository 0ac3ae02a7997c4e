/** Building blocks for faults of batch calls: points that are changed when staged or published, and intercepted calls. */

import type { PointList } from '../../../storage/point-list.ts';
import type { Deviation } from '../../../types/deviation.ts';
import type { Point } from '../../../types/point.ts';
import { type InterceptedRequest, intercepts, PATHS } from '../../interception.ts';

type MakesRules = NonNullable<Deviation['rules']>;

/** Changes the points of batch calls; a single add is correct. */
export const staged =
  (change: (points: readonly Point[], list: PointList) => readonly Point[]): MakesRules =>
  (correct) => ({ stage: (list, points) => correct.stage(list, change(points, list)) });

/** Builds the published list from the old and the uploaded points. */
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

/** The points that an upload does not replace: none, or those of other countries. */
export const notOf = (country: string | null, points: readonly Point[]): Point[] =>
  country === null ? [] : points.filter((point) => point.country?.toLowerCase() !== country);
export const withoutIdsOf = (points: readonly Point[], others: readonly Point[]): Point[] =>
  points.filter(({ id }) => !others.some((other) => other.id === id));

/** The batch calls, with their points. */
export const meetsBatch = (serve: (points: readonly unknown[], met: InterceptedRequest) => Promise<Response>) =>
  intercepts('POST', PATHS.batch, async (met) => serve((met.body?.pickup_points as unknown[] | undefined) ?? [], met));

/** Stores some points twice. Because ids in a list are unique, the copy has a suffix that is never shown. */
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
