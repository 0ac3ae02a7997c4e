/** A label request in a browser: posted as the store's admin page posts it, and followed until something comes back. */
import type { Page } from '@playwright/test';
import type { Fields } from '../../../../contracts/signing/index.ts';
import type { DeliverySession, LabelRequest } from '../../session.ts';
import { follow, type Instead, type Visit } from './follow.ts';
import { openForm, type RequestTarget, type WaitLimits } from './open-form.ts';

const BLANK = 'about:blank';

/**
 * Posts fields to the label page in a browser, and follows where that leads. Where a page has been used before, a new tab
 * beside it is used: what the earlier visit left under way there could still arrive, and be taken for a document of this one.
 */
export async function visit(
  session: DeliverySession,
  page: Page,
  request: LabelRequest,
  fields: Fields,
  waits: WaitLimits,
  to?: RequestTarget,
): Promise<Visit> {
  const fresh = page.url() === BLANK ? page : await page.context().newPage();
  return follow(session, fresh, await openForm(session, fresh, request, fields, waits, to));
}

/** What came in place of a request's own report, as the end of a sentence. */
export const saidInstead = ({ instead }: Pick<Visit, 'instead'>): string =>
  instead === undefined ? '' : `; ${INSTEAD[instead]}`;

const INSTEAD: Readonly<Record<Instead, string>> = {
  'reported again': 'meanwhile an earlier request was reported once more, to the callback_url of that one',
  shown: 'the page shows the label of another order, as if this one had been printed already',
};
