/**
 * A service that keeps another password than it was sent may lock the account for all later checks. The first check that changes the
 * password has to find it: what is undecided after that would leave the run without a failure.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInProcess } from '../harness/runner/in-process.ts';
import { parseProfile } from '../harness/target/profile/index.ts';
import { profileOf } from '../mock/profile.ts';
import { createService } from '../mock/service.ts';
import type { Deviation } from '../mock/types/deviation.ts';
import { SUITES } from '../suites/index.ts';

/** The failed checks, with their clauses, of all that change the password of a service which keeps this of each password. */
const failuresWhere = (kept: (password: string) => string, wanted?: (id: string) => boolean) =>
  failuresOn(
    {
      id: 'test.password',
      about: 'A new password is kept in another form.',
      rules: () => ({ passwordAfter: (_, password) => kept(password) }),
    },
    wanted,
  );

/** The failed checks, with their clauses, of all that change the password of a service that deviates in this way. */
async function failuresOn(deviation: Deviation, wanted?: (id: string) => boolean): Promise<readonly string[]> {
  const results = await resultsOn(deviation, wanted);
  return results.flatMap(({ id, verdict, clauses }) => (verdict === 'fail' ? [`${id}: ${clauses}`] : []));
}

/** The results of all checks that change the password of a service that deviates in this way. */
async function resultsOn(deviation: Deviation, wanted: (id: string) => boolean = () => true) {
  const service = createService({ origin: 'http://127.0.0.1:9', deviations: [deviation] });
  const profile = parseProfile(JSON.stringify(profileOf(service)), { file: 'mock', folder: '.', env: {} });
  const results = await runInProcess(
    SUITES,
    { profile, transport: (request) => service.fetch(request), instantPauses: true },
    ({ id, effectList }) => effectList.includes('password') && wanted(id),
  );
  service.close();
  return results;
}

const FOUND = 'reseller.account.nothing-else-changes-password: reseller.password.new-works';

test('a service that keeps each password as it was sent fails no check', async () => {
  assert.deepEqual(await failuresWhere((password) => password), []);
});

test('a new password that is kept in another form fails, though none of the two signs in any more', async () => {
  const failures = await failuresWhere((password) => password.toLowerCase());
  assert.ok(failures.includes(FOUND), String(failures));
});

test('an old password that can be put back only in part fails', async () => {
  const failures = await failuresWhere((password) => password.slice(0, 20));
  assert.ok(failures.includes(FOUND), String(failures));
});

// A profile without a website leaves out the check that is first otherwise.
test('checks that share a change of the password find it as well, and not only that no login works', async () => {
  for (const kept of [(password: string) => password.toLowerCase(), (password: string) => password.slice(0, 10)]) {
    const failures = await failuresWhere(kept, (id) => id.startsWith('reseller.password.'));
    assert.ok(failures.includes('reseller.password.second-change: reseller.password.new-works'), String(failures));
  }
});

test('a limit of logins that is reached while the password is changed fails no check', async () => {
  for (let most = 2; most < 14; most += 1) {
    let logins = 0;
    const deviation: Deviation = {
      id: 'test.logins',
      about: 'No more than some logins are served.',
      http: async (request, next) => {
        if (!new URL(request.url).pathname.endsWith('/api/authorize/')) return next(request);
        logins += 1;
        const refusal = { error: true, errorCode: 4031, errorMsg: 'No more logins today.' };
        return logins > most ? Response.json(refusal, { status: 403 }) : next(request);
      },
    };
    const failures = await failuresOn(deviation, (id) => id.startsWith('reseller.password.'));
    assert.deepEqual(failures, [], `after ${most} logins`);
  }
});

// Where calls go by GET only, each login fails by POST first, so that the lock comes between a change and the login that shows it.
test('a lock after failed logins, which ends after two more, leaves no new password undecided', async () => {
  for (let most = 3; most < 8; most += 1) {
    let failed = 0;
    let locked = 0;
    const deviation: Deviation = {
      id: 'test.lock',
      about: 'Logins go by GET only, and after some failed ones the next two are refused.',
      http: async (request, next) => {
        if (!new URL(request.url).pathname.endsWith('/api/authorize/')) return next(request);
        if (locked > 0) {
          locked -= 1;
          return Response.json({ error: true, errorCode: 4031, errorMsg: 'Locked.' }, { status: 403 });
        }
        const byPost = { error: true, errorCode: 405, errorMsg: 'Use GET.' };
        const response = request.method === 'POST' ? Response.json(byPost, { status: 405 }) : await next(request);
        if (response.status !== 200) failed += 1;
        if (failed === most) [failed, locked] = [0, 2];
        return response;
      },
    };
    const results = await resultsOn(deviation, (id) => id.startsWith('reseller.password.'));
    const undecided = results.flatMap(({ id, verdict }) => (verdict === 'pass' ? [] : [id]));
    assert.deepEqual(undecided, [], `after ${most} failed logins`);
  }
});
