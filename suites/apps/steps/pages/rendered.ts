/** Public pages as a browser shows them: a page that its scripts fill has nothing in its HTML that a visitor without scripts could read. */
import { sharedPage } from '../../../../harness/browser/shared-page.ts';
import type { Context } from '../../../../harness/check/context.ts';
import { Inconclusive } from '../../../../harness/check/failures.ts';
import { until } from '../../../../harness/process/until.ts';
import type { Resources } from '../../../../harness/resources/resources.ts';
import { wordsOf } from '../../../reseller/steps/login/page-words.ts';
import { isInBody } from './html-body.ts';
import { withoutScripts } from './page-tokens.ts';
import type { PublicPage } from './public-page.ts';

/** Scripts of a page get this long to fill it. */
const MAX_WAIT_MS = 3_000;
const POLL_MS = 100;
/** A page with scripts and fewer words of its own than this may be one that scripts fill. */
const FEW_WORDS = 12;
/** So much of a snippet is as it was set where a page shows it changed. */
const COMMON_CHARS = 20;

/** A snippet that is looked for, and the mark in it. */
interface SoughtSnippet {
  readonly text: string;
  readonly mark: string;
}

/** Runs whose pages have shown a snippet only after scripts had run: what such a page lacks as it is served says nothing. */
const filledByScripts = new WeakSet<Resources>();

/** Notes that a page has shown a snippet which it did not have as it was served. */
export const noteFilled = ({ resources }: Context): void => void filledByScripts.add(resources);

/** The page as its scripts show it, on a website whose pages are known to be filled by them; else as it was served. */
export const asFilled = async (
  context: Context,
  page: PublicPage,
  isThere: (html: string) => boolean,
): Promise<PublicPage> => (filledByScripts.has(context.resources) ? rendered(context, page, isThere) : page);

/**
 * The page after its scripts have run, once what is looked for is there. The page as it was served where that does not come (or as
 * its scripts have left it, if they are known to fill it), where it has no script, or where no browser reaches it; undecided if it is
 * then plain that only scripts could show the snippet.
 */
export async function rendered(
  context: Context,
  page: PublicPage,
  isThere: (html: string) => boolean,
  snippet?: SoughtSnippet,
): Promise<PublicPage> {
  if (!/<script\b/i.test(page.html)) return page;
  try {
    const tab = await sharedPage(context, 'public website');
    await tab.goto(page.response.request.url, { waitUntil: 'domcontentloaded' });
    const isFilled = filledByScripts.has(context.resources);
    // What has to be gone is not there either before the scripts have put it there.
    if (isFilled) await tab.waitForLoadState('networkidle', { timeout: MAX_WAIT_MS }).catch(() => undefined);
    let shown = page;
    const snapshot = async (): Promise<PublicPage | undefined> => {
      const html = await tab.evaluate(() => document.documentElement.outerHTML);
      if (isFilled) shown = { ...page, html };
      return isThere(html) ? { ...page, html } : undefined;
    };
    return (await until(snapshot, MAX_WAIT_MS, POLL_MS)) ?? shown;
  } catch (error) {
    if (isFilledByScripts(page) || (snippet !== undefined && isInScripts(page, snippet))) {
      const why = error instanceof Inconclusive ? error.message : 'the browser could not open it';
      throw new Inconclusive(
        `the public page in ${page.language} is filled by its scripts, and could not be read in a browser: ${why}`,
        'configuration',
      );
    }
    return page;
  }
}

/** A snippet that is in a script of the page and nowhere else: one that was put there as markup and changed begins like itself. */
const isInScripts = ({ html }: PublicPage, { mark, text }: SoughtSnippet): boolean =>
  !withoutScripts(html).includes(mark) && !isInBody(html, text.slice(0, COMMON_CHARS));

const isFilledByScripts = ({ html }: PublicPage): boolean => wordsOf(html).length < FEW_WORDS;
