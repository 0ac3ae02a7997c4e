// What no assertion of a check looks at is evidence all the same: a later call that does not show what an earlier one wrote.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CheckResult } from '../../../contracts/run/events.ts';
import { profileOf } from '../../../mock/profile.ts';
import { createService } from '../../../mock/service.ts';
import { runInProcess } from '../../runner/in-process.ts';
import { parseProfile } from '../../target/profile/index.ts';
import { check } from '../check.ts';
import type { Context } from '../context.ts';

const OPTIONS = { clauses: [], needs: [], effects: 'write', part: 'delivery' } as const;
const POINT = { id: 'a', title: 'A', address: 'Quay 1', city: 'Riga', zip: 'LV-1001', country: 'LV' };

/** Runs the body of a check on a service whose lists of points are empty; returns its verdict and the clauses that it is about then. */
async function run(body: (context: Context) => Promise<void>) {
  const service = createService({ origin: 'http://127.0.0.1:9' });
  const profile = parseProfile(JSON.stringify(profileOf(service)), { file: 'mock', folder: '.', env: {} });
  const transport = async (request: Request): Promise<Response> => {
    const isList = request.method === 'GET' && /pickup_points/.test(request.url);
    const response = await service.fetch(request);
    return isList ? Response.json({ pickup_points: [], next_page_uri: null }) : response;
  };
  const checks = [check('a.one', 'MUST be', OPTIONS, body)];
  const results: CheckResult[] = await runInProcess([{ name: 'a', serialGroup: 'delivery', checks }], {
    ...{ profile, transport, isolated: true },
  });
  service.close();
  return results.map(({ verdict, clauses }) => [verdict, ...clauses]);
}

const addAndList = async ({ given, delivery, send }: Context): Promise<void> => {
  const { handle } = await given.newMethod(delivery);
  await send(delivery.addPoint(handle, POINT));
  await send(delivery.listPoints(handle));
};

describe('calls of a check', () => {
  test('break a clause that the check is not about', async () => {
    const results = await run(async (context) => {
      await addAndList(context);
      context.expect.that(true, 'must be');
    });
    assert.deepEqual(results, [['fail', 'delivery.point.create-stores']]);
  });

  test('say nothing more where the check has failed', async () => {
    const results = await run(async (context) => {
      await addAndList(context);
      context.expect.that(false, 'must be');
    });
    assert.deepEqual(results, [['fail']]);
  });

  test('count in each run of a property', async () => {
    const results = await run(async (context) => {
      const fork = context.fork(() => undefined);
      await addAndList(fork);
      await fork.cleanUp();
      context.adopt(fork);
      context.expect.that(true, 'must be');
    });
    assert.deepEqual(results, [['fail', 'delivery.point.create-stores']]);
  });

  const meanwhile: ReadonlyArray<readonly [string, (context: Context) => Promise<unknown>]> = [
    [
      'the driver was at work',
      async (context) => {
        context.resources.driver.openOrder = () => Promise.resolve('') as never;
        await context.driver.openOrder(undefined as never, undefined as never);
      },
    ],
    [
      'a page was opened',
      (context) => {
        const opened = { newPage: () => Promise.resolve({}), close: () => Promise.resolve() };
        Object.assign(context.resources, { browserContext: () => Promise.resolve(opened) });
        return context.page();
      },
    ],
  ];
  for (const [what, act] of meanwhile)
    test(`decide nothing where ${what} between them`, async () => {
      const results = await run(async (context) => {
        const { handle } = await context.given.newMethod(context.delivery);
        await context.send(context.delivery.addPoint(handle, POINT));
        await act(context);
        await context.send(context.delivery.listPoints(handle));
        context.expect.that(true, 'must be');
      });
      assert.deepEqual(results, [['pass']]);
    });
});
