import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RateLimit } from './rate-limit.ts';

test('a response that asks to come again later is waited for, and no other', async () => {
  const limit = new RateLimit();
  for (const status of [undefined, 200, 403, 500, 503]) assert.equal(limit.isReached(status, undefined), false);
  assert.equal(limit.isReached(429, '0'), true);
  const began = performance.now();
  await limit.ready();
  assert.equal(limit.isReached(503, new Date(Date.now() + 2_000).toUTCString()), true);
  await limit.ready();
  assert.ok(performance.now() - began > 900);
});

test('a request is sent again while its response asks for that, and not without end', async () => {
  const LATER = { status: 429, retryAfter: '0' };
  const SERVED = { status: 200, retryAfter: undefined };
  const began = performance.now();
  const rows = [
    { responses: [SERVED], sent: 1 },
    { responses: [{ status: 503, retryAfter: undefined }], sent: 1 },
    { responses: [LATER, LATER, SERVED], sent: 3 },
    { responses: [LATER, LATER, LATER, LATER], sent: 4 },
  ];
  await Promise.all(
    rows.map(async ({ responses, sent }) => {
      let count = 0;
      const last = await new RateLimit().send(
        async () => responses[count++],
        (response) => response,
      );
      assert.deepEqual([count, last], [sent, responses[sent - 1]]);
    }),
  );
  assert.ok(performance.now() - began > 1_300, 'the third and the fourth attempt wait');
  const done = await new RateLimit().send(
    async () => LATER,
    () => undefined,
  );
  assert.equal(done, LATER);
});

test('simultaneous refusals are waited for once, and a page that always refuses not for ever', () => {
  const limit = new RateLimit();
  for (let page = 0; page < 100; page += 1) assert.equal(limit.isReached(429, '7'), true, `page ${page}`);
  // Each refusal comes when the last wait is over. A sum of such thirds would exceed the limit by rounding.
  for (const fraction of [0, 1 / 3])
    assert.equal(
      waitsOf(new RateLimit(), (waits) => waits * 20_000 + fraction),
      15,
    );
});

/** How often a limit waits for a page that always refuses, by a clock that only depends on the number of its waits. */
function waitsOf(limit: RateLimit, clock: (waits: number) => number): number {
  const now = performance.now;
  let waits = 0;
  try {
    performance.now = () => clock(waits);
    while (waits < 100 && limit.isReached(429, '3600')) waits += 1;
  } finally {
    performance.now = now;
  }
  return waits;
}
