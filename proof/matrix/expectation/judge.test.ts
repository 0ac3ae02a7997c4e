import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { MatrixCheck, MatrixRow, RowKind } from '../../../contracts/run/selftest.ts';
import { foundBy, problemsOf, type Scope } from './judge.ts';

const check = (id: string, over: Partial<MatrixCheck> = {}): MatrixCheck => ({
  id,
  title: `MUST ${id}`,
  level: 'MUST',
  suite: 's',
  clauses: [`clause.${id}`],
  browser: false,
  ...over,
});
const checks = [
  check('a'),
  check('b'),
  check('c', { level: 'SHOULD' }),
  check('d', { level: 'OBSERVES', clauses: [] }),
];

const row = (kind: RowKind, cells: string, clauses: string[] = [], verdicts: string[] = []): MatrixRow => ({
  kind,
  id: `${kind}.x`,
  about: 'It is so.',
  clauses,
  cells,
  findings: verdicts.map((text) => {
    const [id, verdict] = text.split(' ') as [string, 'fail'];
    return { check: id, verdict, reason: 'because' };
  }),
  durationMs: 1,
});

const scope: Scope = { everyFault: false, everyCheck: true, onControl: {} };
const kinds = (rows: MatrixRow[], over: Partial<Scope> = {}): string[] =>
  problemsOf({ checks, rows }, { ...scope, ...over }).map(({ kind, check: id }) => (id ? `${kind} ${id}` : kind));

describe('a fault', () => {
  test('is found by a failed MUST and by a warned SHOULD, and by nothing else', () => {
    const found = (cells: string) => foundBy(checks, row('fault', cells)).map(({ id }) => id);
    assert.deepEqual(found('fppo'), ['a']);
    assert.deepEqual(found('ppwo'), ['c']);
    assert.deepEqual(found('wiew'), []);
  });

  test('is well when exactly its clauses fail', () => {
    assert.deepEqual(kinds([row('fault', 'fppo', ['clause.a'])]), []);
    assert.deepEqual(kinds([row('fault', 'ffpo', ['clause.a', 'clause.b'])]), []);
    assert.deepEqual(kinds([row('fault', 'fiio', ['clause.a'])]), []);
  });

  test('that no check finds is a problem, and a failed precondition does not find it', () => {
    assert.deepEqual(kinds([row('fault', 'pppo', ['clause.a'])]), ['not-found']);
    assert.deepEqual(kinds([row('fault', 'ippo', ['clause.a'])]), ['not-found']);
    assert.deepEqual(kinds([row('fault', 'pppo', [])]), []);
  });

  test('that fails a check of another clause, or leaves one of its own alone, is a problem', () => {
    assert.deepEqual(kinds([row('fault', 'ffpo', ['clause.a'])]), ['undeclared b']);
    assert.deepEqual(kinds([row('fault', 'fppo', ['clause.a', 'clause.b'])]), ['declared-only']);
    assert.deepEqual(kinds([row('fault', 'pfpo', ['clause.a'])]), ['undeclared b', 'declared-only']);
    assert.deepEqual(kinds([row('fault', 'fppo', ['clause.a', 'clause.nobody'])]), ['declared-only']);
  });

  test('of a clause that was not run is left alone', () => {
    assert.deepEqual(kinds([row('fault', '-ppo', ['clause.a'])]), []);
    assert.deepEqual(kinds([row('fault', '-fpo', ['clause.a'])]), ['undeclared b']);
    assert.deepEqual(kinds([row('fault', 'pppo', ['clause.nobody'])], { everyCheck: false }), []);
  });
});

describe('checks', () => {
  test('of level MUST must fail under some fault when all faults ran', () => {
    const rows = [row('fault', 'fppo', ['clause.a'])];
    assert.deepEqual(kinds(rows, { everyFault: true }), ['unkillable b']);
    const both = [...rows, row('fault', 'pfpo', ['clause.b'])];
    assert.deepEqual(kinds(both, { everyFault: true }), []);
  });

  test('that need a browser count only if a browser was available', () => {
    const seen = [check('page', { browser: true })];
    const judge = (cells: string) =>
      problemsOf({ checks: seen, rows: [row('fault', cells)] }, { ...scope, everyFault: true });
    assert.deepEqual(judge('-'), []);
    assert.deepEqual(
      judge('p').map(({ kind }) => kind),
      ['unkillable'],
    );
  });
});

describe('correct services', () => {
  test('are never blamed', () => {
    for (const kind of ['correct', 'independent', 'variant', 'combination'] as const) {
      assert.deepEqual(kinds([row(kind, 'ppoo')]), [], kind);
      assert.deepEqual(kinds([row(kind, 'pfpo')]), ['false-alarm b'], kind);
    }
    assert.deepEqual(kinds([row('correct', 'ppwo')]), ['false-alarm c']);
    assert.deepEqual(kinds([row('variant', 'ppwo')]), []);
  });

  test('leave nothing undecided when the configuration is complete', () => {
    const findings = ['a inconclusive', 'c inconclusive'];
    assert.deepEqual(kinds([row('correct', 'ipio', [], findings)]), ['undecided a']);
    assert.deepEqual(kinds([row('variant', 'ipio', [], findings)]), []);
    assert.deepEqual(kinds([row('correct', 'nppo', [], ['a not-applicable'])]), ['undecided a']);
  });
});

describe('controls', () => {
  const on = (cells: string, passes?: Scope['onControl'][string]): string[] =>
    kinds([row('control', cells)], passes === undefined ? {} : { onControl: { 'control.x': passes } });

  test('pass exactly the listed checks', () => {
    assert.deepEqual(on('fiwo'), []);
    assert.deepEqual(on('fpwo'), ['passes-on-control b']);
    assert.deepEqual(on('fpwo', { only: ['b'] }), []);
    assert.deepEqual(on('ffwo', { only: ['b'] }), ['passes-on-control b']);
    assert.deepEqual(on('pfpo', { allBut: ['b'] }), []);
    assert.deepEqual(on('fppo', { allBut: ['b'] }), ['passes-on-control a', 'passes-on-control b']);
    assert.deepEqual(on('-fpo', { allBut: ['b'] }), []);
  });
});

test('an error of the harness is a problem on any row', () => {
  assert.deepEqual(kinds([row('variant', 'eppo', [], ['a error'])]), ['error a']);
  assert.deepEqual(kinds([row('fault', 'eppo', ['clause.b'], ['a error'])]), ['error a', 'not-found']);
});
