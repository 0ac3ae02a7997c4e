import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCurrentCountryCode } from './countries.ts';

test('country codes are distinguished from codes that ISO has given up, keeps for itself, or never had', () => {
  for (const code of ['LV', 'lv', 'EE', 'GB', 'GR', 'US', 'RS', 'XK'])
    assert.equal(isCurrentCountryCode(code), true, code);
  for (const code of ['UK', 'EL', 'SU', 'YU', 'EU', 'XX', 'ZZ', 'LVA'])
    assert.equal(isCurrentCountryCode(code), false, code);
});
