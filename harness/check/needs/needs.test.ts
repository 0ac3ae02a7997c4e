import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIXTURE_PROFILE, fixtureProfile } from '../../cleanup/undo/undo.fixture.ts';
import { check } from '../check.ts';
import type { CheckOptions } from '../facts.ts';
import { missingFor } from './index.ts';

const ofMethods = (needs: CheckOptions['needs'], options: Partial<CheckOptions> = {}) =>
  check('a.b', 'MUST be', { clauses: [], needs, effects: 'read', part: 'delivery', ...options }, async () => undefined);

const missing = (needs: CheckOptions['needs'], fields: object, options?: Partial<CheckOptions>) =>
  missingFor(ofMethods(needs, options), {
    profile: fixtureProfile({ ...FIXTURE_PROFILE, ...fields }),
    run: { unusable: {} },
    driver: {},
  });

test('the key of a delivery provider will do for the methods of a store, and nothing compares the two', () => {
  const store = 'delivery.private.apiKey';
  const delivery = { public: FIXTURE_PROFILE.delivery.public };
  assert.equal(missing([store], { delivery }), undefined);
  assert.match(missing([store], { delivery: {} })?.reason ?? '', /no "delivery.private.apiKey"/);
  assert.match(missing([store, 'website.languages'], { delivery })?.reason ?? '', /no "delivery.private.apiKey"/);
  assert.match(
    missing([store], { delivery }, { part: 'delivery.private' })?.reason ?? '',
    /no "delivery.private.apiKey"/,
  );
  const absent = ['delivery.private'];
  assert.equal(missing([store], { delivery, absent }), undefined);
  assert.match(missing([store], { delivery: {}, absent })?.reason ?? '', /no "delivery.public.apiKey"/);
  for (const other of ['delivery.public.apiKey', 'website.languages'])
    assert.equal(missing([store, other], { delivery, absent })?.verdict, 'not-applicable', other);
});

test('a delivery provider will do as second store where a check says so', () => {
  const second = 'delivery.private.otherApiKey';
  const {
    private: { apiKey },
    public: provider,
  } = FIXTURE_PROFILE.delivery;
  const delivery = { private: { apiKey }, public: provider };
  assert.equal(missing([second], { delivery }, { takesProvider: true })?.reason, undefined);
  assert.match(missing([second], { delivery })?.reason ?? '', /no "delivery.private.otherApiKey"/);
  const absent = ['delivery.public'];
  assert.match(missing([second], { delivery, absent }, { takesProvider: true })?.reason ?? '', /otherApiKey/);
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
