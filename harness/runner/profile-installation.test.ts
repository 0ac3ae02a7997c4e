// An installation in one worker may end the one whose code the checks of another worker use.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pause } from '../process/until.ts';
import { Secret } from '../target/secrets/secret.ts';
import { ProfileInstallation } from './profile-installation.ts';

const KEY = new Secret('APP_KEY', 'key-of-the-app');

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'proofmark-installation-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** What another process writes that is in the middle of an installation: this one was started by it. */
const noteOfOther = (folder: string): string => {
  const file = join(folder, `installing-${process.ppid}`);
  writeFileSync(file, String(Date.now()));
  return file;
};

test('a worker learns that another one has ended the installation', (t) => {
  const folder = folderFor(t);
  const [one, other] = [new ProfileInstallation(folder, KEY), new ProfileInstallation(folder, KEY)];
  const known = one.begin();
  assert.equal(other.hasEnded('own'), false);
  one.noteEnd('own');
  known();
  assert.deepEqual([other.hasEnded('own'), other.hasEnded('other')], [true, false]);
  assert.equal(other.replacement('own'), undefined);
});

test('a worker waits for the installation of another one, and not for its own', async (t) => {
  const folder = folderFor(t);
  const installation = new ProfileInstallation(folder, KEY);
  const known = installation.begin();
  await installation.settled();
  known();
  const note = noteOfOther(folder);
  let isSettled = false;
  const waiting = installation.settled().then(() => {
    isSettled = true;
  });
  await pause(200);
  assert.equal(isSettled, false);
  rmSync(note);
  await waiting;
});

test('the code of a new installation is known to all workers, and not written as it is', (t) => {
  const folder = folderFor(t);
  const [one, other] = [new ProfileInstallation(folder, KEY), new ProfileInstallation(folder, KEY)];
  one.noteEnd('other', new Secret('AUTH_CODE_OF_INSTALLATION', 'code-of-the-run'));
  assert.equal(other.replacement('other')?.reveal(), 'code-of-the-run');
  assert.equal(other.replacement('other')?.name, 'AUTH_CODE_OF_INSTALLATION');
  for (const name of readdirSync(folder))
    assert.doesNotMatch(readFileSync(join(folder, name), 'utf8'), /code-of-the-run/);
});

test('an installation within another one ends with the outer one', (t) => {
  const folder = folderFor(t);
  const installation = new ProfileInstallation(folder, KEY);
  const [outer, inner] = [installation.begin(), installation.begin()];
  inner();
  assert.equal(readdirSync(folder).length, 1);
  outer();
  assert.equal(readdirSync(folder).length, 0);
});
