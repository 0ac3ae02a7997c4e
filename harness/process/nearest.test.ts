import assert from 'node:assert/strict';
import { test } from 'node:test';
import { didYouMean, nearest } from './nearest.ts';

test('the nearest known word is meant, also when only its beginning was written', () => {
  assert.equal(nearest('baselin', ['baseline', 'judge']), 'baseline');
  const ids = ['delivery.batch.accepts-100-points', 'delivery.batch.refuses-101-points'];
  assert.equal(nearest('delivery.batch.refuse-101', ids), 'delivery.batch.refuses-101-points');
  assert.equal(nearest('comp', ['completion', 'copy']), 'completion');
  assert.equal(nearest('RUN', ['run', 'runner']), 'run');
});

test('a text without a similar one has no suggestion', () => {
  assert.equal(didYouMean('frobnicate', ['run', 'judge']), '');
  assert.equal(nearest('x', ['run', 'judge']), undefined);
});
