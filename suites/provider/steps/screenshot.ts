/** A picture of the page as evidence, unless a secret is to be seen on it. */
import type { Page } from '@playwright/test';
import { capturePage as captureFor } from '../../../harness/browser/steps/capture.ts';
import type { Screenshot } from '../../../harness/check/findings/index.ts';
import type { DeliverySession } from '../session.ts';

/** A picture of what is to be seen now, or none. */
export const capturePage = ({ redaction }: DeliverySession, page: Page, title: string): Promise<Screenshot[]> =>
  captureFor(page, title, { redaction, covered: [] });
