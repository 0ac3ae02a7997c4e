/** The documents of the integrator that a page is shown. */
import type { Page, Request, Response } from '@playwright/test';
import { type PageErrors, watchPageErrors } from '../../../../harness/integrator/page/inspection/page-errors.ts';
import { documentsIn, frameOf } from '../../../../harness/integrator/page/visit.ts';

export interface Documents {
  /** Documents that were loaded, redirects left out. */
  count(): number;
  /** True as soon as a document came from elsewhere than the given address, or can't come any more. */
  arrivedFrom(address: string): true | undefined;
  /** Status of the last document; undefined when none came. */
  status(): number | undefined;
  /** Its header of that name. */
  retryAfter(): string | undefined;
  failure(): string | undefined;
  /** What went wrong in them. */
  readonly errors: PageErrors;
  forget(): void;
}

interface State {
  count: number;
  status?: number | undefined;
  retryAfter?: string | undefined;
  failure?: string;
}

/** Watches the documents of a tab that another page has opened, and which may show one already. */
export function watchDocumentsOfTab(tab: Page): Documents {
  return watchDocuments(tab, () => false, { count: 1, status: documentsIn(tab.context()).lastOf(tab)?.status() });
}

/** Watches the documents of the integrator in a page; those of the service are skipped. */
export function watchDocuments(
  page: Page,
  isService: (url: string) => boolean = () => false,
  state: State = { count: 0 },
): Documents {
  let address = '';
  const ours = (url: string): boolean => url === address || isService(url);
  const isDocument = (request: Request): boolean =>
    request.isNavigationRequest() && frameOf(request) === page.mainFrame();
  const onResponse = (response: Response): void => {
    const isRedirect = response.status() >= 300 && response.status() <= 399;
    if (!isDocument(response.request()) || isRedirect || ours(response.url()) || isHandOver(response.url())) return;
    state.status = response.status();
    state.retryAfter = response.headers()['retry-after'];
    // No document follows upon these.
    if (state.status === 204 || state.status === 205) state.failure = 'a response without a document';
  };
  const onFailed = (request: Request): void => {
    if (!isDocument(request) || ours(request.url())) return;
    state.failure = request.failure()?.errorText ?? 'failed';
  };
  const onLoaded = (): void => {
    if (ours(page.url()) || isHandOver(page.url()) || page.url() === 'about:blank') return;
    state.count += 1;
  };
  page.on('response', onResponse).on('requestfailed', onFailed).on('domcontentloaded', onLoaded);
  const errors = watchPageErrors(page);
  return {
    count: () => state.count,
    arrivedFrom: (from) => {
      address = from;
      return state.count > 0 || state.failure !== undefined ? true : undefined;
    },
    status: () => state.status,
    retryAfter: () => state.retryAfter,
    failure: () => (state.status === undefined ? state.failure : undefined),
    errors,
    forget: () => {
      errors.forget();
      page.off('response', onResponse).off('requestfailed', onFailed).off('domcontentloaded', onLoaded);
    },
  };
}

/** Path of the service's page that posts a form at once. */
export const HAND_OVER_PATH = '/precheck/hand-over/';
const isHandOver = (url: string): boolean => URL.parse(url)?.pathname.startsWith(HAND_OVER_PATH) === true;
