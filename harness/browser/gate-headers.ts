/**
 * Headers of the profile in the browser: they open a gate before the target, so no other host may see them. Chromium keeps a
 * header that was once added when it follows a redirect, so each hop is decided by itself.
 */
import type { BrowserContext, CDPSession, Page, Route } from '@playwright/test';

export interface GateHeaders {
  /** Origins that get the headers. */
  readonly origins: ReadonlySet<string>;
  /** Names in lower case, and values. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/** Sends the headers with every request of this context to the origins, and with no other. Call it before the first page. */
export async function sendGateHeaders(context: BrowserContext, gate: GateHeaders): Promise<void> {
  const started = new WeakMap<Page, Promise<void>>();
  const watch = (page: Page): Promise<void> => {
    const known = started.get(page) ?? decideHops(context, page, gate).catch(() => undefined);
    started.set(page, known);
    return known;
  };
  const newPage = context.newPage.bind(context);
  context.newPage = async () => {
    const page = await newPage();
    await watch(page);
    return page;
  };
  context.on('page', (page) => void watch(page));

  // The first request of a new tab leaves before its page can be watched, and frames of other hosts have a process of their
  // own: what they ask of the target is sent here, and not by the browser. Chromium asks the watch first.
  await context.route(
    (url) => gate.origins.has(url.origin),
    (route) => (isDecided(route, gate) ? route.continue() : sendOnce(route, gate)),
  );
}

function isDecided(route: Route, { headers }: GateHeaders): boolean {
  const sent = route.request().headers();
  return headers.every(([name, value]) => sent[name] === value);
}

/** Decides over each request and each hop of a page, frames of the same process among them. */
async function decideHops(context: BrowserContext, page: Page, gate: GateHeaders): Promise<void> {
  const devtools: CDPSession = await context.newCDPSession(page);
  devtools.on('Fetch.requestPaused', ({ requestId, request }) => {
    const headers = headersFor(request.url, request.headers, gate);
    devtools.send('Fetch.continueRequest', { requestId, headers }).catch(() => undefined);
  });
  await devtools.send('Fetch.enable', { patterns: [{ urlPattern: '*', requestStage: 'Request' }] });
}

/** The headers of one hop: those of the request without the gate's, and with them only where the hop leads to the target. */
export function headersFor(
  url: string,
  headers: Readonly<Record<string, string>>,
  gate: GateHeaders,
): { name: string; value: string }[] {
  const names = new Set(gate.headers.map(([name]) => name));
  const own = Object.entries(headers).filter(([name]) => !names.has(name.toLowerCase()));
  const isHome = gate.origins.has(URL.parse(url)?.origin ?? '');
  return [...own, ...(isHome ? gate.headers : [])].map(([name, value]) => ({ name, value }));
}

/** Sends one hop and gives its response to the browser, which follows a redirect to another host without the headers. */
async function sendOnce(route: Route, gate: GateHeaders): Promise<void> {
  const request = route.request();
  try {
    const headers = { ...(await request.allHeaders()), ...Object.fromEntries(gate.headers) };
    const response = await route.fetch({ headers, maxRedirects: 0 });
    const { location } = response.headers();
    const next = location === undefined ? null : URL.parse(location, request.url());
    const staysHome = next !== null && gate.origins.has(next.origin) && REDIRECTS.includes(response.status());
    // As a page that moves on, the next hop is a request of its own, which gets the headers.
    if (staysHome && request.isNavigationRequest())
      await route.fulfill({ status: 200, headers: { ...moved(response.headers()), refresh: `0; url=${next.href}` } });
    else await route.fulfill({ response });
  } catch {
    await route.abort('failed').catch(() => undefined);
  }
}

/** What is left of a redirect's headers: its cookies were kept when it was fetched. */
function moved(headers: Readonly<Record<string, string>>): Record<string, string> {
  const policy = headers['referrer-policy'];
  return { 'content-type': 'text/html; charset=utf-8', ...(policy === undefined ? {} : { 'referrer-policy': policy }) };
}
