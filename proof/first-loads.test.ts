// What the first load of an app shows is judged also where the driver can't press on, so that the second does not come.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { folderFor, proofmark, resultsIn, startMock, writeProfile } from '../cli/common/command.fixture.ts';

const LACKING = 'const { acceptPermissions, ...some } = whole;\nexport default some;\n';
const STUCK =
  "export default { ...whole, acceptPermissions: () => { throw new Error('The button was not found.'); } };\n";

/** Judges installations on a service with faults of the first load, with the driver that `part` makes of the whole one. The verdict of each check. */
async function verdictsWith(t: TestContext, part: string): Promise<(id: string) => string | undefined> {
  const folder = folderFor(t);
  const mock = await startMock(t, folder, [
    '--fault',
    'install.hash-upper-case',
    '--fault',
    'install.callback-with-query',
  ]);
  const whole = new URL('../mock/driver.ts', import.meta.url).href;
  writeFileSync(join(folder, 'part.driver.ts'), `import whole from ${JSON.stringify(whole)};\n${part}`);
  const profile = writeProfile(folder, 'part.json', { ...mock.json, driver: './part.driver.ts' });
  const out = join(folder, 'out');
  await proofmark(['run', '--target', profile, '--only', 'install.*', '--workers', '1', '--out', out], { cwd: folder });
  const { checks } = resultsIn(out);
  return (id) => checks.find((check) => check.id === id)?.verdict;
}

test('a driver that does not find the button of the permission request', async (t) => {
  const verdictOf = await verdictsWith(t, STUCK);
  assert.equal(verdictOf('install.hash.lowercase-hex'), 'fail');
  assert.equal(verdictOf('install.parameters.callback-without-query'), 'warn');
  assert.equal(verdictOf('install.hash.second-load-correct'), 'inconclusive');
});

test('a driver that has no function for it', async (t) => {
  const verdictOf = await verdictsWith(t, LACKING);
  assert.equal(verdictOf('install.sequence.first-load'), 'pass');
  assert.equal(verdictOf('install.sequence.first-load-without-auth-code'), 'pass');
  assert.equal(verdictOf('install.hash.first-load-correct'), 'fail');
  assert.equal(verdictOf('install.hash.second-load-correct'), 'inconclusive');
});
