import assert from 'node:assert/strict';
import { it } from 'node:test';
import { clauseOf, observationOf, refuseTwins, rowsOf } from './generate-clauses.ts';

const CLAUSE = { id: 'a.b', level: 'MUST', party: 'service', section: 'Errors', text: 'Says so.', checks: ['a.b'] };

it('reads a row with checks and a row that is excluded', () => {
  assert.deepEqual(clauseOf(CLAUSE, 'x.yaml'), CLAUSE);
  const { checks, ...rest } = CLAUSE;
  assert.deepEqual(clauseOf({ ...rest, excluded: 'not visible' }, 'x.yaml'), { ...rest, excluded: 'not visible' });
});

it('refuses a row that is neither or both, or lacks a member, and names file and row', () => {
  const { checks, ...neither } = CLAUSE;
  assert.throws(() => clauseOf(neither, 'x.yaml'), /x\.yaml: a\.b needs `checks`/);
  assert.throws(() => clauseOf({ ...CLAUSE, excluded: 'why' }, 'x.yaml'), /a\.b has both/);
  assert.throws(() => clauseOf({ ...neither, excluded: ' ' }, 'x.yaml'), /needs a text under `excluded`/);
  assert.throws(
    () => clauseOf({ ...CLAUSE, level: 'SHALL' }, 'x.yaml'),
    /`level: SHALL`; allowed are MUST, SHOULD, MAY/,
  );
  assert.throws(() => clauseOf({ ...CLAUSE, party: 'client' }, 'x.yaml'), /allowed are service, integrator/);
  assert.throws(() => clauseOf({ ...CLAUSE, checks: [1] }, 'x.yaml'), /list of check ids/);
  assert.throws(() => clauseOf({ ...CLAUSE, check: ['a.b'] }, 'x.yaml'), /a\.b has the unknown member `check`/);
});

it('reads observations, and refuses one without a question', () => {
  const row = { id: 'a.c', section: 'Errors', question: 'Which code?', checks: ['a.c'] };
  assert.deepEqual(observationOf(row, 'o.yaml'), row);
  assert.throws(
    () => observationOf({ ...row, question: '' }, 'o.yaml'),
    /o\.yaml: the row a\.c needs a text under `question`/,
  );
});

it('takes a list of rows and an empty file, and nothing else', () => {
  assert.deepEqual(rowsOf('- { id: a }', 'x.yaml'), [{ id: 'a' }]);
  assert.deepEqual(rowsOf('# nothing yet', 'x.yaml'), []);
  assert.throws(() => rowsOf('id: a', 'x.yaml'), /x\.yaml holds no list of rows/);
});

it('refuses an id that stands twice', () => {
  assert.throws(() => refuseTwins([{ id: 'a' }, { id: 'b' }, { id: 'a' }]), /The id a stands in two rows/);
});
