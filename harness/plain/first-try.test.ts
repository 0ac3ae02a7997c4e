import assert from 'node:assert/strict';
import { test } from 'node:test';
import { profileOf } from '../../mock/profile.ts';
import { createService } from '../../mock/service.ts';
import { SUITES } from '../../suites/index.ts';
import { runInProcess } from '../runner/in-process.ts';
import { parseProfile } from '../target/profile/index.ts';

const IDS = ['delivery.point.attributes-object-kept', 'delivery.point.update-applies', 'delivery.point.create-stores'];

/** What these checks come to where the service reports one add of a point, or one update, as done and drops it. */
async function judgedWithout(method: 'POST' | 'PUT', nth: number) {
  const service = createService({ origin: 'http://127.0.0.1:9' });
  const profile = parseProfile(JSON.stringify(profileOf(service)), { file: 'mock', folder: '.', env: {} });
  let seen = 0;
  const transport = async (request: Request): Promise<Response> => {
    if (request.method === method && /\/pickup_point\//.test(request.url)) seen += 1;
    else return service.fetch(request);
    if (seen !== nth) return service.fetch(request);
    seen += 1;
    return Response.json({ error: false });
  };
  const results = await runInProcess(SUITES, { profile, transport, instantPauses: true }, ({ id }) => IDS.includes(id));
  service.close();
  return results.map(({ id, verdict, clauses, reason }) => ({ id, verdict, clauses, reason }));
}

test('a write that is lost once counts, although a second try of the check passes', async () => {
  for (const [method, nth] of [
    ['POST', 2],
    ['PUT', 1],
  ] as const) {
    const results = await judgedWithout(method, nth);
    const failed = results.filter(({ verdict }) => verdict === 'fail');
    assert.equal(failed.length, 1, JSON.stringify(results));
    assert.match(failed[0]?.reason ?? '', / \(only in the first of two tries\)/);
  }
});

test('where nothing is lost, they pass', async () => {
  const results = await judgedWithout('POST', -1);
  assert.deepEqual(
    results.map(({ verdict }) => verdict),
    ['pass', 'pass', 'pass'],
  );
});

test('what a first try found counts where the second one is undecided', async () => {
  const ids = ['reseller.domain.changes-leave-others', 'reseller.domain.add-attaches'];
  const service = createService({ origin: 'http://127.0.0.1:9' });
  const profile = parseProfile(JSON.stringify(profileOf(service)), { file: 'mock', folder: '.', env: {} });
  // One add is reported as done and is not, and all later ones are refused.
  let isLost = false;
  const transport = async (request: Request): Promise<Response> => {
    const form = request.method === 'POST' ? new URLSearchParams(await request.clone().text()) : undefined;
    if (!request.url.endsWith('/domain/add/')) return service.fetch(request);
    if (isLost) return Response.json({ error: true, errorCode: 403, errorMsg: 'No more domains.' }, { status: 403 });
    isLost = form?.get('domain')?.startsWith('web-') === true;
    return isLost ? Response.json({ error: false }) : service.fetch(request);
  };
  const results = await runInProcess(SUITES, { profile, transport, instantPauses: true }, ({ id }) => ids.includes(id));
  service.close();
  const [, added] = results;
  assert.equal(added?.verdict, 'fail', JSON.stringify(added));
  assert.match(added?.reason ?? '', / \(only in the first of two tries\)/);
});
