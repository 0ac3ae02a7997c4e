/**
 * A page that goes where a driver sends it also while an earlier step is still on its way. What arrives late (a redirect behind a
 * button, a script that leads on) interrupts the driver's own `goto`, which Playwright then throws; opening an address again
 * presses nothing, so it is repeated.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from '@playwright/test';

/** Playwright's words for a `goto` that lost against a page that arrived meanwhile. */
export const INTERRUPTED = /interrupted by another navigation/;
const MAX_TRIES = 4;
/** What interrupted may lead on at once; each pause is longer than the last. */
const PAUSE_MS = 200;

/** The same page, whose `goto` is tried again where another navigation interrupts it. */
export function withSteadyGoto(page: Page, pauseMs = PAUSE_MS): Page {
  const goto = page.goto.bind(page);
  page.goto = async (...args) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await goto(...args);
      } catch (error) {
        if (!(error instanceof Error && INTERRUPTED.test(error.message)) || tries === MAX_TRIES) throw error;
      }
      await sleep(pauseMs * 2 ** (tries - 1));
    }
  };
  return page;
}
