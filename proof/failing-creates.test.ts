/**
 * Services that fail at each create of a delivery method: where their lists show that nothing was made, a run goes on, and where these
 * fail as well, it stops before it fills the store with methods that it can't find.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runOnService } from './readings/run-service.ts';

/** Each of 20 methods is tried in several ways, and so are those of the check that comes to them; a whole run sends some thousands. */
const MAX_CREATES = 400;

/** What a run of Delivery sends to, and says of, a service whose calls fail by themselves. */
async function runOnFailing(fails: (request: Request) => boolean) {
  let creates = 0;
  const { results } = await runOnService(new Map(), {
    wanted: (id) => id.startsWith('delivery.'),
    fault: {
      id: 'test.fails',
      about: 'Fails at some calls.',
      http: async (request, next) => {
        if (!fails(request)) return next(request);
        if (isCreate(request)) creates += 1;
        return new Response('', { status: 500 });
      },
    },
  });
  return { creates, stopped: results.filter(({ reason }) => /no more are sent/.test(reason ?? '')) };
}

const isCreate = ({ method, url }: Request): boolean =>
  method === 'POST' && new URL(url).pathname.endsWith('/store/delivery_method/');

test('where creates and lists fail, a run stops creating, and the target has to act', async () => {
  const { creates, stopped } = await runOnFailing(({ url }) => new URL(url).pathname.includes('/store/'));
  assert.ok(creates < MAX_CREATES, `${creates}`);
  assert.ok(stopped.length > 0);
  assert.ok(stopped.every(({ verdict, attribution }) => verdict === 'inconclusive' && attribution === 'target'));
});

test('where the list shows that nothing was made, a run goes on', async () => {
  const { creates, stopped } = await runOnFailing(isCreate);
  assert.ok(creates > MAX_CREATES, `${creates}`);
  assert.deepEqual(stopped, []);
});
