import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whyNotAnnounced } from './skips.ts';

test('a skip without a reason, or with an unknown one, is a failure', () => {
  assert.match(whyNotAnnounced(true) ?? '', /without a reason/);
  assert.match(whyNotAnnounced('there is no browser here') ?? '', /no browser/);
  assert.equal(whyNotAnnounced('large: with PROOFMARK_SOAK=1'), undefined);
  assert.equal(whyNotAnnounced('php is not installed'), undefined);
});
