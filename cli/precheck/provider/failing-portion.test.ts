/** Which portion the service fails to take, and which ones it always takes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Received } from '../../../harness/integrator/counterpart.ts';
import { failOnePortion } from './failing-portion.ts';

const [FIRST, MIDDLE, LAST, WHOLE] = ['first', 'middle', 'last', 'whole'] as const;
const FLAGS = {
  first: { is_initialization: true, is_finalization: false },
  middle: { is_initialization: false, is_finalization: false },
  last: { is_initialization: false },
  whole: {},
};
type Kind = keyof typeof FLAGS;

/** Which of the calls are not served, counted from 0. `take` is what the service does with the others. */
async function failing(kinds: readonly Kind[], handles: readonly string[] = [], take = 200): Promise<number[]> {
  const rule = failOnePortion();
  const failed: number[] = [];
  for (const [at, kind] of kinds.entries()) {
    const path = `/v1/store/delivery_method/${handles[at] ?? 'm-1'}/pickup_points/batch_replace/`;
    const body = JSON.stringify({ pickup_points: [], ...FLAGS[kind] });
    const request = { method: 'POST', path, body, status: undefined } as Received;
    const response = await rule(request);
    request.status = response?.status ?? take;
    if (response !== undefined) failed.push(at);
  }
  return failed;
}

test('a portion in the middle fails once, after another list was finished', async () => {
  assert.deepEqual(await failing([FIRST, MIDDLE, LAST, FIRST, MIDDLE, MIDDLE, LAST]), [4]);
  assert.deepEqual(await failing([FIRST, LAST, FIRST, MIDDLE], ['m-1', 'm-1', 'm-2', 'm-2']), [3]);
  assert.deepEqual(await failing([FIRST, MIDDLE, LAST, FIRST, MIDDLE, FIRST, MIDDLE]), [4]);
});

test('no portion fails of the first list, of one without a middle, of none, and where the service refused the first list', async () => {
  assert.deepEqual(await failing([FIRST, MIDDLE, MIDDLE, LAST]), []);
  assert.deepEqual(await failing([FIRST, LAST, FIRST, LAST]), []);
  assert.deepEqual(await failing([WHOLE, WHOLE, FIRST, MIDDLE, LAST]), []);
  assert.deepEqual(await failing([FIRST, LAST, MIDDLE, FIRST, LAST]), []);
  assert.deepEqual(await failing([FIRST, LAST, FIRST, MIDDLE], [], 400), []);
});
