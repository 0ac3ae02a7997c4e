/** The public pages of the website, fetched as any visitor would, without credentials. */
import type { Context } from '../../../../harness/check/context.ts';
import { Inconclusive } from '../../../../harness/check/failures.ts';
import type { Resources } from '../../../../harness/resources/resources.ts';
import type { ServiceResponse } from '../../../../harness/target/client/types.ts';
import type { PublicPage } from './public-page.ts';
import { asFilled, noteFilled, rendered } from './rendered.ts';

/** A cache in front of a website is asked to look again; one that does not is given this long, once. */
const SECOND_READ_AFTER_MS = 1_500;
/**
 * A cache that ignores the query and the headers of a visitor keeps a page as long as the page says, or some seconds: the contract does
 * not say that a snippet shows at once. Only a service that is about to fail is waited for.
 */
const USUAL_CACHE_MS = 10_000;
const MAX_CACHE_MS = 60_000;

export interface PageExpectation {
  /** All that have a page in the profile, by default. */
  readonly languages?: readonly string[];
  /** Texts that must not be there any more. */
  readonly gone?: readonly string[];
}

/**
 * Reads the page of each language, or of those named. `awaited` says which texts have to be there: a page without them, or with
 * one that has to be gone, is read again a little later, past caches, and once more when the caches that can't be passed have to be empty.
 */
export async function readPages(
  context: Context,
  awaited: (language: string) => readonly string[],
  { languages, gone = [] }: PageExpectation = {},
): Promise<readonly PublicPage[]> {
  const all = Object.entries(context.given.configured(context.profile.website?.pages, 'website.pages'));
  const addresses = all.filter(([language]) => languages?.includes(language) ?? true);
  const lacks = (language: string, html: string): boolean => awaited(language).some((text) => !html.includes(text));
  const isEarly = ({ language, html }: PublicPage): boolean =>
    lacks(language, html) || gone.some((text) => html.includes(text));
  const pages: PublicPage[] = [];
  const read = async (language: string, address: string): Promise<PublicPage> => {
    const served = await readPage(context, language, address);
    return asFilled(context, served, (html) => !isEarly({ ...served, html }));
  };
  for (const [language, address] of addresses) pages.push(await read(language, address));
  await pastCaches(
    context,
    () => pages.filter(isEarly),
    async () => {
      for (const [at, page] of pages.entries()) {
        if (!isEarly(page)) continue;
        const address = new URL(addresses[at]![1]);
        address.searchParams.append('proofmark', context.resources.newMark());
        // The address with our parameter may be no page at all: then the first look counts.
        const again = await read(page.language, address.href).catch(() => page);
        const shown = isEarly(again) ? await rendered(context, again, (html) => !lacks(page.language, html)) : again;
        if (lacks(page.language, again.html) && !lacks(page.language, shown.html)) noteFilled(context);
        pages[at] = shown;
      }
    },
  );
  return pages;
}

/** Looks again after a moment, and when caches have expired, as long as `early` names pages that may be old ones. */
export async function pastCaches(
  { resources }: Context,
  early: () => readonly PublicPage[],
  readAgain: () => Promise<void>,
): Promise<void> {
  for (const pauseOf of [() => SECOND_READ_AFTER_MS, cachedMs]) {
    const pages = early();
    if (pages.length === 0 || (pauseOf === cachedMs && waitedInVain.has(resources))) return;
    await resources.sleep(Math.max(...pages.map(pauseOf)));
    await readAgain();
    if (pauseOf === cachedMs && early().length > 0) waitedInVain.add(resources);
  }
}

/** Runs whose target did not show in time what a long wait was for: it is not given that time again. */
const waitedInVain = new WeakSet<Resources>();

/** How long a cache may still serve this page, in milliseconds. */
function cachedMs({ response }: PublicPage): number {
  const seconds = /\b(?:s-maxage|max-age)=(\d{1,9})\b/i.exec(response.header('cache-control') ?? '')?.[1];
  return Math.min(MAX_CACHE_MS, Math.max(USUAL_CACHE_MS, Number(seconds ?? 0) * 1_000));
}

async function readPage(context: Context, language: string, address: string): Promise<PublicPage> {
  const { response } = await context.visitor().open(address, [
    ['Cache-Control', 'no-cache'],
    ['Pragma', 'no-cache'],
  ]);
  if (response.status !== 200) {
    throw new Inconclusive(
      `the public page in ${language} answers with status ${response.status}: check website.pages.${language} in the profile, and that the website is enabled`,
      'configuration',
    );
  }
  return pageOf(language, response);
}

/** A page as it was served, in the charset that it names. */
export const pageOf = (language: string, response: ServiceResponse): PublicPage => ({
  language,
  html: textOf(response),
  response,
});

/** A page may name its charset in its own head only. */
function textOf(response: ServiceResponse): string {
  if (/charset/i.test(response.header('content-type') ?? '')) return response.text;
  const head = Buffer.from(response.bytes.subarray(0, 2048)).toString('latin1');
  const charset = /<meta\b[^<>]{0,1000}?charset\s{0,16}=\s{0,16}["']?([\w-]{1,64})/i.exec(head)?.[1];
  try {
    return charset === undefined ? response.text : new TextDecoder(charset).decode(response.bytes);
  } catch {
    return response.text;
  }
}
