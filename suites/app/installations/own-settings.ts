import { curlOf } from '../../../harness/evidence/curl.ts';
import { isServiceAddress, type Received } from '../../../harness/integrator/counterpart.ts';
import { isShown } from '../../../harness/integrator/page/inspection/page-inspection.ts';
import { collectText } from '../../../harness/integrator/page/inspection/received-text.ts';
import { inContext } from '../../../harness/integrator/page/visit.ts';
import { type AppCheck, type AppContext, appCheck } from '../session.ts';
import { exchangesOf, mark } from '../steps/effects.ts';
import { givenInstalled, givenSeen, givenSettingsInNewBrowser, pace, settingsPace } from '../steps/given.ts';
import { givenNotLimited, type Outcome, settingsLoads, UNALTERED, unseenCode } from '../steps/loads/index.ts';
import { expectOwnFactsEachTime } from '../steps/loads/settings-again.ts';
import { settingsOfSession } from '../steps/sessions/in-session.ts';
import { givenStillServed } from '../steps/still-served.ts';
import { foreignFact, foreignFactIn } from '../steps/user-flow/website-facts.ts';
import {
  expectFinished,
  expectOwnCode,
  foreignSince,
  givenFinished,
  install,
  installOnce,
  isInstalled,
  provenForeign,
} from './further.ts';

export const checks: readonly AppCheck[] = [
  appCheck(
    'app.installations.own-settings',
    'MUST use the authCode of the installation whose settings are opened',
    { clauses: ['app.installations.separate'], needs: ['browser', 'app'] },
    async (context) => {
      await givenInstalled(context);
      const { authCode: first } = await givenSettingsInNewBrowser(context);
      const second = await install(context);
      await givenFinished(context, second);
      const { outcome } = second;
      const waitMs = await settingsPace(context);
      for (const own of [first, outcome.authCode, first]) await expectOwnSettings(context, own, waitMs);
      await expectOwnFactsEachTime(context, [first, outcome.authCode]);
      const ofSession = await settingsOfSession(context, { known: first, own: outcome.authCode, waitMs });
      expectOwnCode(
        context,
        ofSession ?? [],
        'in the settings of an installation, in a browser that has had those of another one open,',
      );
      await expectNamesakesSeparate(context, first, waitMs);
      await expectUnseenSeparate(context, waitMs);
    },
  ),
];

/** The settings of an installation are shown, with its own facts, and call the service for no other installation. */
async function expectOwnSettings(context: AppContext, own: string, waitMs: number): Promise<void> {
  const snapshot = async (): Promise<readonly Received[]> => {
    const from = mark(context.session);
    const before = await settingsReceived(context, own, waitMs);
    // A page that was not shown in time is opened once more.
    const isMissed = before.settings !== undefined && !isShown(before.settings.snapshot);
    const { settings, received } = isMissed ? await settingsReceived(context, own, waitMs) : before;
    context.restOn(exchangesOf(settings?.calls ?? []));
    if (settings !== undefined) {
      givenNotLimited(settings);
      givenSeen(settings.snapshot);
      if (!isShown(settings.snapshot)) await givenStillServed(context);
    }
    context.expect.that(
      settings !== undefined && isShown(settings.snapshot),
      'the app must show the settings of each of its installations',
      { actual: settings?.snapshot.status },
    );
    expectOwnFacts(context, settings, received, own);
    return foreignSince(context.session, from, own);
  };
  expectOwnCode(
    context,
    await provenForeign(context, await snapshot(), snapshot),
    'in the settings of an installation',
  );
}

/** Websites of different users may have the same name: an app that keeps its installations by it takes one for the other. */
async function expectNamesakesSeparate(context: AppContext, first: string, waitMs: number): Promise<void> {
  const [brandname] = context.session.counterpart.factsOf(first).website ?? [];
  if (brandname === undefined) return;
  const attempt = () => installOnce(context, { brandname });
  const once = await attempt();
  const namesake = isInstalled(once.outcome) ? once : await attempt();
  await expectFinished(
    context,
    { ...namesake, isAgain: false },
    'an installation in a website that has the name of another one',
  );
  const { authCode } = namesake.outcome;
  for (const own of [first, authCode]) await expectOwnSettings(context, own, waitMs);
}

/**
 * What an app shows for a code that it never saw is its choice, except another installation. A user who has signed in may see their
 * own ones.
 */
async function expectUnseenSeparate(context: AppContext, waitMs: number): Promise<void> {
  const { session } = context;
  if (session.driver.signIn !== undefined) return;
  const { first: firstLoadMs } = await pace(context);
  const unseen = await unseenCode(context, firstLoadMs);
  const snapshot = async (): Promise<readonly Received[]> => {
    const from = mark(session);
    const { settings, received } = await settingsReceived(context, unseen, waitMs);
    expectOwnFacts(context, settings, received, unseen);
    return foreignSince(session, from, unseen);
  };
  try {
    const foreign = await provenForeign(context, await snapshot(), snapshot);
    expectOwnCode(context, foreign, 'in the settings of an installation that it has never been loaded for');
  } finally {
    session.counterpart.uninstall(unseen);
  }
}

/** The settings of an installation in a browser of their own, and all that it receives from the app meanwhile. */
const settingsReceived = (
  context: AppContext,
  own: string,
  waitMs: number,
): Promise<{ readonly settings: Outcome | undefined; readonly received: string }> =>
  inContext(
    () => context.session.browserContext(),
    async (browser) => {
      const texts = collectText(browser, (url) => isServiceAddress(context.session.counterpart, url));
      const [settings] = await settingsLoads(context, own, [UNALTERED], waitMs, browser);
      return { settings, received: await texts.all() };
    },
  );

/** In the settings of an installation its user sees their own website and name, and receives nothing of those of another user. */
function expectOwnFacts(context: AppContext, settings: Outcome | undefined, received: string, own: string): void {
  if (settings === undefined) return;
  const foreign = foreignFact(context.session, settings.snapshot, own);
  context.expect.that(
    foreign === undefined,
    `the settings of an installation show the website or the user of another one (${foreign}): choose what is shown by the authCode of the request`,
    { curl: curlOf({ method: 'GET', url: settings.address }, context.session.redaction) },
  );
  const hidden = foreignFactIn(context.session, received, own);
  context.expect.that(
    hidden === undefined,
    `in the settings of an installation the browser receives the website or the user of another one (${hidden}), which its page only hides: send what belongs to the authCode of the request, and nothing else`,
    { curl: curlOf({ method: 'GET', url: settings.address }, context.session.redaction) },
  );
}
