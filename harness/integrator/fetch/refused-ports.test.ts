import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whyPortRefused } from './refused-ports.ts';

test('a port that browsers refuse is recognized, and others are not', () => {
  assert.match(whyPortRefused('app', 'http://127.0.0.1:6566/install') ?? '', /port 6566 of the app/);
  assert.match(whyPortRefused('label page', 'https://app.example:10080/') ?? '', /port 10080 of the label page/);
  for (const address of [
    'http://127.0.0.1:5001/',
    'https://app.example/',
    'http://[::1]:8080/',
    'no address',
    undefined,
  ])
    assert.equal(whyPortRefused('app', address), undefined);
});
