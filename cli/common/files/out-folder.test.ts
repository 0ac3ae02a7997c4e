import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folderFor } from '../command.fixture.ts';
import { makeOutFolder, outFolderOf } from './out-folder.ts';

test('a folder is made with those above it, and may be there already', (t) => {
  const folder = join(folderFor(t), 'a', 'b');
  makeOutFolder(folder);
  makeOutFolder(folder);
  assert.ok(existsSync(folder));
});

test('a path that cannot be a folder is reported in one sentence', (t) => {
  const file = join(folderFor(t), 'file');
  writeFileSync(file, '');
  for (const place of [file, join(file, 'below')])
    assert.throws(
      () => makeOutFolder(place),
      /can't be created or written, a file has its name .* \((EEXIST|ENOTDIR)\): give another one with --out/,
    );
});

test('a file system without folders is reported in one sentence, and the search ends', {
  skip: existsSync('/proc/self') ? false : 'there is no /proc here',
}, () => {
  assert.throws(() => makeOutFolder('/proc/proofmark/reports'), /can't be created or written \(ENOENT\)/);
});

test('an empty name does not mean the current folder', () => {
  assert.throws(() => outFolderOf(''), /--out is empty/);
  assert.throws(() => outFolderOf(' '), /--out is empty/);
});

test('a file of another tool is not overwritten, and reports of an earlier run are', (t) => {
  const folder = folderFor(t);
  for (const name of ['report.html', 'summary.md', 'results.json', 'junit.xml', 'ctrf.json', 'events.ndjson']) {
    const file = join(folder, name);
    writeFileSync(file, 'of another tool');
    assert.throws(() => makeOutFolder(folder), /was not written by Proofmark and would be overwritten: move it away/);
    writeFileSync(file, `${'x'.repeat(100_000)} proofmark`);
    makeOutFolder(folder);
    writeFileSync(file, '');
    makeOutFolder(folder);
  }
});
