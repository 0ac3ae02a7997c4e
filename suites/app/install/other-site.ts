/** Whether an app works for users who come from another site, as those of the store do, where the precheck is of the same site as the app. */
import type { Page } from '@playwright/test';
import { Skipped } from '../../../harness/check/failures.ts';
import {
  describePage,
  inspectPage,
  isShown,
  type PageSnapshot,
} from '../../../harness/integrator/page/inspection/page-inspection.ts';
import { documentsIn, inContext, waitUntilSettled } from '../../../harness/integrator/page/visit.ts';
import { until } from '../../../harness/process/until.ts';
import { type AppCheck, type AppContext, appCheck } from '../session.ts';
import { callbacksOf, callsFor, isInstalledCall } from '../steps/effects.ts';
import { givenInstalled, installWaitMs } from '../steps/given.ts';
import { afterInstall } from '../steps/loads/index.ts';

const DOCUMENT_MS = 8_000;
const RETURN_MS = 4_000;

interface Installation {
  /** Whether the app has set a cookie that a user from another site does not bring. */
  readonly hasStrictCookie: boolean;
  /** Installed was called, and the user sees a page, or was sent back to the service. */
  readonly isServed: boolean;
  readonly snapshot: PageSnapshot;
}

export const checks: readonly AppCheck[] = [
  appCheck(
    'app.install.from-other-site',
    'SHOULD install for a user who comes from another site',
    { clauses: ['app.install.from-other-site'], needs: ['browser', 'app'] },
    async (context) => {
      const { installed } = await givenInstalled(context);
      context.restOn([installed?.exchange]);
      const way = await install(context, 'elsewhere');
      if (!way.hasStrictCookie) throw new Skipped('the app sets no cookie with SameSite=Strict');
      const isLost = async (): Promise<boolean> =>
        (await install(context, 'here')).isServed && !(await install(context, 'elsewhere')).isServed;
      context.expect.that(
        way.isServed || !(await isLost()),
        'the app sets a cookie with SameSite=Strict, which the browser does not send for a user who comes from the store: the installation ends without it. Use SameSite=Lax',
        { expected: 'the page after the installation', actual: describePage(way.snapshot) },
      );
    },
  ),
];

/** One more installation, of a user who comes from the site of the app or from another one. */
async function install(context: AppContext, from: 'here' | 'elsewhere'): Promise<Installation> {
  const { session } = context;
  const { counterpart } = session;
  const waitMs = await installWaitMs(context);
  return inContext(
    () => session.browserContext(),
    async (browser) => {
      const known = new Set((await browser.cookies()).map(({ name }) => name));
      const page = await browser.newPage();
      const { url, token } = counterpart.beginInstall('new');
      await openFrom(page, url, from);
      await until(() => callbacksOf(session, token)[0], RETURN_MS);
      const earlier = callbacksOf(session, token).length;
      const coded = counterpart.accept(token);
      const tab = await browser.newPage();
      const status = await openFrom(tab, coded.url, from);
      await afterInstall(session, tab);
      const isCalled = (): true | undefined => callsFor(session, [coded.authCode]).some(isInstalledCall) || undefined;
      await until(isCalled, waitMs);
      await waitUntilSettled(tab, { status });
      const snapshot = await inspectPage(tab, documentsIn(browser).lastOf(tab)?.status());
      const isReturned = callbacksOf(session, token).length > earlier;
      const cookies = (await browser.cookies()).filter(({ name }) => !known.has(name));
      return {
        hasStrictCookie: cookies.some(({ sameSite }) => sameSite === 'Strict'),
        isServed: isCalled() === true && (isReturned || isShown(snapshot)),
        snapshot,
      };
    },
  );
}

/** Opens an address as a person types it, or as a page of another site leads to it; returns the status of its document. */
async function openFrom(page: Page, url: string, from: 'here' | 'elsewhere'): Promise<number | undefined> {
  const documents = documentsIn(page.context());
  if (from === 'here') await page.goto(url, { timeout: DOCUMENT_MS }).catch(() => undefined);
  else {
    // An empty page has no site: for the browser it is another one than any.
    await page.evaluate((address) => void location.assign(address), url).catch(() => undefined);
    await until(() => documents.lastOf(page), DOCUMENT_MS);
    await page.waitForLoadState('domcontentloaded', { timeout: DOCUMENT_MS }).catch(() => undefined);
  }
  return documents.lastOf(page)?.status();
}
