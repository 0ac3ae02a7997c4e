/** A forged request in a browser that the app knows already, since the authentic settings of another installation are open in it. */
import type { BrowserContext } from '@playwright/test';
import type { Received } from '../../../../harness/integrator/counterpart.ts';
import { once } from '../../../../harness/integrator/once.ts';
import { inspectPage, isShown } from '../../../../harness/integrator/page/inspection/page-inspection.ts';
import { inContext, open, waitUntilSettled } from '../../../../harness/integrator/page/visit.ts';
import { pause, until } from '../../../../harness/process/until.ts';
import type { AppContext } from '../../session.ts';
import { callsFor, comesAnyway, exchangesOf, hasInstallation, isInstalledCall, mark } from '../effects.ts';
import { givenSettings, installWaitMs, pace, settingsPace } from '../given.ts';
import {
  type Alteration,
  firstLoads,
  hasEffects,
  type Outcome,
  secondLoads,
  settingsLoads,
  UNALTERED,
} from '../loads/index.ts';
import { expectRefused } from '../refusals.ts';
import { journeyOf } from '../user-flow/index.ts';
import { withoutSession } from './without-session.ts';

/** The authCode of an installation in a website of its own, made when it is first asked for. */
const madeOnce = once(async (context: AppContext): Promise<string | undefined> => {
  const [made] = await secondLoads(context, [UNALTERED], {
    waitMs: await installWaitMs(context),
    until: ({ calls }) => calls.some(isInstalledCall),
  });
  // An installation that is not finished is the subject of `app.installations.separate`.
  return made?.calls.some(isInstalledCall) ? made.authCode : undefined;
});

/** The authCode of an installation of another user; undefined where the app did not finish it, or has removed it. */
export async function otherInstallation(context: AppContext): Promise<string | undefined> {
  const code = await madeOnce(context);
  return code !== undefined && hasInstallation(context.session, code) ? code : undefined;
}

/** Two installations of different users, and how long the app is waited for. */
interface Installations {
  readonly known: string;
  readonly other: string;
  readonly waitMs: number;
}

/**
 * The installation of the run and that of another user, whose authentic settings make the app call the service: what must not be
 * called for it would be. Undefined where users sign in, for a user may own both, and where the app calls nothing.
 */
export async function callingInstallations(context: AppContext): Promise<Installations | undefined> {
  if (context.session.driver.signIn !== undefined) return undefined;
  const { authCode: known } = await givenSettings(context);
  const waitMs = await settingsPace(context);
  const other = await otherInstallation(context);
  if (other === undefined) return undefined;
  const [control] = await settingsLoads(context, other, [UNALTERED], waitMs);
  if (control === undefined || !isShown(control.snapshot) || control.calls.length === 0) return undefined;
  return { known, other, waitMs };
}

/**
 * Asserts that a session which the app began with one installation opens the settings of no other one. Only calls with the
 * authCode of the other one prove that it does: the app's own page may well be shown to a user who has a session. Nothing is
 * judged where users sign in, for a user may own both, nor where an authentic request makes the app call nothing.
 */
export async function expectNoOtherInSession(context: AppContext, forgery: Alteration): Promise<void> {
  const { session } = context;
  const codes = await callingInstallations(context);
  if (codes === undefined) return;
  const { known, other, waitMs } = codes;
  await expectNoSessionBegun(context, codes, forgery);
  const first = await forgedBeside(context, known, other, forgery, waitMs);
  if (first === undefined) return;
  if (await comesAnyway(session, (since) => callsFor(session, [other], since))) return;
  // Once more: what came by chance hardly comes again.
  const again = await forgedBeside(context, known, other, forgery, waitMs);
  if (again === undefined) return;
  context.restOn(exchangesOf(again.calls.slice(0, 1)));
  const change = `${forgery.change}, in a browser that has the settings of another installation open`;
  expectRefused(context, { served: [{ ...again, change }], refused: [] }, 'no call for the other installation');
}

/**
 * Asserts that a forged request, however it is answered, begins no session: the page that authentic settings lead to, opened after
 * it in the same browser without any parameters, calls nothing for the installation that the request named.
 */
async function expectNoSessionBegun(
  context: AppContext,
  { other, waitMs }: Installations,
  { change, alter }: Alteration,
): Promise<void> {
  const { session } = context;
  const { settings } = await journeyOf(context);
  const place = settings?.snapshot.place;
  if (place === undefined || new URL(place).origin !== URL.parse(session.app.settingsUrl ?? '')?.origin) return;
  const attempt = (): Promise<Outcome> =>
    inContext(
      () => session.browserContext(),
      async (browser) => {
        const page = await browser.newPage();
        const { url, token } = session.counterpart.beginSettings(other);
        const address = alter(url);
        await waitUntilSettled(page, await open(page, address));
        await pause(waitMs);
        const from = mark(session);
        const opened = await open(page, place);
        const calls = () => callsFor(session, [other], from);
        await until(() => (calls().length > 0 ? true : undefined), waitMs);
        const snapshot = await inspectPage(page, opened.status);
        return { change, address, authCode: other, token, snapshot, callback: undefined, calls: calls() };
      },
    );
  if ((await withoutSession(session, attempt)).calls.length === 0) return;
  if (await comesAnyway(session, (since) => callsFor(session, [other], since))) return;
  const again = await withoutSession(session, attempt);
  if (again.calls.length === 0) return;
  context.restOn(exchangesOf(again.calls.slice(0, 1)));
  const served = { ...again, change: `${change}, after which its browser has a session for the installation` };
  expectRefused(context, { served: [served], refused: [] }, 'no call for the installation');
}

