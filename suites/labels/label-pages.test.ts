// A check that waits for a label request on its own page must not have another address in its place when it runs again in plain values.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHECKS } from '../index.ts';

test('checks of orders and checkouts keep the addresses of their label pages in plain values', () => {
  const opens = (needs: readonly string[]) =>
    needs.some((need) => need === 'driver.openOrder' || need === 'driver.startDynamicCheckout');
  const waiting = CHECKS.filter(({ needs }) => opens(needs));
  assert.ok(waiting.length > 20);
  const replaced = waiting.filter(({ exactValues }) => !exactValues?.includes('label-page'));
  assert.deepEqual(
    replaced.map(({ id }) => id),
    [],
  );
});
