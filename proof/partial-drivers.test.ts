// A driver that lacks a function, or can't go on, leaves undecided only what needs that: everything before it is judged.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { folderFor, proofmark, resultsIn, startMock, writeProfile } from '../cli/common/command.fixture.ts';

const LACKING = 'const { acceptPermissions, ...some } = whole;\nexport default some;\n';
const STUCK =
  "export default { ...whole, acceptPermissions: () => { throw new Error('The button was not found.'); } };\n";

/** Runs checks on a service with faults, with the driver that `part` makes of the whole one. The verdict of each check. */
async function verdictsOf(
  t: TestContext,
  part: string,
  faults: readonly string[],
  only: readonly string[],
): Promise<(id: string) => string | undefined> {
  const folder = folderFor(t);
  const mock = await startMock(
    t,
    folder,
    faults.flatMap((id) => ['--fault', id]),
  );
  const whole = new URL('../mock/driver.ts', import.meta.url).href;
  writeFileSync(join(folder, 'part.driver.ts'), `import whole from ${JSON.stringify(whole)};\n${part}`);
  const profile = writeProfile(folder, 'part.json', { ...mock.json, driver: './part.driver.ts' });
  const out = join(folder, 'out');
  const selection = only.flatMap((ids) => ['--only', ids]);
  await proofmark(['run', '--target', profile, ...selection, '--workers', '1', '--out', out], { cwd: folder });
  const { checks } = resultsIn(out);
  return (id) => checks.find((check) => check.id === id)?.verdict;
}

const installations = (t: TestContext, part: string) =>
  verdictsOf(t, part, ['install.hash-upper-case', 'install.callback-with-query'], ['install.*']);

test('a driver that does not find the button of the permission request', async (t) => {
  const verdictOf = await installations(t, STUCK);
  assert.equal(verdictOf('install.hash.lowercase-hex'), 'fail');
  assert.equal(verdictOf('install.parameters.callback-without-query'), 'warn');
  assert.equal(verdictOf('install.hash.second-load-correct'), 'inconclusive');
});

test('a driver that has no function for that button', async (t) => {
  const verdictOf = await installations(t, LACKING);
  assert.equal(verdictOf('install.sequence.first-load'), 'pass');
  assert.equal(verdictOf('install.sequence.first-load-without-auth-code'), 'pass');
  assert.equal(verdictOf('install.hash.first-load-correct'), 'fail');
  assert.equal(verdictOf('install.hash.second-load-correct'), 'inconclusive');
});

test('a driver that cannot say whether an order has the button for labels', async (t) => {
  const part = 'const { hasPrintLabel, ...some } = whole;\nexport default some;\n';
  const checks = ['labels.button.*', 'labels.request.signature-*', 'labels.request.id-new-per-press'];
  const verdictOf = await verdictsOf(t, part, ['labels.signature-in-hex'], checks);
  assert.equal(verdictOf('labels.button.shown-with-url'), 'inconclusive');
  assert.equal(verdictOf('labels.request.signature-present'), 'fail');
  assert.equal(verdictOf('labels.request.id-new-per-press'), 'pass');
});

test('a driver that registers no app of mode blank', async (t) => {
  const part = `export default {
    ...whole,
    registerApp: (page, app) => {
      if (app.tabMode === 'blank') throw new Error('The catalog has one tab only.');
      return whole.registerApp(page, app);
    },
  };\n`;
  const verdictOf = await verdictsOf(t, part, [], ['apps.delete.clears-data', 'apps.delete.new-installation-*']);
  assert.equal(verdictOf('apps.delete.clears-data'), 'pass');
  assert.equal(verdictOf('apps.delete.new-installation-not-finished'), 'inconclusive');
});
