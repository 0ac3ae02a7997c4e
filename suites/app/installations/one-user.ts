/**
 * One user who has installed the app in two websites, as agencies do. An app that keeps its installations by the user's e-mail
 * address serves one website with what it keeps for the other. That the app shows or reads both is its own affair.
 */
import type { Page } from '@playwright/test';
import { Skipped } from '../../../harness/check/failures.ts';
import type { Received } from '../../../harness/integrator/counterpart.ts';
import { describePage, inspectPage, isShown } from '../../../harness/integrator/page/inspection/page-inspection.ts';
import { inContext, open, waitUntilSettled } from '../../../harness/integrator/page/visit.ts';
import { pause } from '../../../harness/process/until.ts';
import { type AppCheck, type AppContext, appCheck } from '../session.ts';
import { callsFor, comesAnyway, exchangesOf, hasInstallation, isInstalledCall, mark } from '../steps/effects.ts';
import { givenInstalled, givenSeen, givenSettingsInNewBrowser, installWaitMs, pace } from '../steps/given.ts';
import {
  givenNotLimited,
  type LoadMode,
  type Outcome,
  secondLoads,
  settingsLoads,
  UNALTERED,
} from '../steps/loads/index.ts';
import { givenStillServed } from '../steps/still-served.ts';
import { otherWebsiteShown } from '../steps/user-flow/website-facts.ts';

export const checks: readonly AppCheck[] = [
  appCheck(
    'app.installations.one-user',
    'SHOULD keep the installations of one user in two websites separate',
    { clauses: ['app.installations.one-user'], needs: ['browser', 'app'] },
    async (context) => {
      const { session } = context;
      await givenInstalled(context);
      const { authCode: first } = await givenSettingsInNewBrowser(context);
      if (session.driver.signIn !== undefined) throw new Skipped('users sign in to an account of the app');
      const second = await installedInSecondWebsite(context);
      if (second === undefined || !hasInstallation(session, first))
        throw new Skipped('the app did not finish an installation in a second website of one user');
      for (const [own, other] of [
        [second, first],
        [first, second],
      ] as const) {
        const foreign = await onlyForOther(context, own, other);
        // What comes at any time, or by chance, hardly comes again.
        const isMistaken =
          foreign !== undefined &&
          !(await comesAnyway(session, (since) => callsFor(session, [other], since))) &&
          (await onlyForOther(context, own, other)) !== undefined;
        context.restOn(exchangesOf([foreign]));
        context.expect.that(
          !isMistaken,
          'a user has the app in two websites, and the settings of one of them use only the authCode of the other: what is set there changes the wrong website. Keep what belongs to an installation by its authCode, not by its user',
          { actual: `${foreign?.method} ${foreign?.path}`, exchange: foreign?.exchange },
        );
      }
      const kept = (await shownInOneTab(context, first, second)) && (await shownInOneTab(context, first, second));
      context.expect.that(
        kept === undefined,
        `a user opens the settings of one website after those of another one, in the same browser, and is shown the other one (${kept}) instead of it, although a new browser shows the right one: keep nothing in the browser, or keep it by the authCode`,
        { expected: 'the website whose settings were opened, or neither' },
      );
      const installed =
        (await shownAfterInstallation(context, first, second)) && (await shownAfterInstallation(context, first));
      context.expect.that(
        installed === undefined,
        `a user installs the app in one website, opens the settings of another one in the same browser, and is shown the new one (${installed}) instead of it: let the authCode of a request decide, not the session that an installation began`,
        { expected: 'the website whose settings were opened, or neither' },
      );
    },
  ),
];

/** The authCode of an installation in another website of the first user; undefined where the app did not finish it. */
async function installedInSecondWebsite(context: AppContext, mode?: LoadMode): Promise<string | undefined> {
  const options = {
    waitMs: await installWaitMs(context),
    website: 2,
    until: ({ calls }: Pick<Outcome, 'calls'>) => calls.some(isInstalledCall),
  } as const;
  const [made] = await secondLoads(context, [UNALTERED], options, mode);
  return made?.calls.some(isInstalledCall) ? made.authCode : undefined;
}

