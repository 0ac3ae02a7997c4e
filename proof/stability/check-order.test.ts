/** A check that uses what another one has left gets the same verdict when other checks come in between. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInProcess } from '../../harness/runner/in-process.ts';
import { SUITES } from '../../suites/index.ts';
import { open } from '../mutants/running/run.ts';

const ORDER = [
  'apps.isolation.refusal-changes-nothing',
  'apps.data.string-kept',
  'apps.isolation.installed-keeps-contents',
];

test('contents of installations that other checks change in between are not expected', async () => {
  const { service, profile } = open('check-order');
  const suites = ORDER.flatMap((id) =>
    SUITES.flatMap(({ name, serialGroup, checks }) => {
      const found = checks.filter((one) => one.id === id);
      return found.length === 0 ? [] : [{ name, serialGroup, checks: found }];
    }),
  );
  const results = await runInProcess(suites, {
    profile,
    transport: async (request) => service.fetch(request),
    instantPauses: true,
  });
  service.close();
  const seen = results.map(({ id, verdict }) => `${id} ${verdict}`).sort();
  assert.deepEqual(seen, ORDER.map((id) => `${id} pass`).sort());
});
