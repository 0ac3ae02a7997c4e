/** A picture of the page as evidence, unless a secret is to be seen on it. */
import type { Page } from '@playwright/test';
import type { Screenshot } from '../../../harness/check/findings.ts';
import { takeScreenshot } from '../../../harness/integrator/page/screenshot.ts';
import { within } from '../../../harness/integrator/until.ts';
import type { DeliverySession } from '../session.ts';

/** A page that can't be pictured in this time goes without. */
const PICTURE_TIMEOUT_MS = 4_000;

/** A picture of what is to be seen now, or none. */
export async function picture(session: DeliverySession, page: Page, title: string): Promise<Screenshot[]> {
  const holdsSecret = (text: string): boolean => session.redaction.text(text) !== text;
  const taken = await within(
    takeScreenshot(page, { covered: [], holdsSecret, timeoutMs: PICTURE_TIMEOUT_MS }).catch(() => undefined),
    PICTURE_TIMEOUT_MS,
    () => undefined,
  );
  return taken === undefined ? [] : [{ title, png: taken.toString('base64') }];
}
