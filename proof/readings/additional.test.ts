/** Additional checks may stay undecided on a service; these have no reason to, and find what no fault of the matrix proves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { API, afterwards } from '../../mock/faults/reseller/interception.ts';
import type { Deviation } from '../../mock/types/deviation.ts';
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

/** No fault of the matrix, which additional checks do not count for. */
const RENAMES_WEBSITES: Deviation = {
  id: 'reseller.company-becomes-brand-name',
  clause: 'reseller.account.nothing-else-changes',
  about: 'A change of the company of a reseller becomes the brand name of its websites.',
  http: afterwards(API.setSettings, ({ service: { state } }) => {
    for (const website of state.websites.all()) {
      const brandname = state.resellers.get(String(website.resellerId))?.settings.company;
      if (brandname) state.websites.set(String(website.id), { ...website, brandname });
    }
  }),
};

test('a change of settings that renames the websites of the account is found', async () => {
  const id = 'reseller.account.nothing-else-changes-sessions';
  const { results } = await runOnService(new Map(), { fault: RENAMES_WEBSITES, wanted: (one) => one === id });
  assert.deepEqual(
    results.map(({ verdict }) => verdict),
    ['fail'],
  );
});
