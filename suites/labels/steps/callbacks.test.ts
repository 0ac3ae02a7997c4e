// A label that is not kept: the store could not fetch it, or the order has one already.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayLackAccess } from './callbacks.ts';

test('a first label that is not kept may be one that the store could not reach', () => {
  assert.equal(mayLackAccess({ labelUrl: null }, false), true);
  assert.equal(mayLackAccess({ labelUrl: null }, true), false);
});

test('an order that has a label may refuse another one, whatever handshake failed meanwhile', () => {
  assert.equal(mayLackAccess({ labelUrl: 'https://labels.example/first.pdf' }, false), false);
});
