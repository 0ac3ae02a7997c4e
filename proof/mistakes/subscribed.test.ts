/** A website with a subscription as "reseller.website": a subscription is never put at risk, since no run can buy it back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInProcess } from '../../harness/runner/in-process.ts';
import { parseProfile } from '../../harness/target/profile/index.ts';
import { profileOf } from '../../mock/profile.ts';
import { createService } from '../../mock/service.ts';
import { SUITES } from '../../suites/index.ts';

/** A website of the reseller of the mock's profile that has a subscription. */
const SUBSCRIBED = 55004;

test('a website with a subscription is neither disabled nor given another one', async () => {
  const service = createService({ origin: 'http://127.0.0.1:4010' });
  const draft = JSON.parse(JSON.stringify(profileOf(service)));
  draft.reseller.website = SUBSCRIBED;
  draft.allow = ['site-status', 'billing'];
  const profile = parseProfile(JSON.stringify(draft), { file: 'p.json', folder: '/', env: {} });
  const switched: string[] = [];
  const transport = async (request: Request): Promise<Response> => {
    const response = await service.fetch(request);
    const { pathname } = new URL(request.url);
    if (response.status === 200 && /\/(?:en|dis)able(?:_premium)?\//.test(pathname)) switched.push(pathname);
    return response;
  };
  const isSwitching = ({ effectList }: { readonly effectList: readonly string[] }): boolean =>
    effectList.some((effect) => effect === 'site-status' || effect === 'billing');
  const results = await runInProcess(SUITES, { profile, transport, instantPauses: true }, isSwitching);
  service.close();
  assert.deepEqual(switched, []);
  const undecided = results.filter(({ reason = '' }) => /has a subscription, which a run must not change/.test(reason));
  assert.ok(undecided.length >= 10, `${undecided.length} of ${results.length} checks name the cause`);
  assert.ok(
    undecided.every(({ verdict, attribution }) => `${verdict} ${attribution}` === 'inconclusive configuration'),
  );
  assert.deepEqual(
    results.filter(({ verdict }) => verdict === 'fail' || verdict === 'error').map(({ id }) => id),
    [],
  );
});
