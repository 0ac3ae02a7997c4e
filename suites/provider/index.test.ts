import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLAUSES, OBSERVATIONS } from '../../contracts/clauses/index.ts';
import { DELIVERY_CHECKS } from './index.ts';

const OURS = 'provider.';

test('checks and clauses name each other', () => {
  const byChecks = DELIVERY_CHECKS.flatMap(({ id, clauses }) => clauses.map((clause) => `${id} ${clause}`)).sort();
  const byClauses = CLAUSES.flatMap(({ id, checks = [] }) =>
    checks.filter((check) => check.startsWith(OURS)).map((check) => `${check} ${id}`),
  ).sort();
  assert.deepEqual(byChecks, byClauses);
});

test('checks and observations name each other', () => {
  const byChecks = DELIVERY_CHECKS.flatMap(({ id, observations = [] }) =>
    observations.map((one) => `${id} ${one}`),
  ).sort();
  const byRows = OBSERVATIONS.flatMap(({ id, checks }) =>
    checks.filter((check) => check.startsWith(OURS)).map((check) => `${check} ${id}`),
  ).sort();
  assert.deepEqual(byChecks, byRows);
});

test('ids are their own, and begin alike', () => {
  const ids = DELIVERY_CHECKS.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(
    ids.filter((id) => !id.startsWith(OURS)),
    [],
  );
});
