import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Verdict } from '../../contracts/run/verdicts.ts';
import { foldResults, type Results } from '../results/index.ts';
import { CLAUSES, sampleCheck, sampleFooter, sampleHeader } from '../sample.fixture.ts';
import { changesSince, renderChanges, renderChangesMarkdown } from './against.ts';
import { renderTrend, renderTrendMarkdown, trendOf } from './trend.ts';

const run = (day: number, verdicts: Record<string, Verdict>, onlyPattern?: string): Results =>
  foldResults(
    [
      sampleHeader({
        run: `r-${day}`,
        startedAt: `2026-03-0${day}T10:00:00.000Z`,
        selected: Object.keys(verdicts),
        ...(onlyPattern === undefined ? {} : { onlyPattern }),
      }),
      ...Object.entries(verdicts).map(([id, verdict]) =>
        sampleCheck(id, { verdict, clauses: [id === 'a.c' ? 'reseller.login' : 'delivery.method.add'] }),
      ),
      sampleFooter(),
    ],
    CLAUSES,
  );

const before = run(1, { 'a.a': 'pass', 'a.b': 'fail', 'a.c': 'fail' });

test('a partial run is compared on what both runs contain', () => {
  const changes = changesSince(before, run(2, { 'a.a': 'fail', 'a.d': 'fail' }, 'a.*'));
  assert.deepEqual(
    changes.checks.map(({ id, direction }) => [id, direction]),
    [['a.a', 'worse']],
  );
  // Other checks judged the clause, so that its verdicts say nothing about a change.
  assert.deepEqual(changes.clauses, []);
  assert.deepEqual([changes.compared.checks, changes.onlyBefore, changes.onlyAfter], [1, 2, 1]);
  assert.match(renderChanges(changes), /1 check and \d clauses? of both runs compared; not compared: checks 2 only in/);
});

test('whole runs are compared with their clauses, and a fix is better', () => {
  const changes = changesSince(before, run(2, { 'a.a': 'pass', 'a.b': 'fail', 'a.c': 'pass' }));
  assert.equal(changes.worse, false);
  assert.deepEqual(
    changes.clauses.map(({ id, direction }) => [id, direction]),
    [['reseller.login', 'better']],
  );
  assert.match(renderChangesMarkdown(changes), /\| better \| failed \| passed \| `a\.c` /);
  assert.match(renderChangesMarkdown(changesSince(before, before)), /No verdict changed/);
});

test('a trend lists the runs of the target, oldest first, and since when a check fails', () => {
  const current = run(4, { 'a.a': 'pass', 'a.b': 'fail', 'a.c': 'fail' });
  const other = { ...run(2, { 'a.a': 'fail' }), target: { name: 'elsewhere', kind: 'profile' } };
  const undecided = run(3, { 'a.b': 'inconclusive', 'a.c': 'pass' });
  const trend = trendOf(current, [current, undecided, other, before]);
  assert.deepEqual(
    trend.runs.map(({ run: id, fail }) => [id, fail]),
    [
      ['r-1', 2],
      ['r-3', 0],
      ['r-4', 2],
    ],
  );
  assert.deepEqual(
    trend.failing.map(({ id, since, runs }) => [id, since.slice(0, 10), runs]),
    [
      ['a.b', '2026-03-01', 2],
      ['a.c', '2026-03-04', 1],
    ],
  );
  assert.match(renderTrend(trend), /a\.b: since 2026-03-01, in 2 runs/);
  assert.match(renderTrend(trend), /warned {2,}inconclusive {2,}outcome/);
  assert.match(renderTrendMarkdown(trend), /\| 2026-03-01 10:00 \| 1 \| 2 \| 0 \| 0 \| non-conformant \|/);
});
