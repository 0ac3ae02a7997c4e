/** The same list of pickup points, cut into portions in different ways, comes to the same (spec: Batch replace rules). */
import fc from 'fast-check';
import { MAX_PORTION_ITEMS, portionsOf } from '../../contracts/lists/portions.ts';
import { type Check, check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import { forAll, givenProperties } from '../../harness/property/index.ts';
import type { ServiceRequest } from '../../harness/target/client/request.ts';
import type { Json } from '../../harness/target/interfaces/delivery.ts';
import { idsFrom, type Place, portion, wholeList } from '../delivery/batch/calls.ts';
import { byId, expectAcceptedInParts, expectListed, listedPoints } from '../delivery/batch/points/content.ts';
import { uploadAndReadBetween } from '../delivery/batch/portions.ts';
import type { FullReading } from '../delivery/lists/reading/index.ts';
import { changedFields, POINT_FIELDS } from '../delivery/steps/fields.ts';
import { OWN_METHODS } from '../delivery/steps/options.ts';
import type { Method } from '../delivery/steps/reading.ts';
import { pointAt } from '../delivery/steps/values.ts';
import { underClause } from './steps/failure-attribution.ts';
import { asOwner, ownerArbitrary } from './steps/owners.ts';

const WHOLE = 'delivery.batch.replaces-all';
const FULL_PORTION = 'delivery.batch.accepts-100-points';
const PORTIONS = 'delivery.batch.finalization-publishes';
const FIELDS = 'delivery.batch.fields-kept';

/** A method, two uploads of a few portions, and a walk after each. */
const REQUESTS_PER_RUN = 20;
const MAX_CUTS = 3;

/** Short lists, and some around the limit of a call and twice of it; by their place, so that they shrink one to another. */
const SIZES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, ...[-1, 0, 1, 100, 101].map((more) => MAX_PORTION_ITEMS + more)];
const size = fc.nat({ max: SIZES.length - 1 }).map((at) => SIZES[at]!);
/** Where to cut, in thousandths of the list. */
const cuts = fc.array(fc.integer({ min: 1, max: 999 }), { maxLength: MAX_CUTS });

/** The list in portions: cut at these places, and wherever a portion would be longer than a call may be. */
function cutAt<T>(items: readonly T[], places: readonly number[]): T[][] {
  const ends = [...new Set(places.map((place) => Math.ceil((place * items.length) / 1000)))].sort((a, b) => a - b);
  const pieces = [0, ...ends.filter((end) => end < items.length)].map((start, at, starts) =>
    items.slice(start, starts[at + 1]),
  );
  return pieces.flatMap((piece) => portionsOf(piece).map((one) => [...one.items]));
}

/** Uploads the portions and asserts that the method then lists exactly their points. */
async function uploaded(context: Context, method: Method, portions: readonly Json[][]): Promise<FullReading> {
  const ids = portions.flat().map((point) => String(point.id));
  const [first, ...more] = portions;
  return underClause(
    more.length > 0 ? PORTIONS : first?.length === MAX_PORTION_ITEMS ? FULL_PORTION : WHOLE,
    async () => {
      for (const [at, points] of portions.entries()) {
        const place: Place = at === 0 ? 'first' : at === portions.length - 1 ? 'last' : 'middle';
        const call = portions.length === 1 ? wholeList(method, points) : portion(method, points, place);
        // A service may have no room for so many points: whether it takes portions at all, a few show.
        const related = portions.length > 1 ? fewInPortions(context, method) : [];
        await expectAcceptedInParts(context, call, related, `must accept a portion of ${points.length} points`);
      }
      return expectListed(context, method, { exactly: ids }, 'an upload must leave exactly its points in the list');
    },
  );
}

/** An upload of three points, each in a portion of its own. */
const fewInPortions = (context: Context, method: Method): readonly ServiceRequest[] =>
  (['first', 'middle', 'last'] as const).map((place) => portion(method, [pointAt(context, `${place} of few`)], place));

const sizes = (portions: readonly (readonly unknown[])[]): string => portions.map(({ length }) => length).join('+');

export const checks: readonly Check[] = [
  check(
    'properties.batch.portions',
    'MUST publish the same list however it is split into portions',
    { ...OWN_METHODS, clauses: [WHOLE, FULL_PORTION, PORTIONS, FIELDS], additional: true },
    async (context) => {
      await keepsLongestList(context);
      await forAll(
        context,
        { requestsPerRun: REQUESTS_PER_RUN },
        [size, cuts, cuts, await ownerArbitrary(context)],
        (run, count, one, other, owner) =>
          asOwner(run, owner, async () => {
            const { delivery, expect, given } = run.context;
            const method = await given.newMethod(delivery);
            const length = (await isReadable(run.context, method, count)) ? count : FEW_POINTS;
            const points = idsFrom('p', length).map((id) => pointAt(run.context, id));
            const [first, second] = [cutAt(points, one), cutAt(points, other)];
            run.step(`${length} points in portions of ${sizes(first)}, then of ${sizes(second)}`);
            const before = byId(await uploaded(run.context, method, first));
            const after = byId(await uploaded(run.context, method, second));
            for (const [id, point] of before) {
              const changed = changedFields(run.context, POINT_FIELDS, point, after.get(id) ?? {});
              expect.equal(changed, [], `the point ${id} must be the same after both uploads`, { clauses: [FIELDS] });
            }
          }),
      );
    },
  ),
];

/** More than 2,500 points, in more than 25 portions: as many as a large carrier has. */
const LONGEST_LIST_ITEMS = 2_510;

/** Uploads and reads a list that no other check can afford. Not where requests are limited, nor where one case is repeated. */
async function keepsLongestList(context: Context): Promise<void> {
  givenProperties(context);
  const { delivery, given, profile, resources } = context;
  if (profile.limits.requestsPerSecond !== undefined || resources.run.replay !== undefined) return;
  const method = await given.newMethod(delivery);
  const full = idsFrom('full', MAX_PORTION_ITEMS).map((id) => pointAt(context, id));
  await given.accepted(context.send(wholeList(method, full), 'given'), FULL_PORTION);
  const { pages } = await listedPoints(context, method);
  const pageItems = Math.max(...pages.map(({ ids }) => ids.length));
  await underClause(PORTIONS, () => uploadAndReadBetween(context, method, { count: LONGEST_LIST_ITEMS, pageItems }));
  // An owner may have only few methods, and the cases need theirs.
  given.doneWith(method);
}

/** Points that any service lists in a few pages, unless its pages are tiny. */
const SAMPLE_POINTS = 50;
const FEW_PAGES = 4;
/** The list that takes the place of one that is too long to be read. */
const FEW_POINTS = 12;

/** Whether a list of this length can be read in few pages: a service with tiny ones is judged by short lists. */
async function isReadable(context: Context, method: Method, count: number): Promise<boolean> {
  if (count <= SAMPLE_POINTS) return true;
  const sample = idsFrom('s', SAMPLE_POINTS).map((id) => pointAt(context, id));
  await context.given.accepted(context.send(wholeList(method, sample), 'given'), WHOLE);
  return (await listedPoints(context, method)).pages.length <= FEW_PAGES;
}
