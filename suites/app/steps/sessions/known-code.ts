/** A forged second load for an installation that is finished: an app that knows its authCode must look at the hash all the same. */
import {
  inspectPage,
  isShown,
  type PageSnapshot,
  showsCommonContent,
} from '../../../../harness/integrator/page/inspection/page-inspection.ts';
import { inContext, open, waitUntilSettled } from '../../../../harness/integrator/page/visit.ts';
import { until } from '../../../../harness/process/until.ts';
import type { AppContext } from '../../session.ts';
import { callbacksOf, callsFor, comesAnyway, hasInstallation, mark } from '../effects.ts';
import { pace } from '../given.ts';
import { type Alteration, hasEffects, type Outcome } from '../loads/index.ts';
import { expectRefused } from '../refusals.ts';
import { journeyOf } from '../user-flow/index.ts';

/** What is called while the page is answered comes within this time. */
const CALLED_MS = 1_000;
/** Where a queue of the app's makes the call, it may take longer than before: what it makes later would seem to be of the next load. */
const QUEUE_FACTOR = 1.5;

/**
 * Asserts that the address of the second load, opened again with another hash, is not served like the authentic one. Nothing is
 * judged where that is not served again either, or where users sign in, whose session may open the page.
 */
export async function expectKnownCodeVerified(context: AppContext, { change, alter }: Alteration): Promise<void> {
  const { session } = context;
  const { second } = await journeyOf(context);
  if (session.driver.signIn !== undefined || second?.installed?.status !== 200) return;
  const { address, authCode, token } = second;
  if (!hasInstallation(session, authCode)) return;
  const { second: usualMs } = await pace(context);
  const waitMs = Math.max(CALLED_MS, usualMs, second.lagMs * QUEUE_FACTOR);
  const visit = (url: string): Promise<Outcome> =>
    inContext(
      () => session.browserContext(),
      async (browser) => {
        const page = await browser.newPage();
        const from = mark(session);
        const earlier = callbacksOf(session, token).length;
        const opened = await open(page, url);
        const effects = () => ({
          callback: callbacksOf(session, token)[earlier],
          calls: callsFor(session, [authCode], from),
        });
        await until(() => (hasEffects(effects()) ? true : undefined), waitMs);
        await waitUntilSettled(page, opened);
        const snapshot = await inspectPage(page, opened.status);
        return { change, address: url, authCode, token, snapshot, ...effects() };
      },
    );
  const before = await visit(address);
  const forged = await visit(alter(address));
  // Whatever the authentic page shows now, nothing was served.
  if (!hasEffects(forged) && !isShown(forged.snapshot)) return;
  const after = await visit(address);
  const pages: readonly [PageSnapshot, PageSnapshot] = [before.snapshot, after.snapshot];
  const isShownAgain = isShown(before.snapshot) && isShown(after.snapshot);
  // Where each authentic load sets the installation up again, its page may say how far that is, and keep no more than its frame.
  const isByEffects = hasEffects(before) && hasEffects(after);
  const isServed = (one: Outcome): boolean =>
    hasEffects(one) || (!isByEffects && isShownAgain && showsCommonContent(one.snapshot, pages));
  if ((!isShownAgain && !hasEffects(after)) || !isServed(forged)) return;
  if (forged.calls.length > 0 && (await comesAnyway(session, (since) => callsFor(session, [authCode], since)))) return;
  // Once more: what came by chance hardly comes again.
  const again = await visit(alter(address));
  if (!isServed(again)) return;
  context.restOn([(again.callback ?? again.calls[0])?.exchange]);
  const served = [{ ...again, change: `${change}, for an installation that is finished` }];
  expectRefused(context, { served, refused: [] }, 'not what an authentic request gets');
}
