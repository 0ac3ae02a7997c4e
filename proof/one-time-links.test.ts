/** A login link is good once: when the connection is lost before the response arrives, visiting it again would find a used link. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInProcess } from '../harness/runner/in-process.ts';
import { parseProfile } from '../harness/target/profile/index.ts';
import { profileOf } from '../mock/profile.ts';
import { createService } from '../mock/service.ts';
import { SUITES } from '../suites/index.ts';

test('a service is not blamed for a login link whose response was lost', async () => {
  const service = createService({ origin: 'http://127.0.0.1:4010' });
  const profile = parseProfile(JSON.stringify(profileOf(service)), { file: 'mock', folder: '.', env: {} });
  let isLost = false;
  const visits: string[] = [];
  const transport = async (request: Request): Promise<Response> => {
    const response = await service.fetch(request);
    const { pathname, href } = new URL(request.url);
    if (pathname.startsWith('/api/')) return response;
    visits.push(href);
    if (isLost) return response;
    isLost = true;
    const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    throw Object.assign(new TypeError('fetch failed'), { cause });
  };
  const results = await runInProcess(
    SUITES,
    { profile, transport, instantPauses: true },
    ({ id }) => id === 'reseller.login.signs-in',
  );
  service.close();
  assert.ok(isLost, 'a link was visited');
  assert.notEqual(visits[1], visits[0], 'the link is not visited again');
  assert.deepEqual(
    results.map(({ verdict }) => verdict).filter((verdict) => verdict === 'fail'),
    [],
  );
});

for (const [at, which] of [
  [1, 'the first link'],
  [2, 'the next link'],
] as const)
  test(`a service is not blamed where a gateway answers the visit of ${which}, which was carried out`, async () => {
    const service = createService({ origin: 'http://127.0.0.1:4010' });
    const profile = parseProfile(JSON.stringify(profileOf(service)), { file: 'mock', folder: '.', env: {} });
    let signedIn = 0;
    const transport = async (request: Request): Promise<Response> => {
      const response = await service.fetch(request);
      if (response.status !== 303 || !new URL(request.url).pathname.startsWith('/login/')) return response;
      signedIn += 1;
      return signedIn === at ? new Response('<h1>Gateway timeout</h1>', { status: 504 }) : response;
    };
    const results = await runInProcess(
      SUITES,
      { profile, transport, instantPauses: true },
      ({ id }) => id === 'reseller.login.new-link-per-call',
    );
    service.close();
    assert.ok(signedIn > at, 'another link was visited');
    assert.deepEqual(
      results.map(({ verdict, reason }) => [verdict, reason]),
      [['pass', undefined]],
    );
  });
