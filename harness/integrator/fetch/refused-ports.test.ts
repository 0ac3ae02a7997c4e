import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusedPortOf } from './refused-ports.ts';

test('a port that browsers refuse is recognized, and others are not', () => {
  assert.equal(refusedPortOf('http://127.0.0.1:6566/install'), 6566);
  assert.equal(refusedPortOf('https://app.example:10080/'), 10080);
  for (const address of ['http://127.0.0.1:5001/', 'https://app.example/', 'http://[::1]:8080/', 'no address'])
    assert.equal(refusedPortOf(address), undefined);
});
