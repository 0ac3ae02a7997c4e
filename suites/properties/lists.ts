/** Walks over a list of our own, in pages of any size and from both ends (spec: Endpoints, Common rules for A and B). */
import fc from 'fast-check';
import { type Check, check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import { GivenFailure, Inconclusive } from '../../harness/check/failures.ts';
import type { MethodOwner } from '../../harness/cleanup/ledger.ts';
import { forAll } from '../../harness/property/index.ts';
import { methodList } from '../delivery/lists/method-list.ts';
import { type ListUnderTest, pointList } from '../delivery/lists/point-list.ts';
import { methodsOf, readList, type Spec } from '../delivery/lists/reading/index.ts';
import { LIST_CLAUSES } from '../delivery/lists/reading/judge.ts';
import { OWN_METHODS } from '../delivery/steps/options.ts';
import { asOwner, ownerArbitrary } from './steps/owners.ts';

/** A method, its points, and three walks of a few pages. */
const REQUESTS_PER_RUN = 25;
/** Three pages of the largest size, and walks that are still short in pages of one. */
const MAX_POINTS = 12;
const MAX_PAGE = 6;

/** The anomalies of walks in these sizes; where the target refuses all of them, of walks in its own and in pages of one. */
async function anomaliesOf(list: ListUnderTest, specs: readonly Spec[]): ReturnType<ListUnderTest['anomalies']> {
  const asked = 'delivery.lists.every-item-once';
  try {
    return await list.anomalies(specs, asked);
  } catch (thrown) {
    if (!(thrown instanceof GivenFailure) || thrown.shows !== 'refusal') throw thrown;
    return list.anomalies(
      [{}, ...specs.filter(({ desc }) => desc).map(() => ({ desc: true })), { pageSize: 1 }],
      asked,
    );
  }
}

/** Methods that are made for a walk over the methods of another owner: pages of one and two, and something to reverse. */
const FEW_METHODS = 3;

/**
 * The list that a case is about. Walks over the methods of the first store have checks of their own; those of other owners are walked
 * where they are few.
 */
async function listFor(context: Context, owner: MethodOwner | undefined, count: number): Promise<ListUnderTest> {
  const isOther = owner !== undefined && owner !== 'private';
  return isOther && count % 2 === 0 && (await hasFewMethods(context))
    ? methodList(context, Math.min(count, FEW_METHODS))
    : pointList(context, count);
}

async function hasFewMethods(context: Context): Promise<boolean> {
  const { ids, end } = await readList(context, methodsOf(context.delivery), { stopAfter: 1 });
  return end !== 'stopped' && ids.length <= MAX_POINTS;
}

/** What is broken first. Others may write to the methods of an owner all the time, which decides nothing. */
async function brokenIn(list: ListUnderTest, specs: readonly Spec[]) {
  try {
    return (await anomaliesOf(list, specs))[0];
  } catch (thrown) {
    if (thrown instanceof Inconclusive && list.source.name === 'delivery_methods') return undefined;
    throw thrown;
  }
}

const pageSize = fc.integer({ min: 1, max: MAX_PAGE });

export const checks: readonly Check[] = [
  check(
    'properties.lists.walks',
    'MUST return the same list in the same order for every page size, reversed with desc=1',
    { ...OWN_METHODS, clauses: LIST_CLAUSES, additional: true },
    async (context) =>
      forAll(
        context,
        { requestsPerRun: REQUESTS_PER_RUN },
        [fc.integer({ min: 1, max: MAX_POINTS }), pageSize, pageSize, fc.boolean(), await ownerArbitrary(context)],
        (run, count, one, other, desc, owner) =>
          asOwner(run, owner, async () => {
            const specs: Spec[] = [
              { pageSize: one },
              { pageSize: other },
              ...(desc ? [{ pageSize: other, desc }] : []),
            ];
            const list = await listFor(run.context, owner, count);
            const items = list.source.name === 'pickup_points' ? `${count} points` : 'the methods';
            run.step(`${items} in pages of ${one} and of ${other}${desc ? ', then backwards' : ''}`);
            const broken = await brokenIn(list, specs);
            run.context.expect.that(broken === undefined, broken?.message ?? '', {
              ...(broken === undefined ? {} : { ...broken, clauses: [broken.clause] }),
            });
          }),
      ),
  ),
];