/**
 * Asserts that a browser in which authentic settings are open is sent on by no forged install request: that the app knows its
 * user does not verify what the request says. The callback and the authCode of the request are its own, so that what comes proves it.
 */
export async function expectInstallVerifiedInSession(
  context: AppContext,
  kind: 'first' | 'second',
  forgery: Alteration,
): Promise<void> {
  const { session } = context;
  const { settings } = await journeyOf(context);
  if (session.driver.signIn !== undefined || settings === undefined || !isShown(settings.snapshot)) return;
  if (!hasInstallation(session, settings.authCode)) return;
  const { first, second: waitMs } = await pace(context);
  const outcomes = await inContext(
    () => session.browserContext(),
    async (browser) => {
      const page = await browser.newPage();
      await waitUntilSettled(page, await open(page, session.counterpart.beginSettings(settings.authCode).url));
      return kind === 'first'
        ? firstLoads(context, [forgery], first, browser)
        : secondLoads(context, [forgery], { waitMs }, browser);
    },
  );
  const served = outcomes.filter(hasEffects);
  if (served.length === 0) return;
  context.restOn(exchangesOf(served.map(({ callback, calls }) => callback ?? calls[0])));
  const change = `${forgery.change}, in a browser that has the settings open`;
  expectRefused(
    context,
    { served: served.map((one) => ({ ...one, change })), refused: [] },
    kind === 'first' ? 'no redirect to the service' : 'no call for the installation',
  );
}

/**
 * The authentic settings of an installation, in a browser that has had those of another one open, where the session which the app
 * began with that one replaces the authCode of the request: the calls that are made are all for the other one. Undefined where they
 * are not; an app may also show its user all installations. Nothing is judged where users sign in.
 */
export async function settingsOfSession(
  context: AppContext,
  { known, own, waitMs }: { readonly known: string; readonly own: string; readonly waitMs: number },
): Promise<Received[] | undefined> {
  const { session } = context;
  if (session.driver.signIn !== undefined) return undefined;
  const snapshot = (): Promise<Received[] | undefined> =>
    inContext(
      () => session.browserContext(),
      async (browser) => {
        await settingsLoads(context, known, [UNALTERED], waitMs, browser);
        // What an open page calls of itself says nothing.
        for (const page of browser.pages()) await page.close();
        await pause(waitMs);
        const from = mark(session);
        await settingsLoads(context, own, [UNALTERED], waitMs, browser);
        await pause(waitMs);
        const foreign = callsFor(session, [known], from);
        return foreign.length > 0 && callsFor(session, [own], from).length === 0 ? foreign : undefined;
      },
    );
  if ((await snapshot()) === undefined) return undefined;
  if (await comesAnyway(session, (since) => callsFor(session, [known], since), waitMs * 2)) return undefined;
  const [control] = await settingsLoads(context, own, [UNALTERED], waitMs, 'alone');
  return control === undefined || control.calls.length === 0 ? undefined : snapshot();
}

/** What the app did for the other installation after its forged request; undefined when it did nothing, or would do so anyway. */
function forgedBeside(
  context: AppContext,
  known: string,
  other: string,
  { change, alter }: Alteration,
  waitMs: number,
): Promise<Outcome | undefined> {
  const { session } = context;
  const { app, counterpart } = session;
  const inBrowser = (job: (browser: BrowserContext) => Promise<Outcome | undefined>) =>
    withoutSession(session, () => inContext(() => session.browserContext(), job));
  return inBrowser(async (browser) => {
    const page = await browser.newPage();
    const quiet = mark(session);
    // An app may also show all installations to the user whose session it is, without any parameters.
    for (const url of [counterpart.beginSettings(known).url, app.settingsUrl ?? ''])
      await waitUntilSettled(page, await open(page, url));
    await pause(waitMs);
    if (callsFor(session, [other], quiet).length > 0) return undefined;
    const { url, token } = counterpart.beginSettings(other);
    const address = alter(url);
    const from = mark(session);
    const opened = await open(page, address);
    const calls = () => callsFor(session, [other], from);
    await until(() => (calls().length > 0 ? true : undefined), waitMs);
    if (calls().length === 0) return undefined;
    const snapshot = await inspectPage(page, opened.status);
    return { change, address, authCode: other, token, snapshot, callback: undefined, calls: calls() };
  });
}
