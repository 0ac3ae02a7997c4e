/**
 * One load of one of the app's addresses in a browser, and what came of it. The address is opened as it is given: authentic,
 * or altered. How long is waited for something to happen goes by how long it took when all was well.
 */
import type { BrowserContext, Frame, Page, Request, Response } from '@playwright/test';
import { until, within } from '../../../../harness/integrator/until.ts';

/** A document that takes longer is not waited for. */
const OPEN_TIMEOUT_MS = 8_000;

export interface Opened {
  /** Status of the last document; undefined when none came. */
  readonly status: number | undefined;
  /** What the browser said when no document came. */
  readonly failure: string | undefined;
  readonly page: Page;
}

/** Opens an address and follows it to its document. Never throws for what comes back. */
export async function open(page: Page, url: string, timeoutMs = OPEN_TIMEOUT_MS): Promise<Opened> {
  const documents = documentsIn(page.context());
  let failure: string | undefined;
  await page.goto(url, { waitUntil: 'domcontentloaded', timeout: timeoutMs }).catch((error: Error) => {
    failure = error.message.split('\n', 1)[0] ?? 'failed';
  });
  const last = documents.lastOf(page);
  return { status: last?.status(), failure: last === undefined ? failure : undefined, page };
}

/** Remembers the last document of each page of a browser context. A new tab has answers before it has a page. */
export function documentsIn(browser: BrowserContext): { lastOf(page: Page): Response | undefined } {
  const documents: Response[] = [];
  browser.on('response', (response) => {
    const isRedirect = response.status() >= 300 && response.status() <= 399;
    if (response.request().isNavigationRequest() && !isRedirect) documents.push(response);
  });
  return {
    lastOf: (page) => documents.findLast((response) => frameOf(response.request()) === page.mainFrame()),
  };
}

/** The frame that a document was asked for; undefined while its tab is still being made. */
export function frameOf(request: Request): Frame | undefined {
  try {
    return request.frame();
  } catch {
    return undefined;
  }
}

/** What passes between a document and its effects, where the app is as quick as most; slower ones are waited for longer. */
const LEAST_PATIENCE_MS = 300;
const MOST_PATIENCE_MS = 6_000;
/** How much slower than before an app may be without being taken for one that does nothing. */
const PATIENCE_FACTOR = 3;

/** How long to wait, after a document came, for something that took so long when all was well. */
export const patience = (lagMs: number): number =>
  Math.min(MOST_PATIENCE_MS, Math.max(LEAST_PATIENCE_MS, Math.round(lagMs * PATIENCE_FACTOR)));

/** Waits for an effect after the document came; tells how long it took, where it came. */
export async function awaited<T>(
  look: () => T | undefined,
  timeoutMs: number,
): Promise<{ found: T | undefined; lagMs: number }> {
  const from = performance.now();
  const found = await until(look, timeoutMs);
  return { found, lagMs: performance.now() - from };
}

/** A browser context that is closed when the job is done, however long its pages would go on. */
export async function inContext<T>(
  make: () => Promise<BrowserContext>,
  job: (context: BrowserContext) => Promise<T>,
): Promise<T> {
  const context = await make();
  try {
    return await job(context);
  } finally {
    await within(
      context.close().catch(() => undefined),
      CLOSE_TIMEOUT_MS,
      () => undefined,
    );
  }
}

const CLOSE_TIMEOUT_MS = 5_000;
