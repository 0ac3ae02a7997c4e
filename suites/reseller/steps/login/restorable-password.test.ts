// An account whose password is shorter than the service takes by now: it could not be put back, so it is not changed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInProcess } from '../../../../harness/runner/in-process.ts';
import { parseProfile } from '../../../../harness/target/profile/index.ts';
import { profileOf } from '../../../../mock/profile.ts';
import { createService } from '../../../../mock/service.ts';
import { SUITES } from '../../../index.ts';

const SHORT = 'ab1';

/** The password checks on a service that takes passwords of so many characters; returns their verdicts and the password at the end. */
async function judged(fewest: number): Promise<{ verdicts: Set<string>; reasons: string; left: string | undefined }> {
  const service = createService({
    origin: 'http://127.0.0.1:9',
    deviations: [
      {
        id: 'short-password',
        about: 'The account has a short password.',
        fixtures: (correct) => ({
          ...correct,
          resellers: correct.resellers.map((row) => ({ ...row, password: SHORT })),
        }),
        rules: () => ({ acceptsPassword: (password) => password.length >= fewest }),
      },
    ],
  });
  const profile = parseProfile(JSON.stringify(profileOf(service)), { file: 'mock', folder: '.', env: {} });
  const options = { profile, transport: (request: Request) => service.fetch(request), instantPauses: true };
  const results = await runInProcess(SUITES, options, ({ id }) => /password/.test(id) && !/authorize/.test(id));
  const [account] = service.state.resellers.all();
  service.close();
  return {
    verdicts: new Set(results.map(({ verdict }) => verdict)),
    reasons: results.map(({ reason }) => reason ?? '').join('\n'),
    left: account?.password,
  };
}

test('a password that could not be put back is not changed, and the reason says what to do', async () => {
  const { verdicts, reasons, left } = await judged(8);
  assert.deepEqual([...verdicts], ['inconclusive']);
  assert.match(reasons, /refuses the present password as a new one.*at least 8 characters.*"reseller\.password"/);
  assert.equal(left, SHORT);
});

test('a short password that the service takes is changed and put back', async () => {
  const { verdicts, left } = await judged(3);
  assert.deepEqual([...verdicts], ['pass']);
  assert.equal(left, SHORT);
});
