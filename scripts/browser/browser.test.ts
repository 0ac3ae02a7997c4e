/** Which browser is found: real files in folders of this test, each a script that prints a version. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { findBrowser, shellsBeside } from './browser.mjs';

function browserAt(path: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '#!/bin/sh\necho Chromium 1.2.3\n', { mode: 0o755 });
  return path;
}

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'proofmark-browsers-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const noScripts = process.platform === 'win32' ? 'a script is not a program on Windows' : false;

test('one without a window is preferred, wherever it is in PATH, to a whole one', { skip: noScripts }, async (t) => {
  const folder = folderFor(t);
  browserAt(join(folder, 'first', 'chromium'));
  const shell = browserAt(join(folder, 'second', 'chromium-headless-shell'));
  const { PATH, PROOFMARK_BROWSER } = process.env;
  t.after(() => {
    process.env.PATH = PATH;
    if (PROOFMARK_BROWSER !== undefined) process.env.PROOFMARK_BROWSER = PROOFMARK_BROWSER;
  });
  delete process.env.PROOFMARK_BROWSER;
  process.env.PATH = ['first', 'second'].map((name) => join(folder, name)).join(delimiter);
  assert.deepEqual(await findBrowser(), { path: shell, version: 'Chromium 1.2.3' });
  process.env.PROOFMARK_BROWSER = join(folder, 'first', 'chromium');
  delete process.env.PROOFMARK_BROWSER_VERSION;
  assert.equal((await findBrowser())?.path, join(folder, 'first', 'chromium'));
});

test('Playwright’s own is found beside the whole one of the same version', (t) => {
  const folder = folderFor(t);
  const whole = join(folder, 'chromium-1234', 'chrome-linux', 'chrome');
  assert.deepEqual(shellsBeside(whole), []);
  browserAt(join(folder, 'chromium_headless_shell-1233', 'chrome-linux', 'headless_shell'));
  assert.deepEqual(shellsBeside(whole), []);
  const path = join(folder, 'chromium_headless_shell-1234', 'chrome-headless-shell-linux64', 'chrome-headless-shell');
  browserAt(path);
  assert.deepEqual(shellsBeside(whole), [path]);
  assert.deepEqual(shellsBeside('/usr/bin/google-chrome'), []);
});
