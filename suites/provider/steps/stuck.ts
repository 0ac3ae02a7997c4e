/** Label pages that wait for a person. */
import type { Page } from '@playwright/test';
import { linksOf, ONLY_LINKS, pendingInput } from '../../../harness/integrator/page/form/pending-input.ts';
import type { DeliverySession } from '../session.ts';

/** Why a page that was served and did not report can't be blamed for it: it waits for a person who knows what to do. */
export async function whyStuck(
  session: DeliverySession,
  page: Page,
  { status, before }: { readonly status: number | undefined; readonly before: readonly string[] },
): Promise<string | undefined> {
  if (status === undefined) return undefined;
  let awaits = await pendingInput(page);
  if (awaits === ONLY_LINKS) awaits = await pendingInput(page, [...before, ...(await linksForAnyone(session))]);
  // A refusal may offer anything beside it, except to sign in.
  if (awaits === undefined || (status >= 400 && awaits !== 'a password')) return undefined;
  return `it shows ${awaits} that this precheck cannot decide on`;
}

const linksOfSession = new WeakMap<DeliverySession, Promise<readonly string[]>>();

/** Where the links of the page lead that anyone sees at the address of the label page: they know of no order. */
function linksForAnyone(session: DeliverySession): Promise<readonly string[]> {
  const known =
    linksOfSession.get(session) ??
    session.pages.use(async (page) => {
      await page.goto(session.provider.labelUrl, { timeout: DOCUMENT_FOR_ANYONE_MS }).catch(() => undefined);
      return linksOf(page);
    });
  linksOfSession.set(session, known);
  return known;
}

const DOCUMENT_FOR_ANYONE_MS = 8_000;
