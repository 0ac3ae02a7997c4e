/** Pictures of pages as evidence: whatever shows a secret is covered before the picture is taken. */
import type { Page } from '@playwright/test';
import type { Screenshot } from '../../../harness/check/findings.ts';
import { takeScreenshot } from '../../../harness/integrator/page/screenshot.ts';
import { within } from '../../../harness/integrator/until.ts';
import type { AppSession } from '../session.ts';

/** A page that can't be pictured in this time goes without. */
const PICTURE_TIMEOUT_MS = 4_000;

/** A picture of what is to be seen now, or none. */
export async function picture(session: AppSession, page: Page | undefined, title: string): Promise<Screenshot[]> {
  if (page === undefined) return [];
  const covered = [
    session.app.apiKey.reveal(),
    session.app.secret?.reveal() ?? '',
    ...session.counterpart.installations().map(({ authCode }) => authCode),
  ].filter((value) => value !== '');
  const holdsSecret = (text: string): boolean => session.redaction.text(text) !== text;
  const taken = await within(
    takeScreenshot(page, { covered, holdsSecret, timeoutMs: PICTURE_TIMEOUT_MS }).catch(() => undefined),
    PICTURE_TIMEOUT_MS,
    () => undefined,
  );
  return taken === undefined ? [] : [{ title, png: taken.toString('base64') }];
}
