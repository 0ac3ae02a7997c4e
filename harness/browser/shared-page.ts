/**
 * Pages of the browser that checks share: a fresh page would have to sign in to the target again for each of them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import type { Context } from '../check/context.ts';
import type { Resources } from '../resources/resources.ts';
import { withSteadyGoto } from './steady-goto.ts';

const open = new WeakMap<Resources, Map<string, Page>>();

/** The page of this name, in a browser context of its own that lives as long as the process; made again when it was closed. */
export async function sharedPage(context: Context, name: string): Promise<Page> {
  const { resources } = context;
  const pages = open.get(resources) ?? new Map<string, Page>();
  open.set(resources, pages);
  const known = pages.get(name);
  if (known !== undefined && !known.isClosed()) {
    await resources.steps?.watch(known.context());
    return known;
  }
  const browser = await resources.browserContext();
  resources.atEnd(() => browser.close());
  await resources.steps?.watch(browser);
  const page = withSteadyGoto(await browser.newPage());
  pages.set(name, page);
  return page;
}

/** A tab closes within milliseconds. A busy browser may never report that a tab was closed while it was loading a page. */
const MAX_CLOSE_MS = 10_000;

/** Closes the tabs that were opened beside a page since then; those that were there may be the driver's. */
export async function closeNewTabs(page: Page, before: readonly Page[], maxMs = MAX_CLOSE_MS): Promise<void> {
  for (const tab of page.context().pages()) if (!before.includes(tab)) await closeTab(tab, maxMs);
}

/** Closes a tab, and leaves it to the end of its browser context when that is not reported in time. */
async function closeTab(tab: Page, maxMs: number): Promise<void> {
  const done = new AbortController();
  const limit = sleep(maxMs, undefined, { signal: done.signal }).catch(() => undefined);
  await Promise.race([tab.close().catch(() => undefined), limit]);
  done.abort();
}
