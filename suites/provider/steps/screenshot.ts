/** A picture of the page as evidence, unless a secret is to be seen on it. */
import type { Page } from '@playwright/test';
import { capturePage as pictureOf } from '../../../harness/browser/steps/pictures.ts';
import type { Screenshot } from '../../../harness/check/findings/index.ts';
import type { DeliverySession } from '../session.ts';

/** A picture of what is to be seen now, or none. */
export const capturePage = ({ redaction }: DeliverySession, page: Page, title: string): Promise<Screenshot[]> =>
  pictureOf(page, title, { redaction, covered: [] });
