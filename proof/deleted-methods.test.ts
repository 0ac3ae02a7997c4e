/**
 * Services that report a delete of some methods and keep them. No check deletes a method of each kind to see whether it is gone, but the
 * clean-up of all checks does delete them, and one check looks at the lists afterwards.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deviation } from '../mock/types/deviation.ts';
import type { Method } from '../mock/types/method.ts';
import { runOnService } from './readings/run-service.ts';

const ID = 'delivery.lists.deleted-methods';
const METHOD = /\/delivery_method\/([^/]+)\/$/;

/** Answers the deletes of some methods. */
const deleting = (isMeant: (method: Method) => boolean, answer: () => Promise<Response>): Deviation => ({
  id: 'test.deletes',
  about: 'Answers the deletes of some methods without deleting them.',
  http: async (request, next, service) => {
    const method = service.state.methods.get(METHOD.exec(new URL(request.url).pathname)?.[1] ?? '');
    return request.method === 'DELETE' && method !== undefined && isMeant(method) ? answer() : next(request);
  },
});

/** The result of the check after those of some suites, which make methods of their own. */
async function resultAfter(before: RegExp, fault: Deviation) {
  const { results } = await runOnService(new Map(), { fault, wanted: (id) => before.test(id) || id === ID });
  return {
    result: results.find(({ id }) => id === ID)!,
    failed: results.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id),
  };
}

const ignored = async (): Promise<Response> => Response.json({ error: false });
const isWidespread = ({ available_countries_to: to }: Method): boolean => (to?.length ?? 0) > 50;

test('a method that stays is found, whatever made it: many countries', async () => {
  const { result, failed } = await resultAfter(/^delivery\.method\.create-/, deleting(isWidespread, ignored));
  assert.deepEqual(failed, [ID]);
  assert.deepEqual(result.clauses, ['delivery.method.delete-removes']);
  assert.match(result.reason ?? '', /is still listed/);
});

test('a method that stays is found for a second store and for a provider', async () => {
  for (const owner of ['website:55002', 'provider:7001']) {
    const { failed } = await resultAfter(
      /^delivery\.credentials\..*-keeps-points$/,
      deleting((method) => method.owner === owner, ignored),
    );
    assert.deepEqual(failed, [ID], owner);
  }
});

test('a service that refuses to delete some methods is not blamed', async () => {
  const refused = async (): Promise<Response> =>
    Response.json({ error: true, error_code: 409, error_message: 'In use' }, { status: 409 });
  const { failed } = await resultAfter(/^delivery\.method\.create-/, deleting(isWidespread, refused));
  assert.deepEqual(failed, []);
});
