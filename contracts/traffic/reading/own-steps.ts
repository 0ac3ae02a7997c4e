/**
 * Steps that a website takes by itself. A page of an integrator may redirect to another of its pages, or post what it received
 * again from a form of its own; a page of the service may lead on to the next one. They look like the requests between the two
 * parties and are not: the parameters are their own affair.
 */
import { Memory } from '../memory.ts';
import type { SeenExchange } from './seen.ts';

/** Addresses that are remembered; the oldest are forgotten. */
const REMEMBERED = 1_000;

export interface OwnSteps {
  /** To be called with every exchange once, in their order, before the others. */
  take(seen: SeenExchange): Step;
}

/** How a request came about, as far as the recording shows it. */
export interface Step {
  /** A redirect of the same website led here. */
  readonly isRedirect: boolean;
  /** A page of the same website made the request, and no redirect of another one lies between. */
  readonly isFromOwnPage: boolean;
  /** Origin and path of the page that made the request, where it is known. */
  readonly referrer: string | undefined;
}

export function ownSteps(): OwnSteps {
  /** The origins of the redirects to an address. */
  const redirects = new Memory<string>({ entries: REMEMBERED });
  return {
    take(seen) {
      // An address takes long to parse.
      const from = redirects.size === 0 ? undefined : redirects.get(addressOf(seen.exchange.request.url) ?? '');
      const target = redirectTarget(seen);
      if (target !== undefined) redirects.set(target, seen.origin);
      const referrer = pageOf(seen.header('referer'));
      const origin = seen.header('origin') ?? referrer?.origin;
      return {
        isRedirect: from === seen.origin,
        // A redirect keeps the page that began it: the way from the service over the integrator back begins at the service.
        isFromOwnPage: from === undefined && origin?.toLowerCase() === seen.origin,
        referrer: referrer && referrer.origin + referrer.pathname,
      };
    },
  };
}

function redirectTarget(seen: SeenExchange): string | undefined {
  const location = seen.status >= 300 && seen.status <= 399 ? seen.responseHeader('location') : undefined;
  const here = seen.exchange.request.url;
  return location === undefined || !URL.canParse(location, here) ? undefined : addressOf(new URL(location, here).href);
}

/** As browsers write it, without a fragment. */
function addressOf(text: string): string | undefined {
  return URL.parse(text)?.href.split('#', 1)[0];
}

const pageOf = (text: string | undefined): URL | undefined =>
  text === undefined ? undefined : (URL.parse(text) ?? undefined);
