import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowserContext, Page } from '@playwright/test';
import { documentsIn, mayNavigate, waitUntilSettled } from './visit.ts';

/** A page whose script draws it after some time: its document, and what is in it now. */
function pageOf({ source, html, drawnAfterMs = 0 }: { source: string; html: string; drawnAfterMs?: number }): Page {
  const listeners: ((response: unknown) => void)[] = [];
  const context = {
    on: (_event: string, listener: (response: unknown) => void) => listeners.push(listener),
  } as unknown as BrowserContext;
  const began = performance.now();
  const page = {
    context: () => context,
    content: async () => html,
    mainFrame: () => 'the frame',
    waitForLoadState: async () => {},
    evaluate: async () => ({
      text: performance.now() - began < drawnAfterMs ? '' : 'Settings',
      things: [],
      asksToSignIn: false,
      isWhole: true,
    }),
  };
  const request = { isNavigationRequest: () => true, frame: () => 'the frame' };
  const response = { status: () => 200, request: () => request, text: async () => source };
  documentsIn(page.context());
  for (const listener of listeners) listener(response);
  return page as unknown as Page;
}

const opened = { status: 200 };
const SCRIPT = '<body><script>setTimeout(() => location.replace(next), 700)</script></body>';

test('a page without scripts leads nowhere by itself', async () => {
  assert.equal(await mayNavigate(pageOf({ source: '<body>Hello</body>', html: '<body>Hello</body>' }), opened), false);
});

test('a page whose script is at work may lead on, also when it has removed itself', async () => {
  assert.equal(await mayNavigate(pageOf({ source: SCRIPT, html: SCRIPT }), opened), true);
  assert.equal(await mayNavigate(pageOf({ source: SCRIPT, html: '<body></body>' }), opened), true);
});

test('a page that is blank is waited for longer than one that shows something', async () => {
  const began = performance.now();
  await waitUntilSettled(pageOf({ source: SCRIPT, html: SCRIPT, drawnAfterMs: 5_000 }), opened);
  assert.ok(performance.now() - began >= 5_000);
});
