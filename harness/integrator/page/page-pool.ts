/**
 * Browser pages for many short visits. A new page costs a process of the browser; one that is cleaned costs a few calls. Each
 * visit begins without cookies and without anything that the earlier ones have stored.
 */
import type { BrowserContext, CDPSession, Page } from '@playwright/test';
import { within } from '../../process/until.ts';

export interface PagePool {
  /** Does a job in a clean page. A page whose job threw, or that does not come to rest, is not used again. */
  use<T>(job: (page: Page) => Promise<T>): Promise<T>;
  /** Lets go of the pages that wait: their browser has ended. */
  drop(): Promise<void>;
  close(): Promise<void>;
}

interface Pooled {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly devtools: CDPSession;
  /** Origins that were visited and may have stored something. */
  readonly visited: Set<string>;
}

/** A page that can't be emptied in this time is stuck. */
const CLEAN_TIMEOUT_MS = 2_000;
const CLOSE_TIMEOUT_MS = 5_000;

export interface PoolOptions {
  /** Whether pages are used again; they are by default. */
  readonly reuse?: boolean;
  /** Gives an emptied context what a new one comes with. */
  readonly prepare?: (context: BrowserContext) => Promise<void>;
  /** Called before each job with the context of its page. */
  readonly begin?: (context: BrowserContext) => Promise<void>;
}

const prepareNothing = async (): Promise<void> => undefined;

/** Lends pages of a browser, each emptied of what the visit before left in it. */
export function createPagePool(
  newContext: () => Promise<BrowserContext>,
  { reuse = true, prepare = prepareNothing, begin = prepareNothing }: PoolOptions = {},
): PagePool {
  const idle: Pooled[] = [];
  let closed = false;

  const open = async (): Promise<Pooled> => {
    const context = await newContext();
    const page = await context.newPage();
    const visited = new Set<string>();
    page.on('framenavigated', (frame) => void visited.add(URL.parse(frame.url())?.origin ?? ''));
    return { context, page, devtools: await context.newCDPSession(page), visited };
  };
  const drop = ({ context }: Pooled): Promise<unknown> =>
    within(
      context.close().catch(() => undefined),
      CLOSE_TIMEOUT_MS,
      () => undefined,
    );
  const dropAll = async (): Promise<void> => void (await Promise.all(idle.splice(0).map(drop)));
  const clean = async ({ context, page, devtools, visited }: Pooled): Promise<boolean> => {
    // A tab that is still loading may never close by itself; with its context it does.
    if (context.pages().length > 1) return false;
    await page.goto('about:blank');
    await context.clearCookies();
    for (const origin of visited) {
      if (/^https?:/.test(origin)) await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
    }
    visited.clear();
    await prepare(context);
    return true;
  };

  return {
    async use(job) {
      const pooled = idle.pop() ?? (await open());
      let rested = false;
      try {
        await begin(pooled.context);
        const result = await job(pooled.page);
        rested = true;
        return result;
      } finally {
        const isClean =
          reuse &&
          rested &&
          (await within(
            clean(pooled).catch(() => false),
            CLEAN_TIMEOUT_MS,
            () => false,
          ));
        if (isClean && !closed) idle.push(pooled);
        else await drop(pooled);
      }
    },
    drop: dropAll,
    async close() {
      closed = true;
      await dropAll();
    },
  };
}
