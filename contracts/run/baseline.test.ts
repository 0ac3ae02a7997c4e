import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BaselineFinding, baselineOutcome, excusedChecks } from './baseline.ts';
import type { Verdict } from './verdicts.ts';

const entry = (over: Partial<BaselineFinding>): BaselineFinding => ({
  reason: 'known',
  owner: 'delivery team',
  expires: '2026-12-31',
  ...over,
});
const judged = (id: string, verdict: Verdict, clauses: readonly string[] = [`clause.${id}`]) => ({
  id,
  verdict,
  clauses,
});
const DAY = '2026-06-01';
const WHOLE = { day: DAY, isPartial: false };

const STATUSES: ReadonlyArray<readonly [string, Partial<BaselineFinding>, readonly Verdict[], string]> = [
  ['still failing', { check: 'a.*' }, ['fail', 'pass'], 'known'],
  ['still warning', { check: 'a.*' }, ['warn'], 'known'],
  ['its last day', { check: 'a.*', expires: DAY }, ['fail'], 'known'],
  ['the day after', { check: 'a.*', expires: '2026-05-31' }, ['fail'], 'expired'],
  ['fixed and expired', { check: 'a.*', expires: '2026-05-31' }, ['pass'], 'expired'],
  ['fixed', { check: 'a.*' }, ['pass'], 'stale'],
  ['fixed, by clause', { clause: 'clause.a.0' }, ['observed'], 'stale'],
  ['partly undecided', { check: 'a.*' }, ['pass', 'inconclusive'], 'undecided'],
  ['an error proves nothing', { check: 'a.*' }, ['error'], 'undecided'],
  ['a part that the target does not have', { check: 'a.*' }, ['not-applicable'], 'not-run'],
  ['outside the selection', { check: 'b.*' }, ['fail'], 'not-run'],
  ['outside the selection and expired', { check: 'b.*', expires: '2020-01-01' }, ['fail'], 'not-run'],
];

test('what a run says of an entry', () => {
  for (const [name, over, verdicts, status] of STATUSES) {
    const checks = verdicts.map((verdict, at) => judged(`a.${at}`, verdict));
    assert.equal(baselineOutcome([entry(over)], checks, WHOLE)[0]?.status, status, name);
  }
});

test('in a run of some checks only the entry of a single check is stale', () => {
  const checks = [judged('a.0', 'pass', ['c.one'])];
  const findings = [entry({ check: 'a.0' }), entry({ check: 'a.*' }), entry({ clause: 'c.one' })];
  const statuses = (isPartial: boolean) =>
    baselineOutcome(findings, checks, { day: DAY, isPartial }).map(({ status }) => status);
  assert.deepEqual(statuses(true), ['stale', 'not-run', 'not-run']);
  assert.deepEqual(statuses(false), ['stale', 'stale', 'stale']);
});

test('only failures and warnings that a valid entry names are excused', () => {
  const checks = [
    judged('a.fail', 'fail'),
    judged('a.warn', 'warn'),
    judged('a.error', 'error'),
    judged('a.undecided', 'inconclusive'),
    judged('b.two', 'fail', ['c.one', 'c.two']),
    judged('b.one', 'fail', ['c.one']),
    judged('b.none', 'fail', []),
    judged('d.expired', 'fail'),
  ];
  const excused = (...findings: BaselineFinding[]) => [
    ...excusedChecks(baselineOutcome(findings, checks, WHOLE), checks),
  ];
  assert.deepEqual(excused(entry({ check: 'a.*' })), ['a.fail', 'a.warn']);
  // The second clause of b.two is not listed: a new finding.
  assert.deepEqual(excused(entry({ clause: 'c.one' })), ['b.one']);
  assert.deepEqual(excused(entry({ clause: 'c.one' }), entry({ clause: 'c.two' })), ['b.two', 'b.one']);
  assert.deepEqual(excused(entry({ check: 'd.*', expires: '2026-01-01' })), []);
});
