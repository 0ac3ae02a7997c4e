/** What the pages of a check looked like when it failed, or could not be decided. */
import type { Context } from '../../check/context.ts';
import { capturePage } from './capture.ts';

/** A tab of the service and one of the app; more would be read by no one. */
const MAX_PAGES = 2;
const BLANK = 'about:blank';

/** Takes pictures of the pages that the check has used, before its clean-up uses them. Never throws. */
export async function screenshotPages(context: Context): Promise<void> {
  const { steps, redaction, profile } = context.resources;
  if (steps === undefined) return;
  const pages = steps.pagesToPicture().filter((page) => page.url() !== BLANK);
  const covered = profile.secrets().map((secret) => secret.reveal());
  for (const [at, page] of pages.slice(-MAX_PAGES).entries()) {
    const title = `The page after the last browser step${at === 0 ? '' : ' (another tab)'}`;
    const taken = await capturePage(page, title, { redaction, covered, coversAll: true });
    context.screenshots.push(...taken.filter(({ png }) => steps.takesPicture(png.length)));
  }
}
