import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clausesOf } from './ending.ts';

const CHECK = { clauses: ['rule', 'other'] };

test('a failure breaks the first clause of its check, or those that it names', () => {
  const all = { decided: undefined };
  assert.deepEqual(clausesOf(CHECK, all, { verdict: 'fail', evidence: {} }), ['rule']);
  assert.deepEqual(clausesOf(CHECK, all, { verdict: 'fail', evidence: { clauses: ['other'] } }), ['other']);
  assert.deepEqual(clausesOf(CHECK, { decided: ['met'] }, { verdict: 'fail', evidence: {} }), ['met']);
});

test('a pass, an undecided check and advice are about all clauses of the check', () => {
  for (const verdict of ['pass', 'inconclusive', 'warn'] as const)
    assert.deepEqual(clausesOf(CHECK, { decided: undefined }, { verdict }), CHECK.clauses);
  assert.deepEqual(clausesOf(CHECK, { decided: ['met'] }, { verdict: 'pass' }), ['met']);
});
