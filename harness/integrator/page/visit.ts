/**
 * One visit of a page of an integrator in a browser. The address is opened as it is given: authentic, or altered. How long is
 * waited for something to happen goes by how long it took when all was well.
 */
import type { BrowserContext, Frame, Page, Request, Response } from '@playwright/test';
import { pause, until, within } from '../../process/until.ts';
import type { LimitNotice, RateLimit } from '../rate-limit.ts';
import { visibleContent } from './inspection/visible-content.ts';

/** A document that takes longer is not waited for. */
const OPEN_TIMEOUT_MS = 8_000;

export interface OpenedPage {
  /** Status of the last document; undefined when none came. */
  readonly status: number | undefined;
  /** What the browser said when no document came. */
  readonly failure: string | undefined;
  /** The answer itself sends the browser on, by a header. */
  readonly refreshes: boolean;
}

/** The limit that the pages of a context share. */
export const rateLimits = new WeakMap<BrowserContext, RateLimit>();

export interface OpenOptions {
  readonly timeoutMs?: number;
  /** The page that the browser names as the one it comes from; none by default. */
  readonly referer?: string;
  /** A form that is posted to the address instead of a GET. */
  readonly body?: string;
}

/** Opens an address and follows it to its document, again where the integrator asks to come later. Never throws for what comes back. */
export async function open(
  page: Page,
  url: string,
  { timeoutMs = OPEN_TIMEOUT_MS, body, referer }: OpenOptions = {},
): Promise<OpenedPage> {
  const limit = rateLimits.get(page.context());
  const documents = documentsIn(page.context());
  const once = async (): Promise<OpenedPage & LimitNotice> => {
    const before = documents.count();
    let failure: string | undefined;
    if (body !== undefined) await postNext(page, url, body);
    const from = referer === undefined ? {} : { referer };
    await page.goto(url, { waitUntil: 'domcontentloaded', timeout: timeoutMs, ...from }).catch((error: Error) => {
      failure = error.message.split('\n', 1)[0] ?? 'failed';
    });
    const last = documents.lastOf(page, before);
    const headers = last?.headers() ?? {};
    return {
      status: last?.status(),
      failure: last === undefined ? failure : undefined,
      refreshes: headers.refresh !== undefined,
      retryAfter: headers['retry-after'],
    };
  };
  return limit === undefined ? once() : limit.send(once, (opened) => opened);
}

/** Lets the next request for an address be a posted form. */
const postNext = (page: Page, url: string, body: string): Promise<unknown> =>
  page.route(
    (requested) => requested.href === new URL(url).href,
    (route) => {
      const headers = { ...route.request().headers(), 'content-type': 'application/x-www-form-urlencoded' };
      return route.continue({ method: 'POST', postData: body, headers });
    },
    { times: 1 },
  );

interface Documents {
  count(): number;
  /** The last document that a page was given, among those after a count. */
  lastOf(page: Page, after?: number): Response | undefined;
}

const watched = new WeakMap<BrowserContext, Documents>();
/** Of a context's documents; a page in a loop has no end of them. */
const MAX_REMEMBERED = 60;

/** Remembers the last documents of the pages of a browser context. A new tab has answers before it has a page. */
export function documentsIn(browser: BrowserContext): Documents {
  const known = watched.get(browser);
  if (known !== undefined) return known;
  const documents: Response[] = [];
  let forgotten = 0;
  browser.on('response', (response) => {
    const isRedirect = response.status() >= 300 && response.status() <= 399;
    if (!response.request().isNavigationRequest() || isRedirect) return;
    documents.push(response);
    if (documents.length <= MAX_REMEMBERED) return;
    documents.shift();
    forgotten += 1;
  });
  const made: Documents = {
    count: () => forgotten + documents.length,
    lastOf: (page, after = 0) =>
      documents
        .slice(Math.max(0, after - forgotten))
        .findLast((response) => frameOf(response.request()) === page.mainFrame()),
  };
  watched.set(browser, made);
  return made;
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
const MIN_WAIT_MS = 200;
const MAX_WAIT_MS = 10_000;
/** How much slower than before an app may be without being taken for one that does nothing. */
const WAIT_FACTOR = 3;

/** How long to wait, after a document came, for something that took so long when all was well. */
export const maxWaitMs = (lagMs: number): number =>
  Math.min(MAX_WAIT_MS, Math.max(MIN_WAIT_MS, Math.round(lagMs * WAIT_FACTOR)));

/** Waits for an effect after the document came; returns how long it took, if it came. */
export async function waitForEffect<T>(
  snapshot: () => T | undefined,
  timeoutMs: number,
): Promise<{ found: T | undefined; lagMs: number }> {
  const from = performance.now();
  const found = await until(snapshot, timeoutMs);
  return { found, lagMs: performance.now() - from };
}

/** What lets a document go on to another by itself, or send something. */
const MOVES = /<script|<iframe|<frame|<object|<embed|http-equiv|[\s/"']on\w+\s*=|javascript:/i;

/**
 * Whether a document that came may still lead to another one. A plain page never does, and need not be waited for. A script that
 * is still at work may have removed itself from the page: then the document as it came shows it.
 */
export async function mayNavigate(
  page: Page,
  { status, refreshes = false }: { readonly status: number | undefined; readonly refreshes?: boolean },
): Promise<boolean> {
  if (status === undefined || refreshes) return true;
  const html = await within(
    page.content().catch(() => undefined),
    INSPECTION_TIMEOUT_MS,
    () => undefined,
  );
  if (html === undefined || leadsOn(html)) return true;
  return MOVES.test(await sourceOf(page));
}

/** Whether a document could lead a browser on to another one by itself. */
export const leadsOn = (html: string): boolean => html.length > MAX_PLAIN_PAGE_CHARACTERS || MOVES.test(html);

/** The document of a page as it came; empty where it cannot be read any more. */
function sourceOf(page: Page): Promise<string> {
  const source = documentsIn(page.context()).lastOf(page)?.text() ?? Promise.resolve('');
  return within(
    source.catch(() => ''),
    INSPECTION_TIMEOUT_MS,
    () => '',
  );
}

/** A page that draws itself with answers to its scripts has come to rest when nothing was asked for in a while. */
const SETTLE_MS = 4_000;
/** One that is still blank by then is not drawn yet: its scripts may wait for something that no request shows. */
const BLANK_MS = 10_000;
const POLL_MS = 150;

/**
 * Waits until a page whose scripts draw it shows what it is going to show. A plain page is not waited for. One that is blank so far
 * has hardly been drawn: its scripts may be busy without requesting anything.
 */
export async function waitUntilSettled(page: Page, opened: { readonly status: number | undefined }): Promise<void> {
  if (opened.status === undefined || !(await mayNavigate(page, opened))) return;
  const began = performance.now();
  await page.waitForLoadState('networkidle', { timeout: SETTLE_MS }).catch(() => undefined);
  let before = await contentOf(page);
  while (performance.now() - began < (before === '' ? BLANK_MS : SETTLE_MS)) {
    await pause(POLL_MS);
    const now = await contentOf(page);
    if (now === before && now !== '') return;
    before = now;
  }
}

/** What a page shows, its text and its other things; empty if it is blank. */
export const contentOf = (page: Page): Promise<string | undefined> =>
  within(
    visibleContent(page).then(
      ({ text, things }) => (things.length === 0 ? text.trim() : `${text.trim()} ${things.length}`),
      () => undefined,
    ),
    INSPECTION_TIMEOUT_MS,
    () => undefined,
  );

const INSPECTION_TIMEOUT_MS = 2_000;
const MAX_PLAIN_PAGE_CHARACTERS = 200_000;

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
