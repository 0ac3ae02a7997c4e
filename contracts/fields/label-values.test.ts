import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasKnownValue, type KnownLabelField } from './label-values.ts';

const TABLE: ReadonlyArray<readonly [KnownLabelField, known: string, sent: string | undefined, same: boolean]> = [
  ['shipping_first_name', 'Zoë', 'Zoe\u0308', true],
  ['shipping_first_name', 'Zoë', ' Zoë ', true],
  ['shipping_first_name', 'Zoë', 'Zoe', false],
  ['shipping_company', 'Berg & Co', 'Berg &amp; Co', false],
  ['shipping_company', '', undefined, true],
  ['shipping_company', '', 'null', false],
  ['shipping_company', 'Berg', undefined, false],
  ['shipping_street', 'One street\n7', 'One street\r\n7', true],
  ['shipping_zip', '00100', '100', false],
  ['shipping_email', 'Zoe@Mail.example', 'zoe@mail.example', true],
  ['shipping_country_code', 'LV', 'lv', true],
  ['shipping_phone', '20000009', '+371 2000 0009', true],
  ['shipping_phone', '+37120000009', '0037120000009', true],
  ['shipping_phone', '+37120000009', '+37120000008', false],
  ['seller_address', 'Street 7\nRīga', 'Street 7 Rīga', true],
  ['seller_name', 'Vējš', 'Another shop', false],
  ['website_alias', 'amber', 'birch', false],
  ['website_domain', 'amber.example', 'Amber.example', true],
  ['amount', '30.3', '30.30', true],
  ['amount', '30.30', '3030', false],
  ['amount', '0', '', false],
  ['weight', '2600', '2600', true],
  ['currency', 'EUR', 'USD', false],
];

test('a value is the known one as a person reads it', () => {
  for (const [field, known, sent, same] of TABLE)
    assert.equal(hasKnownValue(field, known, sent), same, JSON.stringify({ field, known, sent }));
});
