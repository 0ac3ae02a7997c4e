import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Breach } from './events.ts';
import { becauseOf, type Evident, type LevelOf, levelsOf, withEvidence } from './evidence.ts';
import type { Level, Verdict } from './verdicts.ts';

const LEVELS: Readonly<Record<string, Level>> = {
  ...{ 'm.one': 'MUST', 'm.two': 'MUST', 's.one': 'SHOULD' },
  ...{ 'delivery.lists.stable-order': 'MUST', 'delivery.point.city-kept': 'MUST', 'apps.user.email': 'MUST' },
};
const levelOf: LevelOf = (clause) => LEVELS[clause];

interface Row {
  readonly id: string;
  readonly clauses: readonly string[];
  readonly verdict: Verdict;
  readonly because?: string;
  readonly level?: string;
  readonly breaches?: readonly Breach[];
}

const own = (verdict: Verdict, clause = 'm.one'): Row => ({ id: 'own', clauses: [clause], verdict });
const waits = (id: string, because: string, clauses = ['m.two'], level = 'MUST'): Row => ({
  ...{ id, clauses, because, level, verdict: 'inconclusive' },
});

/** A check whose response broke a clause by itself. */
const breaks = (id: string, clause: string, verdict: Verdict = 'pass'): Row => ({
  ...{ id, clauses: ['m.two'], verdict, breaches: [{ clause, exchange: 7, reason: 'a code is a text' }] },
});

/** What the checks came to; which of them then reports which clause, and how. */
const TABLE: ReadonlyArray<readonly [string, readonly Row[], readonly string[]]> = [
  ['a response breaks a clause whose check passed', [own('pass'), breaks('c', 'm.one')], ['own fail m.one, leaves ']],
  ['a response breaks a clause whose check failed', [own('fail'), breaks('c', 'm.one')], []],
  ['a response breaks a clause without a check', [breaks('c', 'm.one')], ['c fail m.one, leaves m.two']],
  [
    'two responses break one clause',
    [own('pass'), breaks('c', 'm.one'), breaks('d', 'm.one')],
    ['own fail m.one, leaves '],
  ],
  ['a response breaks what is no MUST', [own('pass'), breaks('c', 's.one')], ['c warn s.one, leaves m.two']],
  ['a response breaks an unknown clause', [own('pass'), breaks('c', 'no.such')], []],
  [
    'a failure of its envelopes may explain what a response breaks',
    [own('fail', 'envelope.v1.body-is-object'), breaks('c', 'apps.user.email')],
    [],
  ],
  ['nothing was met', [own('pass')], []],
  ['the clause passed its own check', [own('pass'), waits('c', 'm.one')], ['c fail m.one, leaves m.two']],
  ['its own check found it', [own('fail'), waits('c', 'm.one')], []],
  ['its own check is undecided', [own('inconclusive'), waits('c', 'm.one')], ['c fail m.one, leaves m.two']],
  ['its own check is broken', [own('error'), waits('c', 'm.one')], ['c fail m.one, leaves m.two']],
  ['its own check only warned', [own('warn'), waits('c', 'm.one')], ['c fail m.one, leaves m.two']],
  ['its own check did not run', [waits('c', 'm.one')], ['c fail m.one, leaves m.two']],
  ['two met it', [own('pass'), waits('c', 'm.one'), waits('d', 'm.one')], ['c fail m.one, leaves m.two']],
  [
    'a MUST check goes before one that observes',
    [waits('c', 'm.one', [], 'OBSERVES'), waits('d', 'm.one')],
    ['d fail m.one, leaves m.two'],
  ],
  [
    'two wait for each other: the one that comes first',
    [waits('c', 'm.one', ['m.two']), waits('d', 'm.two', ['m.one'])],
    ['c fail m.one, leaves m.two'],
  ],
  [
    'a failure of the same interface may explain it',
    [own('fail', 'delivery.lists.stable-order'), waits('c', 'delivery.point.city-kept')],
    [],
  ],
  [
    'a failure of its envelopes may explain it',
    [own('fail', 'envelope.v1.body-is-object'), waits('c', 'apps.user.email')],
    [],
  ],
  [
    'a failure of another interface does not',
    [own('fail', 'delivery.lists.stable-order'), waits('c', 'apps.user.email')],
    ['c fail apps.user.email, leaves m.two'],
  ],
  [
    'envelopes of Reseller are its own',
    [own('fail', 'envelope.reseller.body-is-object'), waits('c', 'apps.user.email')],
    ['c fail apps.user.email, leaves m.two'],
  ],
  ['a check met a breach of its own clause', [waits('c', 'm.one', ['m.one', 'm.two'])], ['c fail m.one, leaves m.two']],
  ['a SHOULD', [own('pass', 's.one'), waits('c', 's.one')], ['c warn s.one, leaves m.two']],
  ['a SHOULD of which a check warned', [own('warn', 's.one'), waits('c', 's.one')], []],
  ['a clause that is excluded or unknown', [waits('c', 'x.one')], []],
];

test('a breach that only a precondition met is reported once, for its clause', () => {
  for (const [name, rows, expected] of TABLE) {
    const results: Evident[] = rows.map((row) => ({ level: 'MUST', reason: 'seen', attribution: null, ...row }));
    const folded = withEvidence(results, levelOf);
    const reported = folded
      .filter((result, at) => result.verdict !== results[at]?.verdict)
      .map(({ id, verdict, clauses, undecided = [] }) => `${id} ${verdict} ${clauses}, leaves ${undecided}`);
    assert.deepEqual(reported, expected, name);
    const isOpen = folded.some(({ because }) => because !== undefined && levelOf(because) !== undefined);
    const isFound = folded.some(({ verdict }) => verdict === 'fail' || verdict === 'warn');
    assert.ok(!isOpen || isFound, `${name}: a clause is reported as broken, but nothing fails`);
  }
});

test('who reports a breach is to blame for nothing, says whose clause it is, and waits for nothing', () => {
  const reason = becauseOf('m.one', 'still listed');
  const [report] = withEvidence<Evident>([{ ...waits('c', 'm.one'), level: 'MUST', reason }], levelOf);
  assert.equal(report?.attribution, 'target');
  assert.match(report?.reason ?? '', /^m\.one is broken, as a precondition of this check found: still listed$/);
  assert.ok(!('because' in (report ?? {})));
});

test('a refusal that a precondition met is not evidence', () => {
  const refused = { ...own('inconclusive'), level: 'MUST', restsOn: 'm.two' };
  assert.deepEqual(withEvidence([refused], levelOf), [refused]);
});

test('clauses that are excluded have no level', () => {
  const of = levelsOf([
    { id: 'a', level: 'MUST' },
    { id: 'b', level: 'MUST', excluded: 'not observable' },
  ]);
  assert.deepEqual([of('a'), of('b'), of('c')], ['MUST', undefined, undefined]);
});
