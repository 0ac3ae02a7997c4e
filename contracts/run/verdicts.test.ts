import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ClauseVerdict, clauseVerdict, type Level, outcomeOf, type RunFacts, type Verdict } from './verdicts.ts';

const CLAUSE_TABLE: ReadonlyArray<readonly [Level, readonly Verdict[], ClauseVerdict]> = [
  ['MUST', ['pass'], 'pass'],
  ['MUST', ['pass', 'fail'], 'fail'],
  ['MUST', ['error', 'fail'], 'fail'],
  ['MUST', ['error', 'inconclusive'], 'error'],
  ['MUST', ['inconclusive', 'pass'], 'inconclusive'],
  ['MUST', ['warn', 'pass'], 'warn'],
  ['MUST', ['warn'], 'inconclusive'],
  ['MUST', ['observed'], 'inconclusive'],
  ['MUST', ['observed', 'pass'], 'pass'],
  ['MUST', ['not-applicable'], 'not-applicable'],
  ['MUST', ['not-applicable', 'pass'], 'pass'],
  ['MUST', ['not-applicable', 'inconclusive'], 'inconclusive'],
  ['MUST', [], 'inconclusive'],
  ['SHOULD', ['warn'], 'warn'],
  ['SHOULD', ['warn', 'pass'], 'warn'],
  ['SHOULD', ['observed'], 'observed'],
  ['MAY', ['pass', 'inconclusive'], 'inconclusive'],
];

test('a clause takes the worst verdict of its checks, and a MUST needs one that passed', () => {
  for (const [level, checks, expected] of CLAUSE_TABLE) {
    assert.equal(clauseVerdict(level, false, checks), expected, `${level} of ${checks.join(', ') || 'no check'}`);
  }
  assert.equal(clauseVerdict('MUST', true, ['fail']), 'excluded');
});

const facts = (over: Partial<RunFacts>): RunFacts => ({
  checks: ['pass'],
  mustClauses: ['pass'],
  interrupted: false,
  allowInconclusive: false,
  ...over,
});

const OUTCOME_TABLE: ReadonlyArray<readonly [string, Partial<RunFacts>, string, number]> = [
  ['all passed', {}, 'conformant', 0],
  ['warnings do not fail', { checks: ['pass', 'warn', 'observed'] }, 'conformant', 0],
  ['a failure', { checks: ['pass', 'fail', 'error', 'inconclusive'] }, 'non-conformant', 1],
  ['a failure, interrupted', { checks: ['fail'], interrupted: true }, 'non-conformant', 1],
  ['an error before inconclusive', { checks: ['pass', 'error', 'inconclusive'] }, 'error', 4],
  ['an error outside of the checks', { harnessFailed: true }, 'error', 4],
  ['an error outside of the checks of an interrupted run', { harnessFailed: true, interrupted: true }, 'error', 4],
  ['a failure before an error outside of the checks', { checks: ['fail'], harnessFailed: true }, 'non-conformant', 1],
  ['a MUST undecided', { checks: ['pass', 'inconclusive'], mustClauses: ['pass', 'inconclusive'] }, 'inconclusive', 3],
  ['only a SHOULD undecided', { checks: ['pass', 'inconclusive'] }, 'conformant', 0],
  ['interrupted', { interrupted: true }, 'inconclusive', 3],
  ['a MUST undecided, allowed', { mustClauses: ['inconclusive'], allowInconclusive: true }, 'inconclusive', 0],
  ['nothing run, though allowed', { checks: ['inconclusive'], allowInconclusive: true }, 'inconclusive', 3],
  ['nothing selected', { checks: [], mustClauses: [], allowInconclusive: true }, 'inconclusive', 3],
  ['a known failure', { checks: ['pass', 'fail'], excused: ['fail'] }, 'non-conformant', 0],
  ['nothing but a known failure', { checks: ['fail'], excused: ['fail'] }, 'non-conformant', 0],
  ['a known failure and a new one', { checks: ['fail', 'fail'], excused: ['fail'] }, 'non-conformant', 1],
  ['a known failure and an error', { checks: ['fail', 'error'], excused: ['fail'] }, 'non-conformant', 4],
  [
    'a known failure and a MUST undecided',
    { checks: ['fail', 'inconclusive'], mustClauses: ['fail', 'inconclusive'], excused: ['fail'] },
    'non-conformant',
    3,
  ],
  ['an outdated baseline', { baselineOutdated: true }, 'conformant', 1],
  ['an outdated baseline before an error', { checks: ['error'], baselineOutdated: true }, 'error', 1],
  ['a warning that fails', { checks: ['pass', 'warn'], failOnWarn: true }, 'conformant', 1],
  ['a known warning', { checks: ['pass', 'warn'], excused: ['warn'], failOnWarn: true }, 'conformant', 0],
  ['no warning', { failOnWarn: true }, 'conformant', 0],
  ['every part absent', { checks: ['not-applicable'], mustClauses: ['not-applicable'] }, 'inconclusive', 3],
];

test('outcome and exit code: the first rule that matches wins', () => {
  for (const [name, over, outcome, exitCode] of OUTCOME_TABLE) {
    assert.deepEqual(outcomeOf(facts(over)), { outcome, exitCode }, name);
  }
});
