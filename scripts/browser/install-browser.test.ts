import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { installBrowser, type Machine, ROOT_NOTICE } from './install-browser.mjs';

/** What is printed and run on a machine, in order; a browser is there once `appearsAfter` ran. */
async function log(machine: Partial<Machine>, env = {}, appearsAfter = ''): Promise<string[]> {
  const done: string[] = [];
  await installBrowser(
    {
      find: async () => (done.includes(appearsAfter) ? { path: '/usr/bin/chromium' } : undefined),
      run: (command, args) => done.push(`${command} ${args[0]}`) > 0,
      say: (line) => done.push(line),
      hasApt: true,
      failedRecently: false,
      rememberFailure: () => done.push('remembered'),
      ...machine,
    },
    env,
  );
  return done;
}

test('what is installed as root is announced in one line before, with the variable that forbids it', async () => {
  const done = await log({}, {}, 'apt-get install');
  assert.deepEqual(done, [ROOT_NOTICE, 'apt-get update', 'apt-get install']);
  assert.match(ROOT_NOTICE, /^[^\n]*as root[^\n]*PROOFMARK_BROWSER=none prevents it[^\n]*$/);
  assert.match(readFileSync(new URL('../../README.md', import.meta.url), 'utf8'), /as root[^#]*PROOFMARK_BROWSER=none/);
});

test('the variable forbids it, and nothing is installed if a browser is found or the user is not root', async () => {
  assert.deepEqual(await log({}, { PROOFMARK_BROWSER: 'none' }), []);
  assert.deepEqual(await log({ find: async () => ({}) }), []);
  const done = await log({ hasApt: false });
  assert.ok(!done.some((line) => line.startsWith('apt-get') || line === ROOT_NOTICE));
  assert.deepEqual(done.slice(1, 3), ['npx playwright', 'remembered']);
});

test('the whole browser is installed where the release has no package of the other', async () => {
  const done = await log({});
  assert.equal(done.filter((line) => line === 'apt-get install').length, 2);
});

test('what failed a short time ago is not tried again', async () => {
  const done = await log({ failedRecently: true });
  assert.equal(done.length, 1);
  assert.match(done[0] ?? '', /no browser could be installed/);
});
