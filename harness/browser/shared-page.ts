/**
 * Pages of the browser that checks share: a fresh page would have to sign in to the target again for each of them.
 */
import type { Page } from '@playwright/test';
import type { Context } from '../check/context.ts';
import type { Resources } from '../resources/resources.ts';

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
  const page = await browser.newPage();
  pages.set(name, page);
  return page;
}

/** Closes the tabs that were opened beside a page since then; those that were there may be the driver's. */
export async function closeNewTabs(page: Page, before: readonly Page[]): Promise<void> {
  for (const tab of page.context().pages()) if (!before.includes(tab)) await tab.close().catch(() => undefined);
}
