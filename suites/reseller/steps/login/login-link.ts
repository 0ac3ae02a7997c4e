/**
 * Where a login link leads, and whether it signs the visitor in. Services show this differently, so visits are compared:
 * with the visit of a link that was never issued, and with the first use. If they cannot be distinguished, the result is unclear.
 */

import type { Visit } from '../../../../harness/browser/visitor.ts';
import { nearMissOf } from '../../../../harness/target/near-miss.ts';
import { wordsOf } from './page-words.ts';

/** The final page of a visit, without parts that differ at every visit. */
export interface Arrival {
  readonly status: number;
  /** Host, path and names of parameters, without long tokens. */
  readonly place: string;
  readonly cookies: readonly string[];
  /** The words of the page, without markup, scripts and numbers. */
  readonly words: readonly string[];
  readonly asksForPassword: boolean;
  /** A script of the page at the address of the link navigates or sends requests: it may sign the visitor in. */
  readonly isFilledByScript: boolean;
  /** The page at the address of the link continues by a form or a script: a browser may get further, unless a cookie shows that it is there. */
  readonly mayGoOn: boolean;
  /** The page at the address of the link has the token of the link once more: it is not used yet. */
  readonly sendsTokenOn: boolean;
}

export type SignInState = 'in' | 'out' | 'unclear';

/** Short words in an address are page names, longer ones with digits are tokens. */
const MIN_TOKEN_CHARS = 16;
/** A shorter token may be a word of the page. */
const MIN_SOUGHT_CHARS = 8;
/** Two pages with at least this share of common words count as equal: they differ only in a time, a greeting or a number. */
const SAME_PAGE = 0.8;
/** Two pages with at most this share of common words count as different: they share only their frame. */
const OTHER_PAGE = 0.5;

/** Whether a page that a link has led to may sign its visitor in by a further step. */
export const mayLeadOn = (html: string, address: string, link: string): boolean =>
  sendsOn(html, link) || (placeOf(address) === placeOf(link) && leadsOn(html));

