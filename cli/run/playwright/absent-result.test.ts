import assert from 'node:assert/strict';
import { test } from 'node:test';
import { absentResult } from './absent-result.ts';

const CHECK = 'delivery.batch.refuses-101-points';
const lostTo = (message: string) => absentResult(new Map([['', message]]), undefined, new Map())(CHECK);

test('a check that was lost on a full disk is not an error of Proofmark', () => {
  const result = lostTo('Error: ENOSPC: no space left on device, write');
  assert.deepEqual([result?.verdict, result?.attribution], ['inconclusive', 'configuration']);
  assert.match(
    result?.reason ?? '',
    /^the check was lost: the disk is full: make room, .* temporary files of a run are in /,
  );
});

test('a check that was lost in another way is an error of Proofmark', () => {
  const result = lostTo('Error: ENOSPCX is not defined');
  assert.deepEqual([result?.verdict, result?.attribution], ['error', 'harness']);
});
