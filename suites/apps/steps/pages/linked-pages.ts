/** Pages of the website that its front page links to: a snippet is in the body of every page, and the profile names one for each language. */
import type { Context } from '../../../../harness/check/context.ts';
import { pageOf } from './index.ts';
import type { PublicPage } from './public-page.ts';

/** More would say little more about the same templates, and cost the website requests. */
const MAX_PAGES = 2;
/** Links that may do something, or lead to another program than the one that serves the pages. */
const NOT_A_PAGE =
  /log-?(?:in|out|on|off)|sign|auth|account|admin|user|cart|basket|checkout|order|pay|add|delete|remove|subscribe|search|api|feed|rss|sitemap|\.(?!(?:x?html?|php|aspx?|jsp)$)\w{1,5}$/i;

/** The address of a link, which needs no quotes where it has no spaces. */
const HREF = /<a\b[^<>]{0,1000}?\bhref\s{0,8}=\s{0,8}(?:["']([^"'<>]{1,1000})["']|([^\s"'<>=`]{1,1000}))/gi;

/** Addresses below the page's own folder that it links to, without those that may be something else than a page. */
export function pageLinks(html: string, address: string): string[] {
  const own = new URL(address);
  const folder = new URL('.', own);
  const found = new Set<string>();
  for (const [, quoted, text = quoted ?? ''] of html.matchAll(HREF)) {
    if (!URL.canParse(text, own)) continue;
    const { origin, pathname, search, href } = new URL(text, own);
    const isBelow = origin === own.origin && pathname.startsWith(folder.pathname) && search === '';
    const rest = pathname.slice(folder.pathname.length);
    if (isBelow && rest !== '' && pathname !== own.pathname && !NOT_A_PAGE.test(rest))
      found.add(href.replace(/#.*/s, ''));
  }
  return [...found];
}

/** The language that a page says it is in. */
const languageIn = (html: string): string | undefined =>
  /<html\b[^<>]{0,1000}?\blang\s{0,8}=\s{0,8}["']?([\w-]{1,40})/i.exec(html)?.[1]?.toLowerCase();

/** Whether two pages say the same of their language, or nothing. */
export const areAlike = (one: string, other: string): boolean => languageIn(one) === languageIn(other);

/** Whether a page says that it is in a language, whatever the region. */
export const saysLanguage = (html: string, language: string): boolean =>
  languageIn(html)?.split(/[-_]/)[0] === language.toLowerCase().split(/[-_]/)[0];

/**
 * Reads a few pages in the language of a page that links to them: those that are served as HTML at their own address. With a `fresh`
 * text, which is added to their addresses, caches are passed.
 */
export async function linkedPages(context: Context, page: PublicPage, fresh?: string): Promise<readonly PublicPage[]> {
  const own = page.response.request.url;
  const known = Object.values(context.profile.website?.pages ?? {});
  // The pages of another language may be below those of the default one.
  const others = known.filter((address) => address !== own && address.length > own.length);
  const isOther = (link: string): boolean => known.includes(link) || others.some((other) => link.startsWith(other));
  const links = pageLinks(page.html, own).filter((link) => !isOther(link));
  const pages: PublicPage[] = [];
  for (const link of links.slice(0, 2 * MAX_PAGES)) {
    const address = new URL(link);
    if (fresh !== undefined) address.searchParams.append('proofmark', fresh);
    const { response, hops } = await context.visitor().open(address.href);
    const isHtml = response.contentType === 'text/html' && /<body\b/i.test(response.text);
    const isAlike = areAlike(response.text, page.html);
    if (response.status === 200 && hops === 1 && isHtml && isAlike) pages.push(pageOf(page.language, response));
    if (pages.length === MAX_PAGES) break;
  }
  return pages;
}

/**
 * The same, of a page that says its language; none of another page: the profile may not name all languages of the website, and what
 * the page links to may be in one of those.
 */
export async function linkedPagesInLanguage(context: Context, page: PublicPage): Promise<readonly PublicPage[]> {
  return saysLanguage(page.html, page.language) ? linkedPages(context, page) : [];
}
