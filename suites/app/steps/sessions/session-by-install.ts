/** Whether a forged install request, however it is answered, begins a session for the installation that it names. */
import { inspectPage } from '../../../../harness/integrator/page/inspection/page-inspection.ts';
import { inContext, open } from '../../../../harness/integrator/page/visit.ts';
import { until } from '../../../../harness/process/until.ts';
import type { AppContext } from '../../session.ts';
import { callsFor, exchangesOf, mark } from '../effects.ts';
import { pace } from '../given.ts';
import { type Alteration, hasEffects, type Outcome, secondLoads } from '../loads/index.ts';
import { expectRefused } from '../refusals.ts';
import { journeyOf } from '../user-flow/index.ts';
import { withoutSession } from './without-session.ts';

/**
 * Asserts that the page which an authentic installation ends on, opened after a forged load in the same browser without any
 * parameters, calls nothing for the authCode of that load: the app knows it from nothing else. Nothing is judged where users sign in, nor
 * where the installation ends on the install address itself.
 */
export async function expectNoSessionByInstall(context: AppContext, forgery: Alteration): Promise<void> {
  const { session } = context;
  const { second } = await journeyOf(context);
  const install = URL.parse(session.app.installUrl ?? '');
  const place = URL.parse(second?.snapshot.place ?? '');
  if (session.driver.signIn !== undefined || second?.installed === undefined) return;
  if (place === null || place.origin !== install?.origin || place.pathname === install.pathname) return;
  const { second: waitMs } = await pace(context);
  const attempt = (): Promise<Outcome | undefined> =>
    inContext(
      () => session.browserContext(),
      async (browser) => {
        const [forged] = await secondLoads(context, [forgery], { waitMs }, browser);
        if (forged === undefined || hasEffects(forged)) return undefined;
        const from = mark(session);
        const page = await browser.newPage();
        const opened = await open(page, place.href);
        const calls = () => callsFor(session, [forged.authCode], from);
        await until(() => (calls().length > 0 ? true : undefined), waitMs);
        return calls().length === 0
          ? undefined
          : { ...forged, snapshot: await inspectPage(page, opened.status), calls: calls() };
      },
    );
  if ((await withoutSession(session, attempt)) === undefined) return;
  const again = await withoutSession(session, attempt);
  if (again === undefined) return;
  context.restOn(exchangesOf(again.calls.slice(0, 1)));
  const change = `${forgery.change}, after which its browser has a session for the installation`;
  expectRefused(context, { served: [{ ...again, change }], refused: [] }, 'no call for the installation');
}
