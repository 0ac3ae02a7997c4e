/** A login link in a browser: its page may sign its visitor in by a script, by what follows a # in the link, or by one button. */
import type { BrowserContext, Page, Response } from '@playwright/test';
import type { Visit } from '../../../../harness/browser/visitor.ts';
import type { Context } from '../../../../harness/check/context.ts';
import { Inconclusive } from '../../../../harness/check/failures.ts';
import { wallClockMs } from '../../../../harness/process/wall-clock.ts';
import { responseOf } from '../../../../harness/target/response/response.ts';
import { asksForPassword, mayLeadOn } from './login-link.ts';

/** A page is settled when nothing of it has changed for so long. */
const STILL_MS = 1_000;
const MAX_SETTLE_MS = 10_000;
const POLL_MS = 150;
/** Some pages have a button for each of two steps. */
const MAX_PRESSES = 2;

/** Opens a link in a browser context of its own, goes on by the one button of its page, and returns where that has led. */
export async function visitInBrowser(
  context: Context,
  address: string,
  mayVisit: (url: URL) => boolean,
): Promise<Visit> {
  const { resources, profile } = context;
  const refusal = await resources.reach.refuse(address);
  if (refusal !== undefined) throw new Inconclusive(refusal, 'target');
  const browser = await resources.browserContext();
  try {
    const page = await browser.newPage();
    const left = await stayWithin(browser, page, async (url, isDocument) => {
      // Scripts and pictures may come from anywhere that is open to the target.
      if (isDocument && !mayVisit(url)) return false;
      return (await resources.reach.refuse(url.href)) === undefined;
    });
    let last: Response | undefined;
    page.on('response', (response) => {
      const request = response.request();
      if (request.isNavigationRequest() && request.frame() === page.mainFrame()) last = response;
    });
    const [at, started] = [wallClockMs(), performance.now()];
    await page
      .goto(address, { timeout: profile.limits.timeoutMs, waitUntil: 'domcontentloaded' })
      .catch(() => undefined);
    let html = await settled(page);
    for (let presses = 0; presses < MAX_PRESSES; presses += 1) {
      if (!mayLeadOn(html, page.url(), address) || asksForPassword(html) || !(await pressOnly(page))) break;
      html = await settled(page);
    }
    if (last === undefined) throw new Inconclusive('the browser could not open the login link', 'target');
    const request = { method: 'GET', url: page.url() };
    const received = { status: last.status(), headers: Object.entries(last.headers()), bytes: Buffer.from(html) };
    const durationMs = performance.now() - started;
    const exchange = resources.recorder.record({
      ...{ role: 'page', at, durationMs, request: { ...request, headers: [] } },
      response: { status: received.status, headers: received.headers, body: received.bytes },
    });
    context.exchanges.push(exchange);
    const cookies = (await browser.cookies()).map(({ name }) => name);
    const leadsTo = left();
    const hops = mayLeadOn(html, page.url(), address) ? 1 : 2;
    const response = responseOf({ ...received, durationMs, exchange, request });
    return { response, url: page.url(), hops, cookies, ...(leadsTo === undefined ? {} : { leadsTo }) };
  } finally {
    await browser.close().catch(() => undefined);
  }
}

/** Stops each hop to an address that the harness may not open. Returns a function that gives the first document that was not opened. */
async function stayWithin(
  browser: BrowserContext,
  page: Page,
  isOpen: (url: URL, isDocument: boolean) => Promise<boolean>,
): Promise<() => string | undefined> {
  let left: string | undefined;
  const devtools = await browser.newCDPSession(page);
  devtools.on('Fetch.requestPaused', ({ requestId, request, resourceType }) => {
    const decide = async (): Promise<void> => {
      const isDocument = resourceType === 'Document';
      if (await isOpen(new URL(request.url), isDocument)) {
        await devtools.send('Fetch.continueRequest', { requestId });
        return;
      }
      if (isDocument) left ??= request.url;
      await devtools.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
    };
    decide().catch(() => undefined);
  });
  await devtools.send('Fetch.enable', { patterns: [{ urlPattern: 'http*', requestStage: 'Request' }] });
  return () => left;
}

/** The markup of a page once it has stopped changing, or after a while. */
async function settled(page: Page): Promise<string> {
  const until = performance.now() + MAX_SETTLE_MS;
  let [html, since] = ['', performance.now()];
  while (performance.now() < until) {
    const now = `${page.url()}\n${await page.content().catch(() => '')}`;
    if (now !== html) [html, since] = [now, performance.now()];
    else if (performance.now() - since >= STILL_MS) break;
    await page.waitForTimeout(POLL_MS);
  }
  return html.slice(html.indexOf('\n') + 1);
}

/** Presses the one button of a page. False without a button, or where a person would have to choose. */
async function pressOnly(page: Page): Promise<boolean> {
  const buttons = page
    .locator('button, input[type=submit], input[type=image], [role=button]')
    .filter({ visible: true });
  if ((await buttons.count().catch(() => 0)) !== 1) return false;
  return buttons.click({ noWaitAfter: true }).then(
    () => true,
    () => false,
  );
}
