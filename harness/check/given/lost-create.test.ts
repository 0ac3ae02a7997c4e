import assert from 'node:assert/strict';
import { test } from 'node:test';
import { profileOf } from '../../../mock/profile.ts';
import { createService } from '../../../mock/service.ts';
import { runInProcess } from '../../runner/in-process.ts';
import { parseProfile } from '../../target/profile/index.ts';
import { check } from '../check.ts';

test('a method with the mark of its caller in its title alone is removed, though the response to its creation was lost', async () => {
  const service = createService({ origin: 'http://127.0.0.1:9' });
  const seeded = service.state.methods.all();
  let creates = 0;
  const transport = async (request: Request): Promise<Response> => {
    const response = await service.fetch(request);
    if (request.method !== 'POST' || !request.url.endsWith('/delivery_method/')) return response;
    creates += 1;
    return creates === 1 ? new Response('Too late', { status: 504 }) : response;
  };
  const one = check(
    'delivery.method.of-test',
    'MUST be removed',
    { clauses: [], needs: ['delivery.private.apiKey'], effects: 'write', part: 'delivery' },
    async (context) => {
      const title = `Courier to the door ${context.resources.newMark()}`;
      await context.given.newMethod(context.delivery, { title, reference: undefined });
      context.expect.that(true, 'it must be removed');
    },
  );
  const profile = parseProfile(JSON.stringify(profileOf(service)), { file: 'mock', folder: '.', env: {} });
  const suites = [{ name: 'delivery/method', serialGroup: '', checks: [one] }];
  const [result] = await runInProcess(suites, { profile, transport, instantPauses: true });
  assert.notEqual(result?.verdict, 'fail', result?.reason);
  assert.ok(creates > 0);
  assert.deepEqual(
    service.state.methods.all().map(({ handle }) => handle),
    seeded.map(({ handle }) => handle),
  );
  service.close();
});
