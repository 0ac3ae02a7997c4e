/** Pictures of pages as evidence: whatever shows a secret is covered before the picture is taken. */
import type { Page } from '@playwright/test';
import type { Screenshot } from '../../../harness/check/findings.ts';
import { within } from '../../../harness/integrator/until.ts';
import type { AppSession } from '../session.ts';

/** A page that can't be pictured in this time goes without. */
const PICTURE_TIMEOUT_MS = 4_000;
const MOST_CHARACTERS = 200_000;
const COVERED = 'data-proofmark-covered';

/** A picture of what is to be seen now, or none. */
export async function picture(session: AppSession, page: Page | undefined, title: string): Promise<Screenshot[]> {
  if (page === undefined) return [];
  const taken = await within(
    take(session, page).catch(() => undefined),
    PICTURE_TIMEOUT_MS,
    () => undefined,
  );
  return taken === undefined ? [] : [{ title, png: taken.toString('base64') }];
}

async function take(session: AppSession, page: Page): Promise<Buffer | undefined> {
  const values = [
    session.app.apiKey.reveal(),
    session.app.secret?.reveal() ?? '',
    ...session.counterpart.installations().map(({ authCode }) => authCode),
  ].filter((value) => value !== '');
  const rest = await page.evaluate(cover, { values, mark: COVERED, most: MOST_CHARACTERS });
  // A secret in some other writing can't be covered: then there is no picture.
  if (rest === undefined || session.redaction.text(rest) !== rest) return undefined;
  return page.screenshot({ mask: [page.locator(`[${COVERED}]`)], animations: 'disabled', timeout: PICTURE_TIMEOUT_MS });
}

/**
 * In the page: marks what shows one of the values; hands on all other text, or nothing when it is too much.
 * No function in it may have a name: the loader's way to keep names is not there in the page.
 */
function cover({ values, mark, most }: { values: string[]; mark: string; most: number }): string | undefined {
  const shown: string[] = [];
  let length = 0;
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  const seen: [string, Element | null][] = [];
  for (let node = walker.nextNode(); node !== null && seen.length <= most; node = walker.nextNode()) {
    seen.push([node.textContent ?? '', node.parentElement]);
  }
  for (const field of document.querySelectorAll<HTMLInputElement>('input,textarea')) seen.push([field.value, field]);
  for (const [text, element] of seen) {
    if (values.some((value) => text.includes(value))) element?.setAttribute(mark, '');
    else {
      shown.push(text);
      length += text.length;
    }
    if (length > most) return undefined;
  }
  return shown.join('\n');
}
