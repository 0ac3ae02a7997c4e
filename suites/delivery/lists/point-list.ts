/** The list of the pickup points of a method that the run created, which nothing else changes. */

import { resourceOf } from '../../../contracts/envelopes/index.ts';
import { isUnset } from '../../../contracts/fields/unset.ts';
import { MAX_PORTION_ITEMS } from '../../../contracts/lists/portions.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { pointsAt, replacePoints, wholeList } from '../batch/calls.ts';
import { POINT_FIELDS, type PointField } from '../steps/fields.ts';
import { type Method, showsPoint } from '../steps/reading.ts';
import { idsToTry, shuffledIds } from './ids.ts';
import { type ListSource, pointsOf, type Reading, readCompleteList, type Spec } from './reading/index.ts';
import { type Anomaly, anomaliesOf, type ListClause } from './reading/judge.ts';
import {
  changesByItself,
  isAboutSizes,
  longEnough,
  maxPagesFor,
  readIfServed,
  readingsOf,
  refusedSizes,
} from './reading/page-sizes.ts';

export interface ListUnderTest {
  readonly source: ListSource;
  /**
   * Reads the list in the requested ways and judges the readings. Sizes that the service refuses are skipped. What
   * is not caused by the list is a failed precondition; `asked` is the clause in question.
   */
  anomalies(specs: readonly Spec[], asked: ListClause): Promise<Anomaly[]>;
  /** Notes that the check needs the list no longer, so that its method can make room for another one. */
  readonly release?: () => void;
}

/** Enough items for three pages of seven, few enough to read one by one. */
export const FEW_POINTS = 15;

/** The points of a new method, which nothing else changes. */
export async function pointList(context: Context, count = FEW_POINTS): Promise<ListUnderTest> {
  const method = await context.given.newMethod(context.delivery);
  return listOfPoints(context, method, await fillWithPoints(context, method, count));
}

/** Puts so many points into a method that has none, and returns their ids. */
export async function fillWithPoints(context: Context, method: Method, count: number): Promise<readonly string[]> {
  const { delivery, send } = context;
  const plain = shuffledIds(count);
  const tried = count <= MAX_PORTION_ITEMS ? await idsToTry(context, plain) : [];
  // The list that most checks read; in a property every request counts.
  if (count === FEW_POINTS)
    for (const ids of tried) {
      const points = someWithoutAField(pointsAt(context, ids));
      if (await fillInParts(context, method, points)) return ids;
    }
  // A service may want a title that no other point has.
  for (const titled of [halfAlike, withOwnTitles])
    for (const ids of tried) {
      const points = titled(pointsAt(context, ids));
      if (count === FEW_POINTS && (await fillInParts(context, method, points))) return ids;
      const list = { pickup_points: points };
      if (isServed(await send(delivery.batchReplace(method.handle, list), 'given'))) return ids;
    }
  await replacePoints(context, method, pointsAt(context, plain));
  return plain;
}

/**
 * Makes the points the whole list by different calls, which a service may keep in different places: most of them by one list, the last
 * but one by a list for another country, and the last one by an add. False where it refuses one of these.
 */
async function fillInParts(context: Context, method: Method, points: readonly Json[]): Promise<boolean> {
  if (context.sendsMinimum) return false;
  const [ofCountry, last] = points.slice(-2) as [Json, Json];
  const country = { country: ofCountry.country === 'EE' ? 'LT' : 'EE' };
  const lists = context.hasOneCountry
    ? [wholeList(method, points.slice(0, -1))]
    : [wholeList(method, points.slice(0, -2)), wholeList(method, [{ ...ofCountry, ...country }], country)];
  for (const call of [...lists, method.delivery.addPoint(method.handle, last)])
    if (!isServed(await context.send(call, 'given'))) return false;
  return true;
}

/** Half of them with one title: a page must not begin after all items that sort like the last one of the page before. */
const halfAlike = (points: readonly Json[]): Json[] =>
  points.map((point, at) => (at < points.length / 2 ? { ...point, title: points[0]?.title } : point));

