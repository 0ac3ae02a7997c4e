import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from '@playwright/test';
import { withSteadyGoto } from './steady-goto.ts';

/** A page whose `goto` fails so many times before it succeeds. */
function failing(times: number, message: string) {
  const calls: unknown[][] = [];
  const goto = async (...args: unknown[]): Promise<string> => {
    calls.push(args);
    if (calls.length <= times) throw new Error(message);
    return 'response';
  };
  return { calls, page: withSteadyGoto({ goto } as unknown as Page, 1) };
}
const INTERRUPTED = 'page.goto: Navigation to "/admin/" is interrupted by another navigation to "/admin/apps/"';

test('a goto that a late page interrupts is tried again with the same arguments, a few times', async () => {
  const { calls, page } = failing(2, INTERRUPTED);
  assert.equal(await page.goto('/admin/', { timeout: 7 }), 'response');
  assert.deepEqual(calls, Array(3).fill(['/admin/', { timeout: 7 }]));

  const stuck = failing(99, INTERRUPTED);
  await assert.rejects(stuck.page.goto('/admin/'), /interrupted/);
  assert.equal(stuck.calls.length, 4);
});

test('another error of goto is thrown at once', async () => {
  const { calls, page } = failing(1, 'page.goto: net::ERR_CONNECTION_REFUSED');
  await assert.rejects(page.goto('/admin/'), /REFUSED/);
  assert.equal(calls.length, 1);
});
