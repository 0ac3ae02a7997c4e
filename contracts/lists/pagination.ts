/**
 * Lists in pages (spec: Endpoints, "Common rules for A and B"): where a `next_page_uri` leads, and what a walk through the
 * pages shows. Real services write the link as a full address, from the root of the host with or without the version prefix,
 * or relative to the current page; all of these are followed, but never to another host and never from https down to http.
 */

export interface LinkContext {
  /** The base address of the interface, ending with `/v1/`. */
  readonly base: string;
  /** The full address of the page that carried the link. */
  readonly current: string;
}

/**
 * Why a link is not followed: `no-link` is the regular end of a list (absent, null, `""`, `false`, `[]`), the others are
 * faults of the response.
 */
export type LinkRefusal = 'no-link' | 'not-a-link' | 'foreign-host';

export type ResolvedLink =
  /** `otherwise`: the second reading of a rooted or relative link, worth a try when `url` answers with an error. */
  { readonly url: string; readonly otherwise?: string } | { readonly refused: LinkRefusal; readonly reason: string };

/** True if a page has no link to a next page. */
export function isLastPage(link: unknown): boolean {
  const empty = link === undefined || link === null || link === false;
  return empty || (typeof link === 'string' && link.trim() === '') || (Array.isArray(link) && link.length === 0);
}

/**
 * The full address that a `next_page_uri` means. It has the scheme, host and port of the base: a gateway that speaks https to
 * us may be in front of a service that writes http, and our key must not travel there in the clear. Only from plain http at the
 * default port a link may lead up to https.
 *
 * @example
 * const context = { base: 'https://s.example/v1/', current: 'https://s.example/v1/store/delivery_methods/?page_size=2' };
 * resolveNext('https://s.example/v1/store/delivery_methods/?from=3', context) // as it is
 * resolveNext('/v1/store/delivery_methods/?from=3', context)                  // the same
 * resolveNext('/store/delivery_methods/?from=3', context)                     // the same: relative to the base
 * resolveNext('?from=3', context)                                             // the same: relative to the current page
 * resolveNext('https://elsewhere.example/v1/', context)                       // { refused: 'foreign-host', reason: … }
 */
export function resolveNext(link: unknown, { base, current }: LinkContext): ResolvedLink {
  if (isLastPage(link)) return { refused: 'no-link', reason: 'The page has no link to a next page.' };
  if (typeof link !== 'string') {
    return {
      refused: 'not-a-link',
      reason: `The link to the next page is ${JSON.stringify(link)} instead of a string.`,
    };
  }
  const root = new URL(base);
  const text = withItsSlash(link.trim(), root.pathname);
  // The parser decides what is a host ("//host", "/\\host", "https:host"), so that we can't be fooled where it is not.
  const parsed = URL.canParse(text, current) ? new URL(text, current) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    return {
      refused: 'not-a-link',
      reason: `The link to the next page, ${JSON.stringify(text)}, is not a web address.`,
    };
  }
  if (!isSameHost(parsed, root)) {
    const reason = `The link to the next page leads to ${parsed.host} instead of ${root.host}; it was not followed.`;
    return { refused: 'foreign-host', reason };
  }
  const origin = isUpgrade(parsed, root) ? parsed.origin : root.origin;
  const literal = parsed.pathname + parsed.search;
  const isFull = /^[a-z][a-z0-9+.-]*:/i.test(text) || /^[\\/]{2}/.test(text);
  const fromBase = basedPath(parsed, text, root);
  if (fromBase === undefined || fromBase === literal) return { url: origin + literal };
  if (isFull) return { url: origin + literal, otherwise: origin + fromBase };
  const currentPath = new URL(current).pathname;
  const meansBase = firstSegment(fromBase, root.pathname) === firstSegment(currentPath, root.pathname);
  const [url, otherwise] = meansBase ? [fromBase, literal] : [literal, fromBase];
  return { url: origin + url, otherwise: origin + otherwise };
}

