import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from '@playwright/test';
import { closeNewTabs } from './shared-page.ts';

test('only new tabs are closed, and one whose close is never reported does not stop the check', async () => {
  const closed: string[] = [];
  const tab = (name: string, close: (count: number) => Promise<void> = async () => undefined) =>
    ({ close: () => close(closed.push(name)), context: () => ({ pages: () => tabs }) }) as unknown as Page;
  const page = tab('page');
  const hangs = tab('hangs', () => new Promise(() => undefined));
  const fails = tab('fails', () => Promise.reject(new Error('Target closed')));
  const tabs = [page, hangs, fails, tab('last')];
  await closeNewTabs(page, [page], 20);
  assert.deepEqual(closed, ['hangs', 'fails', 'last']);
});
