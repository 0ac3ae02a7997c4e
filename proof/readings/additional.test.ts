/** Additional checks may stay undecided on a service; these have no reason to. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choiceOf } from './reading.ts';
import { READINGS } from './rows/index.ts';
import { runOnService } from './run-service.ts';

const DECIDED: Readonly<Record<string, string>> = {
  'reseller.methods/all-get': 'reseller.account.nothing-else-changes-password',
};

for (const [name, check] of Object.entries(DECIDED)) {
  test(`${check} is decided on a service with ${name}`, async () => {
    const { results } = await runOnService(choiceOf(READINGS, name), { wanted: (id) => id === check });
    assert.deepEqual(
      results.map(({ id, verdict }) => [id, verdict]),
      [[check, 'pass']],
    );
  });
}
