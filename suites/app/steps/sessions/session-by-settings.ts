/** Whether a forged settings request, however it is answered, begins a session that shows the settings. */
import {
  inspectPage,
  isShown,
  type PageSnapshot,
  showsCommonContent,
} from '../../../../harness/integrator/page/inspection/page-inspection.ts';
import { inContext, open, waitUntilSettled } from '../../../../harness/integrator/page/visit.ts';
import type { AppContext } from '../../session.ts';
import { hasInstallation } from '../effects.ts';
import { settingsPace } from '../given.ts';
import { type Alteration, type Outcome, settingsLoads, UNALTERED } from '../loads/index.ts';
import { expectRefused } from '../refusals.ts';
import { journeyOf } from '../user-flow/index.ts';
import { withoutSession } from './without-session.ts';

/**
 * Asserts that the page which authentic settings lead to, opened after a forged request in the same browser without any parameters, does
 * not show what it shows after an authentic one. Nothing is judged where users sign in, where the settings are shown at their own
 * address, nor where that page shows the same to a browser without a session.
 */
export async function expectNoSessionBySettings(context: AppContext, forgery: Alteration): Promise<void> {
  const { session } = context;
  const { settings } = await journeyOf(context);
  if (session.driver.signIn !== undefined || settings === undefined || !isShown(settings.snapshot)) return;
  const { authCode, snapshot: shown } = settings;
  const address = URL.parse(session.app.settingsUrl ?? '');
  const place = URL.parse(shown.place);
  if (place === null || place.origin !== address?.origin || place.pathname === address.pathname) return;
  if (!hasInstallation(session, authCode)) return;
  const waitMs = await settingsPace(context);
  const [control] = await settingsLoads(context, authCode, [UNALTERED], waitMs, 'alone');
  if (control === undefined) return;
  const isServed = (snapshot: PageSnapshot): boolean => showsCommonContent(snapshot, [shown, control.snapshot]);
  const openedAfter = (before: readonly Alteration[]): Promise<Pick<Outcome, 'snapshot'> & Partial<Outcome>> =>
    withoutSession(session, () =>
      inContext(
        () => session.browserContext(),
        async (browser) => {
          const [load] = await settingsLoads(context, authCode, before, waitMs, browser);
          const page = await browser.newPage();
          const opened = await open(page, place.href);
          await waitUntilSettled(page, opened);
          return { ...load, snapshot: await inspectPage(page, opened.status) };
        },
      ),
    );
  if (!isServed((await openedAfter([forgery])).snapshot) || isServed((await openedAfter([])).snapshot)) return;
  const again = await openedAfter([forgery]);
  if (!isServed(again.snapshot)) return;
  const change = `${forgery.change}, after which its browser has a session for the installation`;
  const served = { ...control, ...again, change, calls: [], callback: undefined };
  expectRefused(
    context,
    { served: [served], refused: [] },
    `not the page of an authentic request at ${place.pathname}`,
  );
}
