/** A part that a profile declares absent takes checks with it: otherwise the declaration would do nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PARTS } from '../harness/target/profile/shape/index.ts';
import { ALL_CHECKS } from '../scripts/generate/coverage.ts';

/** No check needs the portals: their clauses are excluded. */
const WITHOUT_CHECKS = ['portals'];

test('each part that a profile can declare absent is that of some check', () => {
  const used = new Set(
    ALL_CHECKS.flatMap((check) => ('partList' in check ? (check.partList as readonly string[]) : [])),
  );
  assert.deepEqual(
    PARTS.filter((part) => !used.has(part)),
    WITHOUT_CHECKS,
  );
});