/** A link that lacks only its first character: `v1/store/…` for `/v1/store/…`, `from=3` for `?from=3`. */
function withItsSlash(text: string, basePath: string): string {
  if (isRelative(text) && basePath !== '/' && `/${text}`.startsWith(basePath)) return `/${text}`;
  return /^[^/?#:]+=/.test(text) ? `?${text}` : text;
}

/**
 * Path and query of a link when read relative to the base; undefined where that reading makes no sense.
 * A base behind a gateway (`/staging/v1/`) may be linked as the service knows itself (`/v1/…`).
 */
function basedPath(parsed: URL, text: string, root: URL): string | undefined {
  if (parsed.pathname.startsWith(root.pathname) && !isRelative(text)) return undefined;
  if (/^[?#]/.test(text)) return undefined;
  if (isRelative(text)) {
    if (text.startsWith('.')) return undefined;
    const resolved = new URL(text, root);
    return resolved.pathname + resolved.search;
  }
  const known = tails(root.pathname).find((tail) => parsed.pathname.startsWith(tail)) ?? '/';
  return root.pathname + parsed.pathname.slice(known.length) + parsed.search;
}

/** The ends of a base path that a service may know as its own, longest first: `/a/b/v1/` gives `/b/v1/`, `/v1/`. */
function tails(path: string): string[] {
  const segments = path.split('/').filter((segment) => segment !== '');
  return segments.slice(1).map((_, i) => `/${segments.slice(i + 1).join('/')}/`);
}

function isRelative(text: string): boolean {
  return !/^[\\/?#]/.test(text) && !/^[a-z][a-z0-9+.-]*:/i.test(text);
}

/** The first step of a path below the base (`store`), undefined outside it. */
function firstSegment(path: string, basePath: string): string | undefined {
  return path.startsWith(basePath) ? path.slice(basePath.length).split(/[/?]/)[0] : undefined;
}

/** Same host name, and the same port: written, or each the default of its scheme. All names of this machine are one. */
function isSameHost(link: URL, root: URL): boolean {
  const samePort = link.port === root.port || effectivePort(link) === effectivePort(root);
  return samePort && (link.hostname === root.hostname || (isLoopback(link) && isLoopback(root)));
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function isUpgrade(link: URL, root: URL): boolean {
  return root.protocol === 'http:' && link.protocol === 'https:' && root.port === '' && link.port === '';
}

function effectivePort(url: URL): string {
  return url.port || (url.protocol === 'https:' ? '443' : '80');
}

/** One page of a walk: the address it was requested from and the ids (or other identities) of its items, in order. */
export interface WalkPage {
  readonly url: string;
  readonly ids: readonly string[];
}

export interface WalkOptions {
  /** The `page_size` asked for, in items. */
  readonly pageSize?: number;
  /** Ids that must all be there: those that the run created, say. */
  readonly known?: readonly string[];
  /** True when the list holds nothing but `known`. */
  readonly exactly?: boolean;
  /** Why the walk stopped: the last page had no link, its link was refused, or our limit of pages was reached. */
  readonly end?: 'last-page' | 'page-limit' | { readonly refused: LinkRefusal; readonly reason: string };
}

export interface WalkFault {
  readonly rule: 'loop' | 'repeat' | 'gap' | 'stranger' | 'too-large' | 'endless' | 'foreign-host' | 'not-a-link';
  readonly level: 'MUST';
  readonly message: string;
  /** The page it was found on, counted from 0; absent for faults of the whole walk. */
  readonly page?: number;
  readonly expected: unknown;
  readonly actual: unknown;
}

/**
 * The faults of a walk from the first page to the last. A last page without items is legal, and so are pages smaller than
 * asked for; the order of the items is the service's own (compare two walks with `isReverse`).
 *
 * @example judgeWalk([{ url: '/a', ids: ['1', '2'] }, { url: '/b', ids: ['2'] }], { pageSize: 2 })
 * // [{ rule: 'repeat', message: 'The item "2" of page 2 was already on page 1.', … }]
 */
export function judgeWalk(pages: readonly WalkPage[], options: WalkOptions = {}): WalkFault[] {
  const faults: WalkFault[] = [];
  const add = (rule: WalkFault['rule'], message: string, expected: unknown, actual: unknown, page?: number) =>
    faults.push({ rule, level: 'MUST', message, expected, actual, ...(page === undefined ? {} : { page }) });
  const pageOfUrl = new Map<string, number>();
  const pageOfId = new Map<string, number>();
  for (const [n, page] of pages.entries()) {
    const visited = pageOfUrl.get(page.url);
    if (visited !== undefined) {
      add(
        'loop',
        `Page ${n + 1} has the address of page ${visited + 1}: the links form a loop.`,
        'another address',
        page.url,
        n,
      );
      break;
    }
    pageOfUrl.set(page.url, n);
    if (options.pageSize !== undefined && page.ids.length > options.pageSize) {
      const message = `Page ${n + 1} has ${page.ids.length} items; at most ${options.pageSize} were requested.`;
      add('too-large', message, options.pageSize, page.ids.length, n);
    }
    for (const id of page.ids) {
      const before = pageOfId.get(id);
      if (before !== undefined) {
        const where = before === n ? 'appears twice' : `was already on page ${before + 1}`;
        add('repeat', `The item ${JSON.stringify(id)} of page ${n + 1} ${where}.`, 'every item once', id, n);
      }
      pageOfId.set(id, before ?? n);
    }
  }
  const { end, known = [] } = options;
  if (end === 'page-limit' && !faults.some(({ rule }) => rule === 'loop')) {
    add('endless', `The list did not end after ${pages.length} pages.`, 'a last page', pages.length);
  }
  if (typeof end === 'object' && end.refused !== 'no-link')
    add(end.refused, end.reason, 'a link of the same service', null);
  const missing = known.filter((id) => !pageOfId.has(id));
  if (missing.length > 0)
    add('gap', `${listed(missing)} missing from every page.`, known.length, known.length - missing.length);
  const expected = new Set(known);
  const strangers = options.exactly ? [...pageOfId.keys()].filter((id) => !expected.has(id)) : [];
  if (strangers.length > 0) add('stranger', `${listed(strangers)} in the list but should not be.`, [], strangers);
  return faults;
}

/** Enough to recognise the items, few enough to read. */
const MAX_LISTED_IDS = 5;

function listed(ids: readonly string[]): string {
  const shown = ids
    .slice(0, MAX_LISTED_IDS)
    .map((id) => JSON.stringify(id))
    .join(', ');
  const more = ids.length > MAX_LISTED_IDS ? ` and ${ids.length - MAX_LISTED_IDS} more` : '';
  return ids.length === 1 ? `The item ${shown} is` : `The items ${shown}${more} are`;
}

/**
 * True when `b` is `a` backwards, item for item: what `desc=1` must return over a whole list.
 *
 * @example isReverse(['1', '2', '3'], ['3', '2', '1']) // true
 * @example isReverse(['1', '2'], ['1', '2'])           // false
 */
export function isReverse(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id, i) => id === b[b.length - 1 - i]);
}

/** True if both walks returned the same items in the same order. */
export function isSameOrder(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id, i) => id === b[i]);
}
