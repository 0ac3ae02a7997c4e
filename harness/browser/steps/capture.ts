/** Pictures of pages as evidence, bounded in time and size: whatever shows a secret is covered before, or no picture is taken. */
import type { Page } from '@playwright/test';
import type { Screenshot } from '../../check/findings/index.ts';
import type { Redaction } from '../../evidence/redaction/index.ts';
import { within } from '../../process/until.ts';
import { takeScreenshot } from './screenshot.ts';

export interface PictureOptions {
  readonly redaction: Redaction;
  /** Secrets whose elements are covered. */
  readonly covered: readonly string[];
  /** Whether whatever else holds a secret is covered, too; otherwise no picture of it is taken. */
  readonly coversAll?: boolean;
}

/** A page that can't be pictured in this time goes without. */
const PICTURE_TIMEOUT_MS = 4_000;
/** A page of text and forms has a fifth of it; the report has to stay small enough to be sent. */
const MAX_PICTURE_BYTES = 512 * 1024;

/** A picture of what is to be seen now, or none. `title` is of our own words. Never throws. */
export async function capturePage(page: Page, title: string, options: PictureOptions): Promise<Screenshot[]> {
  const { redaction } = options;
  const taken = await within(
    takeScreenshot(page, {
      covered: options.covered.filter((value) => value !== ''),
      holdsSecret: (text) => redaction.text(text) !== text,
      coversAll: options.coversAll ?? false,
      timeoutMs: PICTURE_TIMEOUT_MS,
    }).catch(() => undefined),
    PICTURE_TIMEOUT_MS,
    () => undefined,
  );
  return taken === undefined || taken.length > MAX_PICTURE_BYTES ? [] : [{ title, png: taken.toString('base64') }];
}
