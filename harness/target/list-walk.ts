/** Follows a list from page to page; the rules of following are those of contracts/lists/pagination.ts. */

import { isJsonObject } from '../../contracts/json/object.ts';
import { isLastPage, resolveNext } from '../../contracts/lists/pagination.ts';
import { type Send, summary } from '../check/expect.ts';
import { GivenFailure, Inconclusive, type PreconditionEvidence } from '../check/failures.ts';
import type { Resources } from '../resources/resources.ts';
import { addressOf, type ServiceRequest } from './client/request.ts';
import type { ServiceResponse } from './client/types.ts';
import { isRefusalOfPromise, isServed } from './response/judge-response.ts';

export interface Page {
  readonly response: ServiceResponse;
  readonly url: string;
  readonly items: readonly unknown[];
}

export interface Walk {
  readonly pages: readonly Page[];
  /** The items of all pages, in their order. */
  readonly items: readonly unknown[];
  /** How the walk ended; `last-page` is the good end. */
  readonly end:
    | 'last-page'
    | 'loop'
    | 'endless'
    | 'too-many-pages'
    | 'foreign-host'
    | 'bad-link'
    | 'refused-page'
    | 'no-list';
  /** A sentence on any other end. */
  readonly endReason: string;
}

/**
 * So many pages in a row without an item that was not seen before, each with a link to the next, have no end. A service that
 * filters a page after it was cut may show some empty ones, never that many.
 */
const MAX_IDLE_PAGES = 20;

/** A tunnel or a forwarded port has another address than the service writes into its links: the service is right then. */
const OF_ANOTHER_NAME =
  'If the service has both addresses, write the one of its links as "v1" in the profile: clients would follow them there.';

const CLAUSE_OF_LIST = {
  delivery_methods: 'delivery.method.list-contains-own',
  pickup_points: 'delivery.point.list-contains',
} as const;

/**
 * Walks a list to its end. A first page that is refused or holds no list is a failed precondition; what goes wrong
 * later is reported in `end`, so that the checks of pagination can judge it.
 */
export async function follow(
  send: Send,
  resources: Resources,
  first: ServiceRequest,
  listName: keyof typeof CLAUSE_OF_LIST,
  maxPages = resources.profile.limits.maxPages,
): Promise<Walk> {
  const base = resources.base(first.api);
  const pages: Page[] = [];
  const seen = new Set<string>();
  const seenItems = new Set<string>();
  let idlePages = 0;
  let call: ServiceRequest = first;
  const done = (end: Walk['end'], endReason = ''): Walk => ({
    pages,
    items: pages.flatMap((page) => page.items),
    end,
    endReason,
  });

  for (;;) {
    const url = addressOf(call, base);
    if (seen.has(url))
      return done('loop', `the link of page ${pages.length} leads back to a page that was already read`);
    seen.add(url);
    const response = await send(call, pages.length === 0 ? 'list' : 'next page');
    const list = isServed(response) && isJsonObject(response.json) ? response.json[listName] : undefined;
    if (!Array.isArray(list)) {
      const reason = `page ${pages.length + 1} contains no array "${listName}": ${summary(response)}`;
      if (pages.length === 0)
        throw new GivenFailure(reason, CLAUSE_OF_LIST[listName], { response }, shownBy(response, first));
      return done(isServed(response) ? 'no-list' : 'refused-page', reason);
    }
    pages.push({ response, url, items: list });
    const link = isJsonObject(response.json) ? response.json.next_page_uri : undefined;
    if (isLastPage(link)) return done('last-page');
    const known = seenItems.size;
    for (const item of list) seenItems.add(JSON.stringify(item));
    idlePages = seenItems.size > known ? 0 : idlePages + 1;
    if (idlePages >= MAX_IDLE_PAGES)
      return done('endless', `the list continues after ${idlePages} pages in a row that show nothing new`);
    if (pages.length >= maxPages)
      return done('too-many-pages', `the list continues after ${maxPages} pages (limits.maxPages)`);
    const next = resolveNext(link, { base, current: url });
    if ('refused' in next)
      return next.refused === 'foreign-host'
        ? done('foreign-host', `${next.reason} ${OF_ANOTHER_NAME}`)
        : done('bad-link', next.reason);
    // The address is complete: it is sent as it is, with the same credentials.
    call = { ...first, path: next.url.slice(base.length), query: [] };
    if (!next.url.startsWith(base)) return done('bad-link', `the link ${String(link)} leaves the base address`);
  }
}

/** The clause that a walk with this end does not keep. */
export const clauseOfEnd = (end: Walk['end'] | 'stopped'): string =>
  `delivery.lists.${end === 'loop' || end === 'endless' || end === 'too-many-pages' ? 'walk-ends' : 'next-link'}`;

/** What a first page without a list shows: a refused page size is not evidence, a refused plain list is. */
function shownBy(response: ServiceResponse, { query }: ServiceRequest): PreconditionEvidence {
  if (isServed(response)) return 'deviation';
  return query.length === 0 && isRefusalOfPromise(response) ? 'deviation' : 'refusal';
}

/** A link may begin at an item that other checks delete meanwhile; that hardly happens three times. */
const MAX_WALKS = 3;

/**
 * Walks a list and states as a precondition that the walk came to its end. A target may refuse a size of pages: then it is
 * walked in pages of the target's own size.
 */
export async function walk(
  send: Send,
  resources: Resources,
  first: ServiceRequest,
  listName: keyof typeof CLAUSE_OF_LIST,
): Promise<Walk> {
  const isSized = first.query.some(([name]) => name === 'page_size');
  const walkOnce = (): Promise<Walk> =>
    follow(send, resources, first, listName).catch((thrown: unknown) => {
      if (!isSized || !(thrown instanceof GivenFailure) || thrown.shows !== 'refusal') throw thrown;
      const query = first.query.filter(([name]) => name !== 'page_size');
      return follow(send, resources, { ...first, query }, listName);
    });
  let walked = await walkOnce();
  for (let walks = 1; walked.end === 'refused-page' && walks < MAX_WALKS; walks += 1) walked = await walkOnce();
  if (walked.end === 'too-many-pages')
    throw new Inconclusive(`${walked.endReason}: raise limits.maxPages or shorten the list`, 'configuration');
  if (walked.end !== 'last-page') {
    throw new GivenFailure(
      `the list could not be walked: ${walked.endReason}`,
      clauseOfEnd(walked.end),
      {
        response: walked.pages.at(-1)?.response,
      },
      walked.end === 'refused-page' ? 'refusal' : 'deviation',
    );
  }
  return walked;
}
