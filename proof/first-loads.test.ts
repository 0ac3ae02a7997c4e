// What the first load of an app shows is judged also where the driver can't press on, so that the second does not come.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folderFor, proofmark, resultsIn, startMock, writeProfile } from '../cli/common/command.fixture.ts';

/** A driver that does not find the button of the permission request. */
const DRIVER = `import whole from ${JSON.stringify(new URL('../mock/driver.ts', import.meta.url).href)};
const acceptPermissions = () => { throw new Error('There is no button.'); };
export default { ...whole, acceptPermissions };
`;

test('faults of the first load are found with a driver that can accept no permissions', async (t) => {
  const folder = folderFor(t);
  const mock = await startMock(t, folder, [
    '--fault',
    'install.hash-upper-case',
    '--fault',
    'install.callback-with-query',
  ]);
  writeFileSync(join(folder, 'stuck.driver.ts'), DRIVER);
  const profile = writeProfile(folder, 'stuck.json', { ...mock.json, driver: './stuck.driver.ts' });
  const out = join(folder, 'out');
  const ran = await proofmark(['run', '--target', profile, '--only', 'install.*', '--workers', '1', '--out', out], {
    cwd: folder,
  });
  const { checks } = resultsIn(out);
  const verdictOf = (id: string): string | undefined => checks.find((check) => check.id === id)?.verdict;
  assert.equal(verdictOf('install.hash.lowercase-hex'), 'fail', ran.stdout);
  assert.equal(verdictOf('install.parameters.callback-without-query'), 'warn', ran.stdout);
  assert.equal(verdictOf('install.hash.second-load-correct'), 'inconclusive', ran.stdout);
});
