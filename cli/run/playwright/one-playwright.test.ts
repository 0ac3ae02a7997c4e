/** A project with a Playwright of its own: which of the two runs, and what is said where that can't work. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { folderFor, runScript } from '../../common/command.fixture.ts';
import { foreignPlaywright } from './one-playwright.ts';

const OWN = dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json'));
const { version: OWN_VERSION } = createRequire(import.meta.url)('@playwright/test/package.json') as { version: string };

/** The command of another copy of Playwright, which loads our config as Playwright does. */
function otherCopy(t: TestContext, version: string): string {
  const folder = join(folderFor(t), 'node_modules/playwright');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'playwright', version }));
  const config = new URL('./config.ts', import.meta.url).href;
  writeFileSync(
    join(folder, 'cli.mjs'),
    `(await import(${JSON.stringify(config)})).proofmark();\nconsole.log('loaded');\n`,
  );
  return join(folder, 'cli.mjs');
}

test('both names of our copy are the same one, and a command that is not Playwright is left alone', () => {
  assert.equal(foreignPlaywright(join(OWN, 'cli.js'), import.meta.url), undefined);
  assert.equal(foreignPlaywright(join(OWN, '../../playwright/cli.js'), import.meta.url), undefined);
  assert.equal(foreignPlaywright(import.meta.filename, import.meta.url), undefined);
  assert.equal(foreignPlaywright(undefined, import.meta.url), undefined);
});

test('another version is named with the one to install, as a usage error without a trace', async (t) => {
  const { code, stdout, stderr } = await runScript(otherCopy(t, '1.2.3'), []);
  assert.equal(code, 2, stderr);
  assert.match(stderr, /^proofmark: this command is Playwright 1\.2\.3, and Proofmark's tests need /);
  assert.ok(stderr.includes(`set "@playwright/test" to "${OWN_VERSION}" in your package.json`), stderr);
  assert.doesNotMatch(stderr, /\n\s+at /);
  assert.equal(stdout, '');
});

test('a second copy of the same version is named as such', (t) => {
  assert.match(
    foreignPlaywright(otherCopy(t, OWN_VERSION), import.meta.url) ?? '',
    /^two copies of Playwright \S+ are installed \(/,
  );
});
