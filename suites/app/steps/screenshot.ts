/** Pictures of pages as evidence: whatever shows a secret is covered before the picture is taken. */
import type { Page } from '@playwright/test';
import { capturePage as captureFor } from '../../../harness/browser/steps/capture.ts';
import type { Screenshot } from '../../../harness/check/findings/index.ts';
import type { AppSession } from '../session.ts';

/** A picture of what is to be seen now, or none. */
export async function capturePage(session: AppSession, page: Page | undefined, title: string): Promise<Screenshot[]> {
  if (page === undefined) return [];
  const { app, counterpart, redaction } = session;
  const codes = counterpart.installations().map(({ authCode }) => authCode);
  return captureFor(page, title, { redaction, covered: [app.apiKey.reveal(), app.secret?.reveal() ?? '', ...codes] });
}
