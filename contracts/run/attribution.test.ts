import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Attributable, attributed, basesOf, withBrokenBases } from './attribution.ts';
import type { CheckResult } from './events.ts';

const ROWS = [
  { id: 'a.base', level: 'MUST' },
  { id: 'a.middle', level: 'MUST', restsOn: ['a.base'] },
  { id: 'a.top', level: 'MUST', restsOn: ['a.middle'] },
  { id: 'a.both', level: 'MUST', restsOn: ['a.middle', 'a.base'] },
  { id: 'a.should', level: 'SHOULD', restsOn: ['a.base'] },
  { id: 'a.other', level: 'MUST' },
] as const;

interface Row extends Attributable {
  readonly id: string;
}

const row = (id: string, verdict: Row['verdict'], clauses = [`a.${id}`], more: Partial<Row> = {}): Row => ({
  ...{ id, verdict, clauses, level: 'MUST', reason: 'seen' },
  ...more,
});

/** What the checks came to; which of them are undecided then, and because of which clause. */
const TABLE: ReadonlyArray<readonly [string, readonly Row[], readonly string[]]> = [
  ['nothing failed', [row('base', 'pass'), row('middle', 'pass')], []],
  ['the base is broken', [row('base', 'fail'), row('middle', 'fail')], ['middle because a.base']],
  ['in any order', [row('middle', 'fail'), row('base', 'fail')], ['middle because a.base']],
  ['the base is kept', [row('base', 'pass'), row('middle', 'fail')], []],
  ['the base is undecided', [row('base', 'inconclusive'), row('middle', 'fail')], []],
  ['the base only warned', [row('base', 'warn'), row('middle', 'fail')], []],
  ['the base has no check in the run', [row('middle', 'fail')], []],
  ['a check that passed is not attributed', [row('base', 'fail'), row('middle', 'pass')], []],
  ['an error is ours', [row('base', 'fail'), row('middle', 'error')], []],
  [
    'a symptom is not a cause',
    [row('base', 'fail'), row('middle', 'fail'), row('top', 'fail')],
    ['middle because a.base'],
  ],
  [
    'the next broken base counts',
    [row('base', 'fail'), row('middle', 'fail'), row('both', 'fail')],
    ['middle because a.base', 'both because a.base'],
  ],
  [
    'a check of two clauses, of which one rests on nothing',
    [row('base', 'fail'), row('two', 'fail', ['a.middle', 'a.other'])],
    [],
  ],
  [
    'a check of two clauses that both rest on broken ones',
    [row('base', 'fail'), row('two', 'fail', ['a.middle', 'a.both'])],
    ['two because a.base'],
  ],
  ['a check is not its own cause', [row('two', 'fail', ['a.middle', 'a.base'])], []],
  ['a failure without clauses', [row('base', 'fail'), row('none', 'fail', [])], []],
  [
    'what a property finds breaks no base',
    [row('base', 'fail', undefined, { additional: true }), row('middle', 'fail')],
    [],
  ],
  [
    'what a property finds may be a symptom',
    [row('base', 'fail'), row('middle', 'fail', undefined, { additional: true })],
    ['middle because a.base'],
  ],
  [
    'a SHOULD that warned',
    [row('base', 'fail'), row('should', 'warn', undefined, { level: 'SHOULD' })],
    ['should because a.base'],
  ],
  [
    'a warning beside the assertion',
    [row('base', 'fail'), row('should', 'warn', undefined, { level: 'SHOULD', warnings: ['slow'] })],
    [],
  ],
  ['an observation that warned', [row('base', 'fail'), row('should', 'warn', undefined, { level: 'OBSERVES' })], []],
];

test('a failure is undecided where its clauses rest on a broken one', () => {
  for (const [name, results, expected] of TABLE) {
    const judged = withBrokenBases(results, basesOf(ROWS));
    const changed = judged
      .filter((result, at) => result !== results[at])
      .map(({ id, because }) => `${id} because ${because}`);
    assert.deepEqual(changed, expected, name);
    const isFound = judged.some(({ verdict }) => verdict === 'fail');
    assert.ok(isFound || !results.some(({ verdict }) => verdict === 'fail'), `${name}: no failure is left`);
  }
});

test('an undecided check keeps its evidence, and its cause stays the only failure', () => {
  const evidence = { exchanges: [3, 4], decisive: 4, expected: 1, actual: 2, startedAt: '', durationMs: 0 };
  const result = (id: string, verdict: CheckResult['verdict']): CheckResult => ({
    ...{
      ...evidence,
      type: 'check',
      id,
      title: `MUST be ${id}`,
      suite: 'a',
      level: 'MUST',
      clauses: [`a.${id}`],
      verdict,
    },
    reason: 'the list is empty',
  });
  const [base, middle] = attributed([result('base', 'fail'), result('middle', 'fail')], ROWS);
  assert.deepEqual(base, result('base', 'fail'));
  assert.deepEqual(middle, {
    ...result('middle', 'inconclusive'),
    attribution: 'target',
    because: 'a.base',
    reason: 'not decided, because a.base is broken: the list is empty',
  });
});
