import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Verdict } from '../../contracts/run/verdicts.ts';
import { foldResults } from '../results/index.ts';
import { CLAUSES, sampleCheck, sampleFooter, sampleHeader } from '../sample.fixture.ts';
import { diffResults, renderDiff } from './diff.ts';

const run = (verdicts: Record<string, Verdict>, seen: unknown = 1) => {
  const checks = Object.entries(verdicts).map(([id, verdict]) =>
    sampleCheck(id, { verdict, clauses: ['delivery.method.add'] }),
  );
  const observation = { type: 'observation', id: 'o', question: 'Which?', seen, check: 'a.a', exchanges: [] } as const;
  return foldResults(
    [sampleHeader({ selected: Object.keys(verdicts) }), ...checks, observation, sampleFooter()],
    CLAUSES,
  );
};

test('two equal runs differ in nothing', () => {
  const diff = diffResults(run({ 'a.a': 'pass' }), run({ 'a.a': 'pass' }));
  assert.equal(diff.worse, false);
  assert.equal(renderDiff(diff), 'No verdict and no observation changed.\n');
});

test('each change has its direction, worst first, clauses too', () => {
  const before = run({ 'a.a': 'pass', 'a.b': 'fail', 'a.c': 'pass', 'a.d': 'pass', 'a.e': 'inconclusive' });
  const after = run(
    { 'a.a': 'fail', 'a.b': 'pass', 'a.c': 'not-applicable', 'a.e': 'not-applicable', 'a.f': 'warn' },
    2,
  );
  const diff = diffResults(before, after);
  assert.deepEqual(
    diff.checks.map(({ id, from, to, direction }) => [id, from, to, direction]),
    [
      ['a.a', 'pass', 'fail', 'worse'],
      ['a.f', null, 'warn', 'worse'],
      ['a.b', 'fail', 'pass', 'better'],
      ['a.c', 'pass', 'not-applicable', 'changed'],
      ['a.e', 'inconclusive', 'not-applicable', 'changed'],
      ['a.d', 'pass', null, 'changed'],
    ],
  );
  assert.deepEqual(diff.observations, [{ id: 'o', question: 'Which?', from: 1, to: 2 }]);
  assert.equal(diff.worse, true);
  assert.match(
    renderDiff(diff),
    /Checks: 2 verdicts worse, 1 better, 3 otherwise changed\n {2}- passed -> failed {2}a\.a/,
  );
});

test('a clause that got worse is enough', () => {
  const diff = diffResults(run({ 'a.a': 'pass' }), run({}));
  assert.deepEqual(
    diff.clauses.map(({ id, to }) => [id, to]),
    [['delivery.method.add', 'inconclusive']],
  );
  assert.equal(diff.worse, true);
});
