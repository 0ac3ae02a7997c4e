import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../../harness/process/usage-error.ts';
import { selectIds } from './options.ts';

const IDS = ['app.install.way', 'app.leaks.key', 'app.manifest.icon'];

test('globs select ids in the given order', () => {
  assert.deepEqual(selectIds('run', IDS, []), IDS);
  assert.deepEqual(selectIds('run', IDS, ['*.icon', 'app.i*']), ['app.install.way', 'app.manifest.icon']);
});

test('a glob that matches nothing names the command whose --list shows the ids', () => {
  assert.throws(
    () => selectIds('precheck app', IDS, ['app.*', 'nothing.*']),
    (error: unknown) =>
      error instanceof UsageError &&
      /"nothing\.\*" matches no check\. proofmark precheck app --list /.test(error.message),
  );
});
