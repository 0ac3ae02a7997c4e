/** An id is an address: `delivery.batch.x` lives in `suites/delivery/batch.ts` or in a file under `suites/delivery/batch/`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLAUSES } from '../contracts/clauses/index.ts';
import { ALL_CHECKS, isAddressOf, sourcesOf } from '../scripts/generate/coverage.ts';
import { SOURCES } from './sources.generated.ts';

const IDS = ALL_CHECKS.map(({ id }) => id);

test('every check id is a whole literal in a file at its address', () => {
  const sources = sourcesOf(IDS);
  assert.deepEqual(
    IDS.filter((id) => !isAddressOf(id, sources.get(id)?.split(':')[0] ?? '')),
    [],
  );
  assert.deepEqual(Object.keys(SOURCES).sort(), [...IDS].sort());
});

test('an id that is assembled or misplaced is named', () => {
  assert.throws(
    () => sourcesOf(['delivery.batch.not-there']),
    /delivery\.batch\.not-there \(suites\/delivery\/batch\)/,
  );
  assert.equal(isAddressOf('a.b.c', 'suites/a/b.ts'), true);
  assert.equal(isAddressOf('a.b.c', 'suites/a/b/any.ts'), true);
  assert.equal(isAddressOf('a.b.c', 'suites/a/bc.ts'), false);
});

test('no two checks have the same id', () => {
  assert.deepEqual(
    IDS.filter((id, at) => IDS.indexOf(id) !== at),
    [],
  );
});

test('a clause that one check alone decides has the id of that check', () => {
  const isProperty = (id: string): boolean => id.startsWith('properties.');
  const byId = new Map<string, (typeof ALL_CHECKS)[number]>(ALL_CHECKS.map((check) => [check.id, check]));
  const different = CLAUSES.flatMap(({ id, checks = [] }) => {
    const own = checks.filter((check) => !isProperty(check));
    const alone = own.length === 1 && byId.get(own[0]!)?.clauses.length === 1;
    return alone && own[0] !== id ? [`${id} is decided by ${own[0]} alone`] : [];
  });
  assert.deepEqual(different, []);
});
