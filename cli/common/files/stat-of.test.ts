import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openRecording } from '../../judge/recording.ts';
import { folderFor } from '../command.fixture.ts';
import { readFileOf } from './read-file.ts';
import { resultsAt } from './results-at.ts';
import { statOf } from './stat-of.ts';

test('a file that is not there is missing, and one that is there is found', (t) => {
  const folder = folderFor(t);
  assert.equal(statOf(join(folder, 'none'), 'correct it'), undefined);
  assert.equal(statOf(folder, 'correct it')?.isDirectory(), true);
});

test('what hides a file is named by every command that is given it, and the file is not called missing', async (t) => {
  const folder = folderFor(t);
  const loop = join(folder, 'loop');
  symlinkSync('loop', loop);
  writeFileSync(join(folder, 'file'), '');
  for (const [file, why] of [
    [loop, 'its links form a loop'],
    [join(folder, 'file', 'below'), 'a part of its path is a file'],
  ] as const) {
    const says = new RegExp(`^UsageError: ${file} can't be read, ${why}: `);
    assert.throws(() => statOf(file, 'correct it'), says);
    assert.throws(() => readFileOf(file, '--keys'), says);
    assert.throws(() => resultsAt(file), says);
    await assert.rejects(openRecording(file), says);
  }
});

test('a file in a folder that is closed to this user is not called missing', {
  skip: process.getuid?.() === 0 ? 'root may read every folder' : false,
}, async (t) => {
  const closed = join(folderFor(t), 'closed');
  mkdirSync(closed);
  writeFileSync(join(closed, 'a.har'), '{}');
  chmodSync(closed, 0);
  t.after(() => chmodSync(closed, 0o700));
  await assert.rejects(
    openRecording(join(closed, 'a.har')),
    /can't be read, this user has no permission to use it: give a HAR/,
  );
});
