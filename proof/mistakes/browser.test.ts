/** Mistakes that show only in browser steps: the secret of the app and its id in the catalog. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { folderFor, proofmark, resultsIn, startMock, writeProfile } from '../../cli/common/command.fixture.ts';
import { matchesAny } from '../../contracts/run/glob.ts';
import type { Draft } from './table.fixture.ts';

const CASES = [
  { key: 'appSecret', value: 'not-the-secret-of-the-app', only: 'install.hash.*', remedy: /write app_secret/ },
  { key: 'appId', value: '99999', only: '*.app-id', remedy: /write the id under which the catalog lists the app/ },
] as const;

test('a wrong app secret or id is inconclusive, names the key, and is a failure when the user confirms it with --trust', async (t) => {
  const folder = folderFor(t);
  const mock = await startMock(t, folder);
  const profile = structuredClone(mock.json) as Draft;
  for (const { key, value } of CASES) profile.apps[key] = value;
  const file = writeProfile(folder, 'wrong.json', profile);
  const out = join(folder, 'out');
  const run = ['run', '--target', file, '--out', out, ...CASES.flatMap(({ only }) => ['--only', only])];
  const checksOf = (only: string) => resultsIn(out).checks.filter(({ id }) => matchesAny(id, [only]));

  assert.equal((await proofmark(run, { cwd: folder })).code, 3);
  for (const { key, only, remedy } of CASES) {
    const waiting = checksOf(only).filter(({ verdict }) => verdict === 'inconclusive');
    assert.ok(waiting.length > 0, key);
    for (const { attribution, reason } of waiting) {
      assert.equal(attribution, 'configuration');
      assert.match(reason ?? '', new RegExp(`"apps\\.${key}"`));
      assert.match(reason ?? '', remedy);
    }
  }
  const confirmed = CASES.flatMap(({ key }) => ['--trust', `apps.${key}`]);
  assert.equal((await proofmark([...run, ...confirmed], { cwd: folder })).code, 1);
  for (const { key, only } of CASES)
    assert.ok(
      checksOf(only).some(({ verdict }) => verdict === 'fail'),
      `${key} confirmed`,
    );
});

test('values of a foreign order are a failure without --trust where the driver can place orders', async (t) => {
  const folder = folderFor(t);
  // That the check passes on the correct mock is part of the whole run in `cli/run/run.test.ts`.
  const target = 'mock:fault=settings.foreign-order-served';
  const only = 'labels.settings.order-with-store-method';
  const ran = await proofmark(['run', '--only', only, '--target', target, '--out', folder], { cwd: folder });
  assert.equal(ran.code, 1, ran.stdout);
  const { checks, ledger } = resultsIn(folder);
  assert.equal(checks.find(({ id }) => id === only)?.verdict, 'fail');
  assert.equal(ledger.orders?.length, 2, 'the orders that were placed are named');
});