export const asksForPassword = (html: string): boolean =>
  /<input\b[^<>]{0,2000}\btype\s*=\s*["']?password\b/i.test(html);

/** What a visit to a login link came to, in what distinguishes a signed-in visitor. */
export function arrivalOf({ response, url, hops, cookies, leadsTo }: Visit): Arrival {
  return {
    status: response.status,
    place: placeOf(leadsTo ?? url),
    cookies: [...new Set(cookies)].sort(),
    words: wordsOf(response.text),
    mayGoOn: hops === 1 && leadsOn(response.text),
    sendsTokenOn: hops === 1 && sendsOn(response.text, url),
    asksForPassword: asksForPassword(response.text),
    isFilledByScript: hops === 1 && hasActiveScript(response.text),
  };
}

/** A page with only a form, with a form that goes to its own address, or with a script that navigates or sends requests. */
function leadsOn(html: string): boolean {
  const forms = html.match(/<form\b[^<>]{0,2000}>/gi) ?? [];
  const hasFormOnly = forms.length > 0 && !/<a\b/i.test(html);
  const repeatsAddress = forms.some(
    (form) => /\bmethod\s*=\s*["']?post\b/i.test(form) && !/\baction\s*=\s*["']?[^"'\s>]/i.test(form),
  );
  return hasFormOnly || repeatsAddress || hasActiveScript(html);
}

const hasActiveScript = (html: string): boolean =>
  /<script\b/i.test(html) && /\b(location|submit|fetch|XMLHttpRequest)\b/.test(html);

/** The token of its link in a form, a link or a script, which no page behind the login needs any more: menus and a logo may be beside it. */
function sendsOn(html: string, address: string): boolean {
  const token = tokenIn(address);
  return (
    token.length >= MIN_SOUGHT_CHARS && html.replaceAll(/<(?:link|meta|base)\b[^<>]{0,2000}>/gi, '').includes(token)
  );
}

function placeOf(address: string): string {
  const { host, pathname, searchParams } = new URL(address);
  const path = pathname.replaceAll(/[^/]+/g, (part) =>
    part.length >= MIN_TOKEN_CHARS && /\d/.test(part) ? '*' : part,
  );
  return `${host}${path.replace(/\/$/, '')}?${[...new Set(searchParams.keys())].sort().join('&')}`;
}

/** Whether two visits ended at the same page. */
export function compare(a: Arrival, b: Arrival): 'same' | 'different' | 'unclear' {
  if (a.status !== b.status || a.place !== b.place || a.cookies.join() !== b.cookies.join()) return 'different';
  const all = new Set([...a.words, ...b.words]);
  const others = new Set(b.words);
  const common = a.words.filter((word) => others.has(word)).length;
  const similarity = all.size === 0 ? 1 : common / all.size;
  return similarity >= SAME_PAGE ? 'same' : similarity <= OTHER_PAGE ? 'different' : 'unclear';
}

/** The cookies that visitors of a link that was never issued do not get: a gateway gives its own ones to every visitor. */
export const ownCookies = (first: Arrival, bogus: Arrival): string[] =>
  first.cookies.filter((name) => !bogus.cookies.includes(name));

/** The result of an unused link, compared with a link that was never issued. */
export function judgeFirstUse(first: Arrival, bogus: Arrival): SignInState {
  if (first.status >= 400) return 'out';
  // The same page for every visitor is either a sign-in page or a frame that scripts fill.
  if (compare(first, bogus) === 'same') return first.asksForPassword && !first.isFilledByScript ? 'out' : 'unclear';
  const isBefore = first.sendsTokenOn || (first.mayGoOn && ownCookies(first, bogus).length === 0);
  return first.asksForPassword || isBefore ? 'unclear' : 'in';
}

/** The result of a used link, compared with its first use, which signed the visitor in. */
export function judgeSecondUse(again: Arrival, first: Arrival, bogus: Arrival): SignInState {
  if (again.status >= 400) return 'out';
  const likeFirst = compare(again, first);
  if (likeFirst === 'same') return 'in';
  if (compare(again, bogus) === 'same') return 'out';
  if (likeFirst === 'unclear') return 'unclear';
  // A different page, but with the cookie that only signed-in visitors get.
  const key = ownCookies(first, bogus);
  return key.length > 0 && key.every((name) => again.cookies.includes(name)) ? 'unclear' : 'out';
}

/** The result of the next link, compared with the first use of the previous one. */
export function nextLink(next: Arrival, first: Arrival, bogus: Arrival): SignInState {
  if (next.status >= 400) return 'out';
  if (compare(next, first) !== 'different') return 'in';
  return compare(next, bogus) === 'same' ? 'out' : 'unclear';
}

/**
 * The secret part of a link: its longest sequence of letters and digits after the host. What follows a # is one only where it looks
 * like a token and nothing before it does: else it names a place of the page.
 */
export function tokenIn(link: string): string {
  const { pathname, search, hash } = new URL(link);
  const sent = longestRun(`${pathname}${search}`);
  const unsent = longestRun(hash);
  return isTokenLike(unsent) && !isTokenLike(sent) ? unsent : sent;
}

const longestRun = (text: string): string =>
  (text.match(/[\w-]+/g) ?? []).reduce((longest, run) => (run.length > longest.length ? run : longest), '');

const isTokenLike = (run: string): boolean => run.length >= MIN_SOUGHT_CHARS && /\d/.test(run);

/** Whether only a browser can use a link: what follows the # is not sent. */
export const isForScripts = (link: string): boolean => {
  const run = longestRun(new URL(link).hash);
  return run !== '' && run === tokenIn(link);
};

/** The link with one character of its token changed: no service has issued it. */
export function forgedLink(link: string): string {
  const token = tokenIn(link);
  const at = link.lastIndexOf(token);
  return token === '' ? `${link}x` : `${link.slice(0, at)}${nearMissOf(token)}${link.slice(at + token.length)}`;
}
