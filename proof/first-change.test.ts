/**
 * A service that loses something with the first change of settings, and has nothing to lose with a later one: whichever check comes
 * first has to see it.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInProcess } from '../harness/runner/in-process.ts';
import { parseProfile } from '../harness/target/profile/index.ts';
import { profileOf } from '../mock/profile.ts';
import { createService } from '../mock/service.ts';
import { SUITES } from '../suites/index.ts';

const RESET: Readonly<Record<string, unknown>> = { creditLimit: 0, tlds: 'com' };
const WANTED = /^reseller\.(account\.nothing-else-changes-sessions|settings\.set-keeps-others)$/;

/** The failed checks of a service that writes the settings without the ones that its own form does not have. */
async function failuresWhere(reset: readonly string[]): Promise<readonly string[]> {
  const service = createService({
    origin: 'http://127.0.0.1:9',
    deviations: [
      {
        id: 'test.reset',
        about: 'A change of settings also writes some that were not sent.',
        http: async (request, next, service) => {
          const response = await next(request);
          if (!new URL(request.url).pathname.endsWith('/settings/set/') || response.status !== 200) return response;
          service.change(() => {
            const lost = Object.fromEntries(reset.map((name) => [name, RESET[name]]));
            const { resellers } = service.state;
            for (const { id } of resellers.all()) resellers.patch(String(id), lost);
          });
          return response;
        },
      },
    ],
  });
  const profile = parseProfile(JSON.stringify(profileOf(service)), { file: 'mock', folder: '.', env: {} });
  const results = await runInProcess(
    SUITES,
    { profile, transport: (request) => service.fetch(request), instantPauses: true },
    ({ id }) => WANTED.test(id),
  );
  service.close();
  return results.flatMap(({ verdict, clauses }) => (verdict === 'fail' ? clauses : []));
}

test('a setting that is lost with the first change fails', async () => {
  assert.deepEqual(await failuresWhere([]), []);
  for (const name of Object.keys(RESET))
    assert.deepEqual(await failuresWhere([name]), ['reseller.settings.set-keeps-others'], name);
});
