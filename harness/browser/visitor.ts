/**
 * A visitor of the target's web pages without scripts and without credentials: follows redirects as a browser does
 * and keeps the cookies that it is given. A new visitor has no session.
 */
import type { OutgoingRequest, ServiceResponse } from '../target/client/types.ts';
import { Cookies } from './cookies.ts';

/** Sends one request to a page; never carries a secret of the profile. */
export type SendToPage = (request: OutgoingRequest) => Promise<ServiceResponse>;

export interface Visit {
  /** The last response. */
  readonly response: ServiceResponse;
  /** Where it was found. */
  readonly url: string;
  /** Answers on the way, the last one among them. */
  readonly hops: number;
  /** Names of the cookies that were set on the way and not taken back. */
  readonly cookies: readonly string[];
  /** Where the last response redirects to, when that is not followed: a host that may not be visited, or one redirect too many. */
  readonly leadsTo?: string;
}

export interface VisitorOptions {
  /** The pages are good for one visit: a request whose connection was lost is not sent again. */
  readonly isOnce?: boolean;
  /** Which hosts redirects may lead to; all by default. */
  readonly mayVisit?: (url: URL) => boolean;
  /** Milliseconds since 1970, for cookies that end; the clock by default. */
  readonly now?: () => number;
}

/** Browsers give up after 20; a way in that takes more than half of that goes in circles. */
const MAX_REDIRECTS = 10;
/** A page that moves on by itself after a longer time is meant to be read. */
const MAX_REFRESH_SECONDS = 5;

export class Visitor {
  readonly #send: SendToPage;
  readonly #mayVisit: (url: URL) => boolean;
  readonly #cookies: Cookies;

  constructor(send: SendToPage, options: VisitorOptions = {}) {
    this.#send = send;
    this.#mayVisit = options.mayVisit ?? (() => true);
    this.#cookies = new Cookies(options.now);
  }

  /** Opens a page by GET and follows where it leads. */
  async open(address: string, headers: OutgoingRequest['headers'] = []): Promise<Visit> {
    let url = address;
    for (let hops = 1; ; hops += 1) {
      const response = await this.#get(url, headers);
      const next = nextOf(response, url);
      const visit = { response, url, hops, cookies: await this.#cookies.names() };
      if (next === undefined) return visit;
      if (hops > MAX_REDIRECTS || !this.#mayVisit(new URL(next))) return { ...visit, leadsTo: next };
      url = next;
    }
  }

  async #get(address: string, headers: OutgoingRequest['headers'] = []): Promise<ServiceResponse> {
    const response = await this.#send({
      method: 'GET',
      url: withoutUser(address).replace(/#.*/s, ''),
      headers: [['Accept', 'text/html,*/*;q=0.8'], ...headers, ...(await this.#cookies.headersFor(address))],
    });
    await this.#cookies.keep(response.headers, address);
    return response;
  }
}

/** Browsers send a user name and a password in an address only to a page that asks for them. */
export function withoutUser(address: string): string {
  const url = new URL(address);
  if (url.username === '' && url.password === '') return address;
  [url.username, url.password] = ['', ''];
  return url.href;
}

/** Where a response leads: by a redirect, or by a page that moves on at once. */
function nextOf(response: ServiceResponse, from: string): string | undefined {
  const location = [301, 302, 303, 307, 308].includes(response.status)
    ? response.header('location')
    : refreshOf(response);
  if (location === undefined || !URL.canParse(location, from)) return undefined;
  const next = new URL(location, from);
  return /^https?:$/.test(next.protocol) ? next.href : undefined;
}

function refreshOf(response: ServiceResponse): string | undefined {
  const refresh = response.header('refresh') ?? metaRefreshOf(response);
  const [, seconds = '', to] = REFRESH.exec(refresh ?? '') ?? [];
  return to !== undefined && Number(seconds) <= MAX_REFRESH_SECONDS ? to : undefined;
}

/** `0; url=/next`. The digits end where another character begins, so that each is read once. */
const REFRESH = /^\s{0,64}(\d{1,16})(?!\d)[^;,]{0,64}[;,]\s{0,64}(?:url\s{0,64}=\s{0,64})?["']?([^"'\s]+)/i;

/** Bounded, so that a page that consists only of beginnings of tags is searched once. */
const META_TAG = /<meta\b[^<>]{0,2000}>/gi;

function metaRefreshOf(response: ServiceResponse): string | undefined {
  if (!/html/.test(response.contentType)) return undefined;
  const tags = response.text.match(META_TAG) ?? [];
  const tag = tags.find((one) => /http-equiv\s{0,64}=\s{0,64}["']?refresh\b/i.test(one)) ?? '';
  const content = /\bcontent\s{0,64}=\s{0,64}(?:"([^"]*)"|'([^']*)')/i.exec(tag);
  return (content?.[1] ?? content?.[2])?.replaceAll('&amp;', '&');
}
