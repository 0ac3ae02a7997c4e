/** What the tabs of a browser load while an app is installed: which tab a request came from, and what a page was answered with. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Page, Request, Response } from '@playwright/test';

/** How often a tab that was just opened is looked for: a person would not notice. */
const POLL_MS = 50;

export interface LoadedTab {
  readonly url: string;
  /** 0 when no response came. */
  readonly status: number;
  readonly request: Request;
}

export interface TabWatch {
  /** The tab that loaded this address as a page (or a frame in it); undefined when none did. */
  tabOf(url: string): Page | undefined;
  /** Waits until that tab is known: the browser reports a new tab a little later than the server sees its request. */
  tabKnown(url: string, timeoutMs: number): Promise<void>;
  /** The first page load that is `wanted`, from the `after`th on; undefined when none came in time. */
  waitFor(wanted: (loaded: LoadedTab) => boolean, after: number, timeoutMs: number): Promise<LoadedTab | undefined>;
  /** The page at which the redirects of a load end. */
  endOf(loaded: LoadedTab, timeoutMs: number): Promise<LoadedTab>;
  /** Page loads that ended so far, redirects among them. */
  readonly loads: readonly LoadedTab[];
  stop(): void;
}

/** Watches every tab of a browser context from now on. */
export function watchTabs(context: BrowserContext): TabWatch {
  const requests: Request[] = [];
  const loads: LoadedTab[] = [];
  const waiting = new Set<() => void>();
  const onRequest = (request: Request): void => {
    if (request.isNavigationRequest()) requests.push(request);
  };
  const add = (loaded: LoadedTab): void => {
    loads.push(loaded);
    for (const wake of waiting) wake();
  };
  const onResponse = (response: Response): void => {
    const request = response.request();
    if (request.isNavigationRequest()) add({ url: request.url(), status: response.status(), request });
  };
  const onFailed = (request: Request): void => {
    if (request.isNavigationRequest()) add({ url: request.url(), status: 0, request });
  };
  context.on('request', onRequest).on('response', onResponse).on('requestfailed', onFailed);
  const waitFor: TabWatch['waitFor'] = async (wanted, after, timeoutMs) => {
    const found = () => loads.slice(after).find(wanted);
    if (found() !== undefined) return found();
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        waiting.delete(wake);
        resolve(found());
      };
      const wake = (): void => {
        if (found() !== undefined) end();
      };
      const timer = setTimeout(end, timeoutMs);
      waiting.add(wake);
    });
  };
  const tabOf: TabWatch['tabOf'] = (url) => {
    const request = requests.find((one) => one.url() === url);
    const tab = request === undefined ? undefined : tabOfRequest(request);
    // The first request of a tab may be over before the tab is watched: what the tab shows identifies it too.
    return tab ?? context.pages().find((page) => withoutFragment(page.url()) === url);
  };
  return {
    loads,
    waitFor,
    tabOf,
    async tabKnown(url, timeoutMs) {
      const until = Date.now() + timeoutMs;
      while (tabOf(url) === undefined && Date.now() < until) await sleep(POLL_MS);
    },
    async endOf(loaded, timeoutMs) {
      let last = loaded;
      while (last.status >= 300 && last.status < 400) {
        const from = last.request;
        const next = await waitFor(({ request }) => request.redirectedFrom() === from, 0, timeoutMs);
        if (next === undefined) break;
        last = next;
      }
      return last;
    },
    stop() {
      context.off('request', onRequest).off('response', onResponse).off('requestfailed', onFailed);
    },
  };
}

export const withoutFragment = (url: string): string => url.split('#', 1)[0]!;

/** The tab of a request. A tab that was only about to be opened is known once it is there. */
function tabOfRequest(request: Request): Page | undefined {
  try {
    return request.frame().page();
  } catch {
    return undefined;
  }
}

/** Whether any open page has something to press: a button of any kind, in any frame. */
export async function hasButtons(context: BrowserContext): Promise<boolean> {
  for (const page of context.pages()) {
    for (const frame of page.frames()) {
      const buttons = frame.locator('button, [role=button], input[type=submit], input[type=button], input[type=image]');
      if ((await buttons.count().catch(() => 0)) > 0) return true;
    }
  }
  return false;
}
