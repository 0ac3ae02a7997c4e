import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckResult } from '../../contracts/run/events.ts';
import { check } from '../check/check.ts';
import { runInProcess } from '../runner/in-process.ts';
import { parseProfile } from '../target/profile/index.ts';

const PROFILE = {
  name: 'stub',
  v1: 'http://127.0.0.1:9/v1/',
  apps: { apiKey: 'key-of-the-app', authCode: 'code-of-the-installation' },
  allow: ['write'],
};

/** A check that sets data twice. */
const TWICE = check(
  'apps.data.of-test',
  'MUST replace data',
  { clauses: ['a.b'], needs: [], effects: 'write', part: 'apps' },
  async ({ apps, expect, given, resources, send }) => {
    await given.accepted(send(apps.setData(`text ${resources.newMark()}`)), 'a.b');
    await given.accepted(send(apps.setData(`text ${resources.newMark()}`)), 'a.b');
    expect.equal(1, 1, 'the second was served');
  },
);

/** Runs it against a stub that serves the calls of these numbers. */
async function run(isServed: (nth: number) => boolean, instantPauses = true) {
  let calls = 0;
  const transport = async (): Promise<Response> => {
    calls += 1;
    if (isServed(calls)) return Response.json({ error: false });
    return Response.json({ error: true, error_code: 409, error_message: 'There is data.' }, { status: 409 });
  };
  const profile = parseProfile(JSON.stringify(PROFILE), { file: 'stub', folder: '.', env: {} });
  const suites = [{ name: 'apps', serialGroup: 'apps', checks: [TWICE] }];
  const [result] = await runInProcess(suites, { profile, transport, instantPauses });
  return result as CheckResult;
}

test('an update that is refused after one like it was served is evidence against its clause', async () => {
  const result = await run((nth) => nth === 1);
  assert.equal(result.verdict, 'fail');
  assert.deepEqual(result.clauses, ['apps.data.replaced-entirely']);
  assert.match(result.reason ?? '', /refused, although each part of it was accepted in other updates/);
});

test('the refusal of an update of which none was served says nothing about replacing', async () => {
  const result = await run(() => false);
  assert.equal(result.verdict, 'inconclusive', result.reason);
});

test('a service that was only busy passes once it is tried again after a pause', async () => {
  const begun = Date.now();
  const isBusy = (): boolean => Date.now() - begun < 1_500;
  const result = await run((nth) => nth === 1 || !isBusy(), false);
  assert.equal(result.verdict, 'pass', result.reason);
});
