import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLAUSES, OBSERVATIONS } from '../../contracts/clauses/index.ts';
import { APP_CHECKS } from './index.ts';

/** Beginnings of the clauses that an app is judged by. */
const OURS = ['app.', 'envelope.v1.request-bodies-are-json'];
const ofApps = CLAUSES.filter(
  ({ id, party }) => party === 'integrator' && OURS.some((prefix) => id.startsWith(prefix)),
);

test('every clause that binds an app is decided by a check', () => {
  const undecided = ofApps.filter(
    ({ id, excluded }) => excluded === undefined && !APP_CHECKS.some(({ clauses }) => clauses.includes(id)),
  );
  assert.deepEqual(
    undecided.map(({ id }) => id),
    [],
  );
});

test('checks and clauses name each other', () => {
  const byChecks = APP_CHECKS.flatMap(({ id, clauses }) => clauses.map((clause) => `${id} ${clause}`)).sort();
  const byClauses = ofApps
    .flatMap(({ id, checks = [] }) =>
      checks.filter((check) => check.startsWith('app.')).map((check) => `${check} ${id}`),
    )
    .sort();
  assert.deepEqual(byChecks, byClauses);
});

test('checks and observations name each other', () => {
  const byChecks = APP_CHECKS.flatMap(({ id, observations = [] }) => observations.map((one) => `${id} ${one}`)).sort();
  const byRows = OBSERVATIONS.flatMap(({ id, checks }) =>
    checks.filter((check) => check.startsWith('app.')).map((check) => `${check} ${id}`),
  ).sort();
  assert.deepEqual(byChecks, byRows);
});

test('ids are their own', () => {
  const ids = APP_CHECKS.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
});