/** A call that the settings of one website make for the other one, and not for their own. */
async function onlyForOther(context: AppContext, own: string, other: string): Promise<Received | undefined> {
  const { session } = context;
  const { second: waitMs } = await pace(context);
  const from = mark(session);
  const settings = await settingsOf(context, own, waitMs);
  givenNotLimited(settings);
  givenSeen(settings.snapshot);
  if (!isShown(settings.snapshot)) await givenStillServed(context);
  context.expect.that(
    isShown(settings.snapshot),
    'a user has the app in two websites, and the settings of one of them are not shown: keep what belongs to an installation by its authCode, not by its user',
    { expected: 'the settings of each website', actual: describePage(settings.snapshot) },
  );
  await expectOwnWebsite(context, settings, own, other);
  const callOf = ({ method, path }: Received): string => `${method} ${path}`;
  const ofOwn = callsFor(session, [own], from).map(callOf);
  return callsFor(session, [other], from).find((call) => !ofOwn.includes(callOf(call)));
}

/** A page may show both websites; one that shows the other alone shows what is not set there. */
async function expectOwnWebsite(context: AppContext, seen: Outcome, own: string, other: string): Promise<void> {
  const shownIn = ({ snapshot }: Outcome): string | undefined =>
    otherWebsiteShown(context.session, snapshot, own, other);
  const { second: waitMs } = await pace(context);
  // A page that was caught in the middle of a change shows something else the next time.
  const shown = shownIn(seen) && shownIn(await settingsOf(context, own, waitMs));
  context.expect.that(
    shown === undefined,
    `a user has the app in two websites, and the settings of one of them show the other one (${shown}) instead of it: keep what belongs to an installation by its authCode, not by its user`,
    { expected: 'the website whose settings were opened, or neither' },
  );
}

/**
 * What the settings of one website show of another website of the user, in the browser in which the app was installed there a moment
 * ago; `removed` is an earlier installation there. Undefined where it is the right website, or neither, or the app did not finish.
 */
function shownAfterInstallation(context: AppContext, own: string, removed?: string): Promise<string | undefined> {
  const { session } = context;
  if (removed !== undefined) session.counterpart.uninstall(removed);
  return inContext(
    () => session.browserContext(),
    async (browser) => {
      const made = await installedInSecondWebsite(context, browser);
      if (made === undefined) return undefined;
      const page = await browser.newPage();
      const opened = await open(page, session.counterpart.beginSettings(own).url);
      await waitUntilSettled(page, opened);
      const shown = await steadilyShown(context, page, { status: opened.status, own, other: made });
      session.counterpart.uninstall(made);
      return shown;
    },
  );
}

/** The other website that a page shows instead of its own, also after a while. */
async function steadilyShown(
  { session }: AppContext,
  page: Page,
  { status, own, other }: { readonly status: number | undefined; readonly own: string; readonly other: string },
): Promise<string | undefined> {
  const shown = async () => otherWebsiteShown(session, await inspectPage(page, status), own, other);
  if ((await shown()) === undefined) return undefined;
  await pause(REPLACED_MS);
  return shown();
}

/** A page may show at once what it has kept, and replace it as soon as its server has answered. */
const REPLACED_MS = 3_000;

/**
 * What is shown of one website of a user in a tab that has had the settings of the other one open: its storage, a cache or a service
 * worker, which is at work from the second visit on, may have kept them. Undefined where it is the right one, or neither.
 */
function shownInOneTab(context: AppContext, before: string, own: string): Promise<string | undefined> {
  const { session } = context;
  return inContext(
    () => session.browserContext(),
    async (browser) => {
      const page = await browser.newPage();
      const settingsOf = async (authCode: string): Promise<number | undefined> => {
        const opened = await open(page, session.counterpart.beginSettings(authCode).url);
        await waitUntilSettled(page, opened);
        return opened.status;
      };
      await settingsOf(before);
      await settingsOf(before);
      const status = await settingsOf(own);
      return steadilyShown(context, page, { status, own, other: before });
    },
  );
}

/** A page that was not shown in time is opened once more. */
async function settingsOf(context: AppContext, authCode: string, waitMs: number): Promise<Outcome> {
  const [beside] = await settingsLoads(context, authCode, [UNALTERED], waitMs);
  if (beside !== undefined && isShown(beside.snapshot)) return beside;
  const [alone] = await settingsLoads(context, authCode, [UNALTERED], waitMs, 'alone');
  return alone as Outcome;
}
