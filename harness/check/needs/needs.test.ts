import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIXTURE_PROFILE, fixtureProfile } from '../../cleanup/undo/undo.fixture.ts';
import { check } from '../check.ts';
import type { CheckOptions } from '../facts.ts';
import { missingFor } from './index.ts';

const ofMethods = (needs: CheckOptions['needs']) =>
  check('a.b', 'MUST be', { clauses: [], needs, effects: 'read', part: 'delivery' }, async () => undefined);

const missing = (needs: CheckOptions['needs'], fields: object) =>
  missingFor(ofMethods(needs), {
    profile: fixtureProfile({ ...FIXTURE_PROFILE, ...fields }),
    run: { unusable: {} },
    driver: {},
  });

test('where stores have no keys, the key of a delivery provider will do, and nothing compares the two', () => {
  const store = 'delivery.private.apiKey';
  const delivery = { public: FIXTURE_PROFILE.delivery.public };
  assert.match(missing([store], { delivery })?.reason ?? '', /no "delivery.private.apiKey"/);
  const absent = ['delivery.private'];
  assert.equal(missing([store], { delivery, absent }), undefined);
  assert.match(missing([store], { delivery: {}, absent })?.reason ?? '', /no "delivery.public.apiKey"/);
  const both = missing([store, 'delivery.public.apiKey'], { delivery, absent });
  assert.equal(both?.verdict, 'not-applicable');
});

test('a check that uses what is allowed needs one permission of them', () => {
  const sequences = check(
    'a.b',
    'MUST be',
    { clauses: [], needs: [], effects: 'read', usesAllowed: ['settings', 'domains'], part: 'reseller' },
    async () => undefined,
  );
  const missingUnder = (allow: readonly string[]) =>
    missingFor(sequences, {
      profile: fixtureProfile({ ...FIXTURE_PROFILE, allow }),
      run: { unusable: {} },
      driver: {},
    });
  assert.match(missingUnder(['write'])?.reason ?? '', /contains none of "settings" and "domains": add/);
  assert.equal(missingUnder(['domains']), undefined);
});
