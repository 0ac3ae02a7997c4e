/**
 * Services that keep what they are given for a while only. Most checks read back at once; one looks again, when the others have ended, at
 * a method that an early one has filled.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deviation } from '../mock/types/deviation.ts';
import type { Method } from '../mock/types/method.ts';
import type { MockService } from '../mock/types/service.ts';
import { runOnService } from './readings/run-service.ts';

const ID = 'delivery.lists.lasting';
/** The check that fills the method comes first of these. */
const OTHERS = /^delivery\.(?:lists|point)\./;

/** Forgets something of each method once so many calls of Delivery have followed the first one that shows it. */
function forgetting(calls: number, forget: (service: MockService, method: Method) => void): Deviation {
  const seen = new Map<string, number>();
  let count = 0;
  return {
    id: 'test.forgets',
    about: 'Forgets something of each new method after many calls.',
    http: (request, next, service) => {
      const methods = service.state.methods.all();
      if (count === 0) for (const { handle } of methods) seen.set(handle, Number.POSITIVE_INFINITY);
      count += 1;
      for (const method of methods) {
        const since = seen.get(method.handle);
        if (since === undefined) seen.set(method.handle, count);
        else if (count - since === calls) service.change(() => forget(service, method));
      }
      return next(request);
    },
  };
}

async function resultOn(fault: Deviation) {
  const { results } = await runOnService(new Map(), { fault, wanted: (id) => OTHERS.test(id) });
  return results.find(({ id }) => id === ID)!;
}

const CASES: readonly (readonly [what: string, clause: string, forget: Parameters<typeof forgetting>[1]])[] = [
  [
    'the reference of a method',
    'delivery.method.reference-kept',
    ({ state }, { handle }) => state.methods.patch(handle, { reference: null }),
  ],
  [
    'the points of a method',
    'delivery.point.list-contains',
    ({ state }, { handle }) => state.points.of(handle).clear(),
  ],
  [
    'the attributes of a point',
    'delivery.point.attributes-object-kept',
    ({ state }, { handle }) => {
      const points = state.points.of(handle);
      for (const point of points.all()) points.replace({ ...point, attributes: '' });
    },
  ],
];

for (const [what, clause, forget] of CASES) {
  test(`${what} that is forgotten after many calls is found`, async () => {
    const { verdict, clauses } = await resultOn(forgetting(100, forget));
    assert.equal(verdict, 'fail');
    assert.ok(clauses.includes(clause), clauses.join());
  });
}

test('a service that forgets nothing keeps the method and its points', async () => {
  assert.equal((await resultOn(forgetting(100, () => undefined))).verdict, 'pass');
});

test('the check looks at a method of its own where no other check has left one', async () => {
  const { results } = await runOnService(new Map(), {
    fault: forgetting(5, ({ state }, { handle }) => state.points.of(handle).clear()),
    wanted: (id) => id === ID,
  });
  assert.equal(results.find(({ id }) => id === ID)?.verdict, 'fail');
});
