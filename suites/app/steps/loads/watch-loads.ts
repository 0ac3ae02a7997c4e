/** Which of the app's addresses the service has sent a browser to, and in which tab. */
import type { BrowserContext, Page, Request } from '@playwright/test';
import { documentsIn, frameOf } from '../../../../harness/integrator/page/visit.ts';
import { until } from '../../../../harness/process/until.ts';
import { parameterOf, parametersOf } from '../address.ts';

/** An address of the app that the service has sent a tab to. */
export interface Begun {
  readonly address: string;
  /** Undefined in a new tab whose app has not responded. */
  readonly tab: Page | undefined;
}

export interface LoadWatch {
  /** The next one without or with an authCode; each is handed out once. */
  next(kind: 'install' | 'coded'): Begun | undefined;
  /** One whose tab is still being made. */
  tabless(kind: 'install' | 'coded'): Begun | undefined;
  /** What the browser said when it could not show a document of the app. */
  failure(): string | undefined;
  /** Status of the last document of a tab. */
  statusIn(page: Page): number | undefined;
}

/** Watches for the app's addresses with the service's parameters: the app's own redirects are not taken for new loads. */
export function watchLoads(browser: BrowserContext, addresses: readonly (string | undefined)[]): LoadWatch {
  const places = addresses.flatMap((address) => (address === undefined ? [] : [placeOf(address)]));
  const waiting: Request[] = [];
  const seen = new Set<string>();
  const documents = documentsIn(browser);
  let failure: string | undefined;
  const isLoad = (request: Request): boolean =>
    request.isNavigationRequest() &&
    places.includes(placeOf(request.url())) &&
    /[?&]callback=/.test(request.url()) &&
    !seen.has(request.url());
  browser.on('request', (request) => {
    if (!isLoad(request)) return;
    seen.add(request.url());
    waiting.push(request);
    failure = undefined;
  });
  browser.on('requestfailed', (request) => {
    if (request.isNavigationRequest() && seen.has(request.url())) failure = request.failure()?.errorText;
  });
  const taken = (kind: 'install' | 'coded', isReady: (request: Request) => boolean): Begun | undefined => {
    const at = waiting.findIndex((request) => hasCode(request.url()) === (kind === 'coded') && isReady(request));
    const [request] = at < 0 ? [] : waiting.splice(at, 1);
    return request && { address: request.url(), tab: frameOf(request)?.page() };
  };
  return {
    next: (kind) => taken(kind, (request) => frameOf(request) !== undefined),
    tabless: (kind) => taken(kind, () => true),
    failure: () => failure,
    statusIn: (page) => documents.lastOf(page)?.status(),
  };
}

const hasCode = (address: string): boolean => parameterOf(parametersOf(address), 'authCode') !== undefined;

/** An address without its query. */
export function placeOf(address: string): string {
  const url = URL.parse(address);
  return url === null ? address : url.origin + url.pathname;
}

/** Between the request of the callback and the page that shows its response. */
const SHOWN_MS = 3_000;

/** The tab of a new window whose page came too late to be known; a new one where the user was sent back elsewhere. */
export async function lateTab(browser: BrowserContext, callback: string | undefined): Promise<Page> {
  const returned = (): Page | undefined =>
    browser.pages().findLast((page) => callback !== undefined && page.url().startsWith(callback));
  return (await until(returned, SHOWN_MS)) ?? browser.newPage();
}
