import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeFolders } from './make-folders.ts';

test('folders are made with those above them, and may exist already', (t) => {
  const home = mkdtempSync(join(tmpdir(), 'proofmark-folders-'));
  t.after(() => rmSync(home, { recursive: true }));
  const folder = join(home, 'a', 'b', 'c');
  makeFolders(folder);
  makeFolders(folder);
  assert.ok(existsSync(folder));
});

test('a file system that takes no folders ends the search with an error', {
  skip: existsSync('/proc/self') ? false : 'there is no /proc here',
}, () => {
  assert.throws(() => makeFolders('/proc/proofmark/a/b'), { code: 'ENOENT' });
});
