import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXIT } from '../../contracts/run/verdicts.ts';
import { UsageError } from './usage-error.ts';

test('a usage error has its sentence and the exit code of usage', () => {
  const error = new UsageError('There is no file x: give another.');
  assert.equal(error.message, 'There is no file x: give another.');
  assert.equal(error.exitCode, EXIT.usage);
  assert.ok(error instanceof Error);
});
