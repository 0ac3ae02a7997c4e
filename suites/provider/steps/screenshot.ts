/** A picture of the page as evidence, unless a secret is to be seen on it. */
import type { Page } from '@playwright/test';
import type { Screenshot } from '../../../harness/check/findings.ts';
import { within } from '../../../harness/integrator/until.ts';
import type { DeliverySession } from '../session.ts';

/** A page that can't be pictured in this time goes without. */
const PICTURE_TIMEOUT_MS = 4_000;
const MOST_CHARACTERS = 200_000;

/** A picture of what is to be seen now, or none. */
export async function picture(session: DeliverySession, page: Page, title: string): Promise<Screenshot[]> {
  const taken = await within(
    take(session, page).catch(() => undefined),
    PICTURE_TIMEOUT_MS,
    () => undefined,
  );
  return taken === undefined ? [] : [{ title, png: taken.toString('base64') }];
}

async function take(session: DeliverySession, page: Page): Promise<Buffer | undefined> {
  const shown = await page.evaluate(() => {
    const fields = [...document.querySelectorAll<HTMLInputElement>('input,textarea')].map((field) => field.value);
    return `${document.documentElement.textContent ?? ''}\n${fields.join('\n')}`;
  });
  if (shown.length > MOST_CHARACTERS || session.redaction.text(shown) !== shown) return undefined;
  return page.screenshot({ animations: 'disabled', timeout: PICTURE_TIMEOUT_MS });
}
