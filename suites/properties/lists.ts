/** Walks over a list of our own, in pages of any size and from both ends (spec: Endpoints, Common rules for A and B). */
import fc from 'fast-check';
import { type Check, check } from '../../harness/check/check.ts';
import { GivenFailure } from '../../harness/check/failures.ts';
import { forAll } from '../../harness/property/index.ts';
import { LIST_CLAUSES } from '../delivery/lists/judge.ts';
import type { Spec } from '../delivery/lists/reading.ts';
import { type ListUnderTest, pointList } from '../delivery/lists/under-test.ts';
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
            run.step(`${count} points in pages of ${one} and of ${other}${desc ? ', then backwards' : ''}`);
            const list = await pointList(run.context, count);
            const [broken] = await anomaliesOf(list, specs);
            run.context.expect.that(broken === undefined, broken?.message ?? '', {
              ...(broken === undefined ? {} : { ...broken, clauses: [broken.clause] }),
            });
          }),
      ),
  ),
];