const withOwnTitles = (points: readonly Json[]): readonly Json[] => points;

/** In the order of the points that are without them. The one of the last but one is the list for a country. */
const OMITTED: readonly PointField[] = ['title', 'address', 'city', 'zip', 'attributes', 'country'];

/** The last of them each without another field: a page that is made with a join of tables may leave them out. A service may require any. */
const someWithoutAField = (points: readonly Json[]): Json[] =>
  halfAlike(points).map((point, at) => {
    const field = OMITTED[at - (points.length - OMITTED.length)];
    return field === undefined ? point : { ...point, [field]: undefined };
  });

/** The points of a new method, which has none. */
export async function emptyPointList(context: Context): Promise<ListUnderTest> {
  return listOfPoints(context, await context.given.newMethod(context.delivery), []);
}

/** More than the default page of most services, and more than the 100 points of a portion. */
export const MANY_POINTS = 140;

/** A list of several default pages, with more points than one call can send. */
export async function longPointList(context: Context): Promise<ListUnderTest> {
  return pointList(context, MANY_POINTS);
}

function listOfPoints(context: Context, method: Method, ids: readonly string[]): ListUnderTest {
  const source = pointsOf(method.delivery, method.handle);
  const read = (spec: Spec) => readIfServed(context, source, spec, maxPagesFor(ids.length));
  return {
    source,
    release: () => context.given.doneWith(method),
    anomalies: async (specs, asked) => {
      const readings = await readingsOf(specs, read);
      if (readings.length === 0) return refusedSizes(context, specs, asked);
      longEnough(context, specs, readings, asked);
      const found = anomaliesOf(readings, ids);
      if (asked === 'delivery.lists.page-size-respected' || isAboutSizes(found)) return found;
      await contentIs(context, method, ids, readings);
      return (await changesByItself(read, specs)) ?? found;
    },
  };
}

/** States that the method has the points: points that are not stored, or are stored twice, are not a violation of the list. */
async function contentIs(
  context: Context,
  { delivery, handle }: Method,
  ids: readonly string[],
  readings: readonly Reading[],
): Promise<void> {
  const { given, send } = context;
  // Whether ids with signs are kept has a check of its own.
  const clause = ids.every((id) => /^\w+$/.test(id))
    ? 'delivery.batch.replaces-all'
    : 'delivery.point.id-any-characters';
  const strangers = readings.flatMap((reading) => reading.ids).filter((id) => !ids.includes(id));
  given.holds(strangers.length === 0, clause, `the method lists ${strangers[0]}, which the run did not send`);
  // On a single page nothing is lost or repeated between pages.
  const onePage = readings.find(({ pages, end }) => pages.length === 1 && end === 'last-page');
  const again = onePage?.ids.find((id, at) => onePage.ids.indexOf(id) < at);
  given.holds(again === undefined, clause, `the method lists ${again} twice on its only page`);
  const never = ids.find((id) => readings.every((reading) => !reading.ids.includes(id)));
  if (never === undefined) return;
  const read = await send(delivery.readPoint(handle, never), 'read');
  given.holds(showsPoint(read, never), clause, `the point ${never} was sent, but is not listed and can't be read`);
  const point = resourceOf(read.json, 'pickup_point') as Json;
  await listsFew(
    context,
    POINT_FIELDS.filter((field) => isUnset(point[field])),
  );
}

/** States that a list too short for a second page is complete, of points without these fields: missing points have no link as a reason. */
async function listsFew(context: Context, omitted: readonly PointField[]): Promise<void> {
  const { delivery, handle } = await context.given.newMethod(context.delivery);
  const ids = shuffledIds(2);
  const without = Object.fromEntries(omitted.map((field) => [field, undefined]));
  await replacePoints(context, { delivery, handle }, pointsAt(context, ids, without));
  const { ids: listed } = await readCompleteList(context, pointsOf(delivery, handle));
  const shown = ids.every((id) => listed.includes(id));
  context.given.holds(
    shown,
    'delivery.point.list-contains',
    'the list does not contain both of the two points that were sent',
  );
}
