import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withCauses } from './attribution.ts';
import type { CheckOutcome } from './results/shape.ts';

const outcome = (id: string, rest: Partial<CheckOutcome>): CheckOutcome => ({
  id,
  title: id,
  level: 'MUST',
  suite: 'delivery',
  clauses: [id],
  verdict: 'inconclusive',
  attribution: 'target',
  reason: `reason of ${id}`,
  expected: null,
  actual: null,
  pointer: null,
  exchanges: [],
  durationMs: 0,
  ...rest,
});

test('a check inherits the attribution of the clause it waits for, through a chain', () => {
  const checks = [
    outcome('c', { because: 'b' }),
    outcome('b', { because: 'a' }),
    outcome('a', { attribution: 'configuration', reason: 'correct "website.languages"' }),
  ];
  const found = withCauses(checks);
  assert.deepEqual(
    found.map(({ attribution }) => attribution),
    ['configuration', 'configuration', 'configuration'],
  );
  assert.match(found[0]?.reason ?? '', /correct "website\.languages"/);
});

test('what failed or passed is not an excuse', () => {
  for (const verdict of ['fail', 'pass', 'warn'] as const) {
    const [waiting] = withCauses([
      outcome('b', { because: 'a' }),
      outcome('a', { attribution: 'configuration' }),
      outcome('other', { clauses: ['a'], verdict, attribution: verdict === 'pass' ? null : 'target' }),
    ]);
    assert.equal(waiting?.attribution, 'target', verdict);
  }
});

test('checks that wait for each other keep their attribution', () => {
  const found = withCauses([outcome('a', { because: 'b' }), outcome('b', { because: 'a' })]);
  assert.deepEqual(
    found.map(({ attribution }) => attribution),
    ['target', 'target'],
  );
});
