// A service may open the installation that a website has when its app is installed again: nothing is begun then, and nothing finished.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { folderFor, proofmark, resultsIn, startMock } from '../cli/common/command.fixture.ts';

test('a service that opens the installation which the website has is not blamed', async (t) => {
  const folder = folderFor(t);
  const mock = await startMock(t, folder, ['--fault', 'install.opens-existing']);
  const out = join(folder, 'out');
  const only = ['install.sequence.*', 'apps.installed.*'].flatMap((glob) => ['--only', glob]);
  const ran = await proofmark(['run', '--target', mock.profile, '--workers', '1', '--out', out, ...only], {
    cwd: folder,
  });
  const { checks } = resultsIn(out);
  const verdictOf = (id: string): string | undefined => checks.find((check) => check.id === id)?.verdict;
  assert.deepEqual(
    checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id),
    [],
    ran.stdout,
  );
  // Whether the app counts as installed can't be seen of one that was before; all else can.
  assert.equal(verdictOf('apps.installed.required'), 'inconclusive', ran.stdout);
  assert.equal(verdictOf('install.sequence.return-ends-sequence'), 'pass', ran.stdout);
  assert.equal(verdictOf('install.sequence.auth-code-works'), 'pass', ran.stdout);
});
