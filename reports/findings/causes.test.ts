import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckOutcome } from '../results/index.ts';
import { causesOf } from './causes.ts';

const check = (id: string, more: Partial<CheckOutcome>): CheckOutcome => ({
  id,
  title: id,
  level: 'MUST',
  suite: 'a',
  clauses: [],
  verdict: 'pass',
  attribution: null,
  reason: null,
  expected: null,
  actual: null,
  pointer: null,
  exchanges: [],
  durationMs: 0,
  ...more,
});

test('failed checks of one clause are one finding, with the checks that wait for it', () => {
  const causes = causesOf({
    checks: [
      check('one', { verdict: 'fail', clauses: ['a', 'b'] }),
      check('waits', { verdict: 'inconclusive', because: 'b' }),
      check('two', { verdict: 'fail', clauses: ['b'] }),
      check('rests', { verdict: 'inconclusive', restsOn: 'c' }),
      check('three', { verdict: 'fail', clauses: ['c'] }),
      check('elsewhere', { verdict: 'inconclusive', because: 'd' }),
      check('passed', { clauses: ['a'] }),
    ],
  });
  assert.deepEqual(
    causes.map(({ failed, waiting }) => [failed.map(({ id }) => id), waiting.map(({ id }) => id)]),
    [
      [['one', 'two'], ['waits']],
      [['three'], ['rests']],
    ],
  );
});
