import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failsForItself } from './own-failure.ts';

/** Whether a request with these statuses, where undefined is served, fails for itself beside controls that are served or not. */
const decided = (statuses: readonly (number | undefined)[], controls: readonly boolean[] = [true, true]) => {
  const [left, leftControls] = [[...statuses], [...controls]];
  return failsForItself({
    again: async () => {
      const status = left.shift();
      return status === undefined ? undefined : { status };
    },
    control: async () => leftControls.shift() ?? false,
  });
};

test('a request that fails each time while others are served fails for itself', async () => {
  assert.equal(await decided([502, 502]), true);
  assert.equal(await decided([503, 504]), true);
});

test('a server that refuses others as well, or serves the request at last, has too much to do', async () => {
  assert.equal(await decided([502, 502], [true, false]), false);
  assert.equal(await decided([502, 502], [false]), false);
  assert.equal(await decided([502, undefined]), false);
  assert.equal(await decided([502, 429]), false);
});
