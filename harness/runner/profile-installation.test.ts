// An installation in one worker may end the one whose code the checks of another worker use.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pause } from '../process/until.ts';
import { ProfileInstallation } from './profile-installation.ts';

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
  const [one, other] = [new ProfileInstallation(folder), new ProfileInstallation(folder)];
  const known = one.begin();
  assert.equal(other.hasEnded, false);
  one.noteEnd();
  known();
  assert.equal(other.hasEnded, true);
});

test('a worker waits for the installation of another one, and not for its own', async (t) => {
  const folder = folderFor(t);
  const installation = new ProfileInstallation(folder);
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

test('a worker waits no longer once the installation of the profile has ended', async (t) => {
  const folder = folderFor(t);
  noteOfOther(folder);
  const installation = new ProfileInstallation(folder);
  installation.noteEnd();
  await installation.settled();
});
