import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RateLimit } from './rate-limit.ts';

test('a response that asks to come again later is waited for, and no other', async () => {
  const limit = new RateLimit();
  for (const status of [undefined, 200, 403, 500, 503]) assert.equal(limit.isReached(status, undefined), false);
  assert.equal(limit.isReached(429, '0'), true);
  const began = performance.now();
  await limit.ready();
  assert.ok(performance.now() - began < 2_500);
  assert.equal(limit.isReached(503, new Date(Date.now() + 2_000).toUTCString()), true);
  await limit.ready();
  assert.ok(performance.now() - began > 900);
});

test('simultaneous refusals are waited for once, and a page that always refuses not for ever', () => {
  const limit = new RateLimit();
  for (let page = 0; page < 100; page += 1) assert.equal(limit.isReached(429, '7'), true, `page ${page}`);
  const always = new RateLimit();
  let waits = 0;
  const now = performance.now.bind(performance);
  try {
    // Each refusal comes when the last wait is over.
    performance.now = () => now() + waits * 20_000;
    while (waits < 100 && always.isReached(429, '3600')) waits += 1;
  } finally {
    performance.now = now;
  }
  assert.equal(waits, 15);
});
