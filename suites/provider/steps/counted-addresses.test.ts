import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countedAddresses } from './counted-addresses.ts';

const at = (...ids: readonly (string | number)[]): string[] => ids.map((id) => `https://labels.example/v2/${id}.pdf`);

test('addresses with a counter can be guessed from each other', () => {
  assert.deepEqual(countedAddresses(at(1003, 1001, 1002)), at(1001, 1002, 1003));
  assert.deepEqual(countedAddresses(at('INV-000009', 'INV-000010', 'INV-000012')).length, 3);
  assert.deepEqual(countedAddresses(at('INV4', '000005', 'INV6', 'INV7')), at('INV4', 'INV6', 'INV7'));
  assert.deepEqual(countedAddresses(at(7, 7, 8)), [], 'two addresses');
});

test('addresses with anything else that differs can not', () => {
  assert.deepEqual(countedAddresses(at('1001-a9f', '1002-c01', '1003-77e')), []);
  assert.deepEqual(countedAddresses(at('a1', 'a2', 'a3', '4-x', '5-y', '6-z')), [], 'half of them');
  assert.deepEqual(countedAddresses(at('1001?sig=81', '1002?sig=12', '1003?sig=55')), []);
  assert.deepEqual(countedAddresses(at(481_220, 17, 903_114)), []);
  assert.deepEqual(countedAddresses(at('2f6d1c1e-0b57-4b1c', '9a1f6d02-77c1-4e55', '0c3e8f11-5a20-4f9d')), []);
});
