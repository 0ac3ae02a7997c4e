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
    await given.accepted(send(apps.setData(`one ${resources.newMark()}`)), 'a.b');
    await given.accepted(send(apps.setData(`two ${resources.newMark()}`)), 'a.b');
    expect.equal(1, 1, 'the second was served');
  },
);

/** Runs it against a stub that serves the calls of these numbers, and counts them. */
async function run(isServed: (nth: number) => boolean) {
  let calls = 0;
  const transport = async (): Promise<Response> => {
    calls += 1;
    if (isServed(calls)) return Response.json({ error: false });
    return Response.json({ error: true, error_code: 409, error_message: 'There is data.' }, { status: 409 });
  };
  const profile = parseProfile(JSON.stringify(PROFILE), { file: 'stub', folder: '.', env: {} });
  const suites = [{ name: 'apps', serialGroup: 'apps', checks: [TWICE] }];
  const [result] = await runInProcess(suites, { profile, transport });
  return { result: result as CheckResult, calls };
}

test('an update that is refused after one like it was served is evidence against its clause', async () => {
  const { result } = await run((nth) => nth === 1);
  assert.equal(result.because, 'apps.data.replaced-entirely');
  assert.match(result.reason ?? '', /refused, although calls with each part of it were served/);
});

test('the refusal of an update of which none was served is no evidence about replacing', async () => {
  const { result } = await run(() => false);
  assert.equal(result.because, undefined);
});

test('a service that was only busy passes once it is tried again after a pause', async () => {
  const always = await run((nth) => nth === 1);
  const busy = await run((nth) => nth === 1 || nth >= always.calls);
  assert.equal(busy.result.verdict, 'pass', busy.result.reason);
});
