/** A run that may not write judges the methods and points that the store has, while their owner may change them at any time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deviationsById } from '../mock/deviations.ts';
import type { Deviation } from '../mock/types/deviation.ts';
import type { Point } from '../mock/types/point.ts';
import { runOnService } from './readings/run-service.ts';

/** The verdicts of the checks on what is there, on a service that deviates in this way; the run may only read. */
async function verdictsOn(deviation?: Deviation): Promise<readonly string[]> {
  const { results, before, after } = await runOnService(new Map(), {
    edit: (profile) => {
      profile.allow = [];
    },
    wanted: (id) => id.startsWith('delivery.existing.'),
    ...(deviation === undefined ? {} : { fault: deviation }),
  });
  if (deviation === undefined) assert.deepEqual(after, before);
  return results.map(({ id, verdict }) => `${id.split('.').at(-1)} ${verdict}`);
}

const PASSED = ['lists-agree-with-reads pass', 'pages-of-points pass', 'reads-need-key pass', 'other-owners pass'];

test('a run without any permission judges what a store has, and changes nothing', async () => {
  assert.deepEqual(await verdictsOn(), PASSED);
});

for (const [fault, check] of [
  ['keys.not-required-for-method', 'reads-need-key'],
  ['keys.not-required-for-reversed-points', 'reads-need-key'],
  ['owners.any-method-read', 'other-owners'],
  ['owners.points-listed-in-reverse', 'other-owners'],
  ['lists.desc-ignored', 'pages-of-points'],
] as const) {
  test(`it finds ${fault}`, async () => {
    const [deviation] = deviationsById([fault]);
    assert.deepEqual(
      await verdictsOn(deviation),
      PASSED.map((line) => (line.startsWith(check) ? `${check} fail` : line)),
    );
  });
}

test('a store without points has nothing to judge', async () => {
  const empty: Deviation = {
    id: 'test.no-points',
    about: 'No method has points.',
    fixtures: (fixtures) => ({ ...fixtures, points: {} }),
  };
  assert.deepEqual(
    await verdictsOn(empty),
    PASSED.map((line) => line.replace('pass', 'not-applicable')),
  );
});

/** A service on which the provider changes the list of points after so many requests. */
function changing(after: number, change: (points: readonly Point[]) => readonly Point[]): Deviation {
  let requests = 0;
  return {
    id: 'test.changing',
    about: 'The list of points is replaced while it is read.',
    http: async (request, next, service) => {
      requests += 1;
      if (requests === after)
        service.change(() => {
          for (const handle of service.state.points.handles()) {
            const list = service.state.points.of(handle);
            list.rewrite(change(list.all()));
          }
        });
      return next(request);
    },
  };
}

test('no service is blamed while the points are replaced', async () => {
  // As many as the checks send.
  for (let after = 1; after <= 40; after += 1) {
    const renamed = changing(after, (points) => points.map((point) => ({ ...point, id: `new-${point.id}` })));
    const moved = changing(after, (points) => points.map((point) => ({ ...point, address: 'Elsewhere' })));
    const gone = changing(after, () => []);
    for (const deviation of [renamed, moved, gone]) {
      const verdicts = await verdictsOn(deviation);
      assert.ok(!verdicts.some((line) => / (?:fail|error)$/.test(line)), `after ${after} requests: ${verdicts}`);
    }
  }
});
