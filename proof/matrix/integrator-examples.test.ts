/** Each check that can blame an integrator is proved by a faulty example that breaks its clause. The test names a check without one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examples } from '../../examples/integrators/index.ts';
import { APP_CHECKS } from '../../suites/app/index.ts';
import { DELIVERY_CHECKS } from '../../suites/provider/index.ts';

/** Checks without an example, each with the test that proves it. */
const PROVED_ELSEWHERE: Readonly<Record<string, string>> = {
  'provider.checkout.https':
    'cli/precheck/provider/provider.test.ts: an example listens on this machine, where plain HTTP is allowed.',
};

test('every MUST check of a precheck has a faulty example', async () => {
  const broken = new Set((await examples()).flatMap(({ clauses }) => clauses));
  const unproved = [...APP_CHECKS, ...DELIVERY_CHECKS]
    .filter(({ level, clauses }) => level === 'MUST' && !clauses.some((clause) => broken.has(clause)))
    .map(({ id }) => id);
  assert.deepEqual(unproved, Object.keys(PROVED_ELSEWHERE));
});
