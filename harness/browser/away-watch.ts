/**
 * Whether the pages of a target were away while a browser loaded them: no connection, or a gateway that answered in their place. A
 * driver that then finds no button says nothing about the target.
 */
import type { BrowserContext, Request } from '@playwright/test';
import { GATEWAY_STATUSES } from '../target/response/gateway.ts';

/** How Chromium names a server that accepts no connection, or drops it before it answers. */
const NO_CONNECTION =
  /^net::ERR_(CONNECTION_(REFUSED|RESET|CLOSED|TIMED_OUT|FAILED)|EMPTY_RESPONSE|ADDRESS_UNREACHABLE|INTERNET_DISCONNECTED|NETWORK_CHANGED|NAME_NOT_RESOLVED|TIMED_OUT)$/;

/** Calls `note` for each page (or page in a frame) that got no answer of its server, as long as the context is open. */
export function watchAway(context: BrowserContext, note: () => void): void {
  const onFailed = (request: Request): void => {
    if (request.isNavigationRequest() && NO_CONNECTION.test(request.failure()?.errorText ?? '')) note();
  };
  context.on('requestfailed', onFailed).on('response', (response) => {
    if (GATEWAY_STATUSES.has(response.status()) && response.request().isNavigationRequest()) note();
  });
}
