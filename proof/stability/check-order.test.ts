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

/** What the checks say of the correct service if they run in this order: their ids, each with its verdict. */
async function verdictsInOrder(ids: readonly string[]): Promise<string[]> {
  const { service, profile } = open('check-order');
  const suites = ids.flatMap((id) =>
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
  return results.map(({ id, verdict }) => `${id} ${verdict}`).sort();
}

test('contents of installations that other checks change in between are not expected', async () => {
  assert.deepEqual(await verdictsInOrder(ORDER), ORDER.map((id) => `${id} pass`).sort());
});

/** The second one found a fault of the correct service when it was given a shared method as the first one had left it. */
const PAIRS: readonly (readonly string[])[] = [
  ['delivery.lists.stale-pages.methods', 'delivery.lists.later-pages.method-fields'],
  ['envelope.delivery.other-store', 'delivery.owner.methods-not-listed'],
];

for (const ids of PAIRS)
  test(`shared methods of ${ids[0]} do not disturb ${ids[1]}`, async () => {
    assert.deepEqual(await verdictsInOrder(ids), ids.map((id) => `${id} pass`).sort());
  });
