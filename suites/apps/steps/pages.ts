/** The public pages of the website, fetched as any visitor would, without credentials. */
import type { Context } from '../../../harness/check/context.ts';
import { Inconclusive } from '../../../harness/check/failures.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { PublicPage } from './public-page.ts';
import { rendered } from './rendered.ts';

/** A cache in front of a website is asked to look again; one that does not is given this long, once. */
export const SECOND_LOOK_AFTER_MS = 1_500;

export interface PageExpectation {
  /** All that have a page in the profile, by default. */
  readonly languages?: readonly string[];
  /** Texts that must not be there any more. */
  readonly gone?: readonly string[];
}

/**
 * Reads the page of each language, or of those named. `awaited` says which texts have to be there: a page without them, or with
 * one that has to be gone, is read once more a little later, past caches, because the contract does not say that a snippet shows at once.
 */
export async function readPages(
  context: Context,
  awaited: (language: string) => readonly string[],
  { languages, gone = [] }: PageExpectation = {},
): Promise<readonly PublicPage[]> {
  const all = Object.entries(context.given.configured(context.profile.website?.pages, 'website.pages'));
  const addresses = all.filter(([language]) => languages?.includes(language) ?? true);
  const pages: PublicPage[] = [];
  for (const [language, address] of addresses) pages.push(await readPage(context, language, address));
  const isEarly = ({ language, html }: PublicPage): boolean =>
    awaited(language).some((text) => !html.includes(text)) || gone.some((text) => html.includes(text));
  if (pages.some(isEarly)) await context.resources.sleep(SECOND_LOOK_AFTER_MS);
  for (const [at, page] of pages.entries()) {
    if (!isEarly(page)) continue;
    const address = new URL(addresses[at]![1]);
    address.searchParams.append('proofmark', context.resources.newMark());
    // The address with our parameter may be no page at all: then the first look counts.
    const again = await readPage(context, page.language, address.href).catch(() => page);
    pages[at] = isEarly(again)
      ? await rendered(context, again, (html) => awaited(page.language).every((text) => html.includes(text)))
      : again;
  }
  return pages;
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
  response: response,
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
