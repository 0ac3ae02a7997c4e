/** The contract does not say how long a Reseller token is valid. A service whose tokens expire after a few calls conforms. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInProcess } from '../harness/runner/in-process.ts';
import { parseProfile } from '../harness/target/profile/index.ts';
import { profileOf } from '../mock/profile.ts';
import { createService } from '../mock/service.ts';
import { SUITES } from '../suites/index.ts';

const ORIGIN = 'http://127.0.0.1:9';

/** The verdicts of all Reseller checks on a service whose tokens expire after this many calls. */
async function verdictsWith(callsPerToken: number): Promise<Map<string, string>> {
  const calls = new Map<string, number>();
  const service = createService({
    origin: ORIGIN,
    deviations: [
      {
        id: 'test.tokens-end',
        about: 'A token expires after some calls.',
        http: (request, next, service) => {
          const { state } = service;
          service.change(() => {
            for (const { token } of state.tokens.all()) {
              const used = (calls.get(token) ?? 0) + 1;
              calls.set(token, used);
              if (used > callsPerToken) state.tokens.delete(token);
            }
          });
          return next(request);
        },
      },
    ],
  });
  const profile = parseProfile(JSON.stringify(profileOf(service)), { file: 'mock', folder: '.', env: {} });
  const results = await runInProcess(
    SUITES,
    { profile, transport: (request) => service.fetch(request), instantPauses: true },
    ({ id, partList, additional }) => partList.includes('reseller') && additional !== true && id !== '',
  );
  service.close();
  return new Map(results.map(({ id, verdict, reason }) => [id, `${verdict} ${reason ?? ''}`.trim()]));
}

test('tokens that expire during a run are not a violation and leave nothing undecided', async () => {
  const lasting = await verdictsWith(Number.POSITIVE_INFINITY);
  const ending = await verdictsWith(3);
  const passed = [...lasting.values()].filter((verdict) => verdict === 'pass');
  assert.ok(passed.length > 40, `${passed.length} of ${lasting.size} checks pass where tokens last`);
  const changed = [...ending].filter(([id, verdict]) => {
    const [word] = verdict.split(' ', 1);
    return lasting.get(id)?.split(' ', 1)[0] !== word;
  });
  assert.deepEqual(changed, []);
  const repeated = [...ending].filter(([, verdict]) => verdict.includes(' decided '));
  assert.deepEqual(repeated, [], 'a session that is renewed in time leaves nothing to a second attempt');
});
