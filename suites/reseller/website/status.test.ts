/** Switches of the website on services that allow few of them: how often a website may be switched is not stated. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInProcess } from '../../../harness/runner/in-process.ts';
import { parseProfile } from '../../../harness/target/profile/index.ts';
import { profileOf } from '../../../mock/profile.ts';
import { createService } from '../../../mock/service.ts';
import { SUITES } from '../../index.ts';

const ID = 'reseller.website.switched-each-time';

/** The verdict of the check where the service disables the website this many times, and refuses later calls. */
async function verdictWith(allowed: number): Promise<string | undefined> {
  const service = createService({ origin: 'http://127.0.0.1:9' });
  const profile = parseProfile(JSON.stringify(profileOf(service)), { file: 'mock', folder: '.', env: {} });
  let served = 0;
  const transport = async (request: Request): Promise<Response> => {
    if (!new URL(request.url).pathname.endsWith('/disable/')) return service.fetch(request);
    if (served >= allowed)
      return Response.json({ error: true, errorCode: 422, errorMsg: 'Too many switches.' }, { status: 422 });
    served += 1;
    return service.fetch(request);
  };
  const [result] = await runInProcess(SUITES, { profile, transport, instantPauses: true }, ({ id }) => id === ID);
  service.close();
  return result?.verdict;
}

test('a service that disables a website once only is not judged by later calls', async () => {
  assert.equal(await verdictWith(1), 'not-applicable');
});

test('a service that disables it as often as it is asked to passes', async () => {
  assert.equal(await verdictWith(Number.POSITIVE_INFINITY), 'pass');
});
