import assert from 'node:assert/strict';
import { it } from 'node:test';
import { clauseOf, observationOf, refuseBadBases, refuseDuplicates, rowsOf } from './clauses.ts';

const CLAUSE = { id: 'a.b', level: 'MUST', party: 'service', section: 'Errors', text: 'Says so.' };

it('reads a row, and one that is excluded', () => {
  assert.deepEqual(clauseOf(CLAUSE, 'x.yaml'), CLAUSE);
  assert.deepEqual(clauseOf({ ...CLAUSE, excluded: 'not visible' }, 'x.yaml'), { ...CLAUSE, excluded: 'not visible' });
});

it('refuses a row that lacks a member or has an unknown one, and names file and row', () => {
  assert.throws(() => clauseOf({ ...CLAUSE, excluded: ' ' }, 'x.yaml'), /needs a text under `excluded`/);
  assert.throws(
    () => clauseOf({ ...CLAUSE, level: 'SHALL' }, 'x.yaml'),
    /`level: SHALL`; allowed are MUST, SHOULD, MAY/,
  );
  assert.throws(() => clauseOf({ ...CLAUSE, party: 'client' }, 'x.yaml'), /allowed are service, integrator/);
  assert.throws(() => clauseOf({ ...CLAUSE, checks: ['a.b'] }, 'x.yaml'), /a\.b has the unknown member `checks`/);
});

it('reads observations, and refuses one without a question', () => {
  const row = { id: 'a.c', section: 'Errors', question: 'Which code?' };
  assert.deepEqual(observationOf(row, 'o.yaml'), row);
  assert.throws(
    () => observationOf({ ...row, question: '' }, 'o.yaml'),
    /o\.yaml: the row a\.c needs a text under `question`/,
  );
});

it('takes a list of rows and an empty file, and nothing else', () => {
  assert.deepEqual(rowsOf('- { id: a }', 'x.yaml'), [{ id: 'a' }]);
  assert.deepEqual(rowsOf('# nothing yet', 'x.yaml'), []);
  assert.throws(() => rowsOf('id: a', 'x.yaml'), /x\.yaml contains no list of rows/);
});

it('refuses a duplicate id', () => {
  assert.throws(() => refuseDuplicates([{ id: 'a' }, { id: 'b' }, { id: 'a' }]), /The id a is used by two rows/);
});

it('reads the clauses that a row rests on, and refuses anything but a list of ids', () => {
  assert.deepEqual(clauseOf({ ...CLAUSE, 'rests-on': ['a.c'] }, 'x.yaml'), { ...CLAUSE, restsOn: ['a.c'] });
  for (const bad of ['a.c', [], [1], ['a.c', 'a.c']])
    assert.throws(
      () => clauseOf({ ...CLAUSE, 'rests-on': bad }, 'x.yaml'),
      /a\.b needs under `rests-on` a list of ids/,
    );
});

it('refuses a row that rests on what can not be broken first', () => {
  const row = (id: string, restsOn?: readonly string[], more: object = {}) => {
    const { excluded: _, ...rest } = clauseOf(CLAUSE, 'x.yaml');
    return { ...rest, id, ...(restsOn === undefined ? {} : { restsOn }), ...more };
  };
  const refused = (rows: Parameters<typeof refuseBadBases>[0], expected: RegExp) =>
    assert.throws(() => refuseBadBases(rows), expected);
  refuseBadBases([row('a', ['b', 'c']), row('b', ['c']), row('c')]);
  refused([row('a', ['b'])], /The clause a rests on b, which is not a clause/);
  refused([row('a', ['b']), row('b', undefined, { level: 'SHOULD' })], /not a MUST/);
  refused([row('a', ['b']), row('b', undefined, { party: 'integrator' })], /binds another party/);
  refused([row('a', ['b']), row('b', undefined, { excluded: 'no' })], /is excluded/);
  refused([row('a', ['a'])], /rests on itself \(a > a\)/);
  refused([row('a', ['b']), row('b', ['c']), row('c', ['a'])], /rests on itself \(a > b > c > a\)/);
});
