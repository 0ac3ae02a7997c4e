/** Several installations of one app: each is served with its own authCode, also after one was removed and made again. */
import type { BrowserContext } from '@playwright/test';
import { GivenFailure } from '../../../harness/check/failures.ts';
import { curlOf } from '../../../harness/evidence/curl.ts';
import { isServiceAddress, type Received } from '../../../harness/integrator/counterpart.ts';
import { isShown } from '../../../harness/integrator/page/inspection/page-inspection.ts';
import { collectText } from '../../../harness/integrator/page/inspection/received-text.ts';
import { inContext } from '../../../harness/integrator/page/visit.ts';
import { pause } from '../../../harness/process/until.ts';
import { type AppCheck, type AppContext, type AppSession, appCheck, type WebsiteChoice } from '../session.ts';
import {
  arrivedSince,
  authCodeOf,
  callsFor,
  comesAnyway,
  exchangesOf,
  isAppsCall,
  isInstalledCall,
  mark,
} from '../steps/effects.ts';
import {
  givenInstalled,
  givenSeen,
  givenSettingsInNewBrowser,
  installWaitMs,
  pace,
  settingsPace,
} from '../steps/given.ts';
import {
  AUTHENTIC_WAIT_MS,
  firstLoads,
  givenNotLimited,
  type LoadMode,
  type Outcome,
  type SecondLoadOptions,
  secondLoads,
  settingsLoads,
  UNALTERED,
} from '../steps/loads/index.ts';
import { expectOwnFactsEachTime } from '../steps/loads/settings-again.ts';
import { settingsOfSession } from '../steps/sessions/in-session.ts';
import { foreignFact, foreignFactIn } from '../steps/user-flow/website-facts.ts';

/** A further installation, in the second website, with all calls that came during it. */
interface Installed {
  readonly outcome: Outcome;
  readonly foreign: readonly Received[];
  /** An earlier one in the same website was removed before. */
  readonly isAgain: boolean;
}

/** Codes of what is installed in the second website. */
const inSecondWebsite = new WeakMap<AppSession, Set<string>>();

/** Codes of what was installed there and removed, by any check: an app may keep the first one of all. */
const removedBefore = new WeakMap<AppSession, Set<string>>();

const isInstalled = ({ calls }: Pick<Outcome, 'calls'>): boolean => calls.some(isInstalledCall);

/** Apps calls since then that were made for another installation that there is. */
function foreignSince(session: AppSession, from: number, own: string): Received[] {
  const others = session.counterpart.installations().map(({ authCode }) => authCode);
  const foreign = arrivedSince(session, from).filter((request) => {
    const code = isAppsCall(request) ? authCodeOf(request) : undefined;
    return code !== undefined && code !== own && others.includes(code);
  });
  return exceptRounds(session, from, own, foreign);
}

/**
 * Without the reads of one kind for several other installations: an app may look after all that it knows of when a new one comes. One
 * that mixes two up uses one wrong code.
 */
function exceptRounds(session: AppSession, from: number, own: string, calls: readonly Received[]): Received[] {
  const all = arrivedSince(session, from).filter((request) => isAppsCall(request) && authCodeOf(request) !== own);
  return calls.filter(({ method, path }) => {
    const alike = all.filter((request) => request.method === method && request.path === path);
    return method !== 'GET' || new Set(alike.map(authCodeOf)).size < 2;
  });
}

/** Whether a website may have an app twice is open: what an earlier check installed there is removed first. */
async function install(context: AppContext, mode?: LoadMode): Promise<Installed> {
  const { session } = context;
  const codes = inSecondWebsite.get(session) ?? new Set<string>();
  inSecondWebsite.set(session, codes);
  const removed = removedBefore.get(session) ?? new Set<string>();
  removedBefore.set(session, removed);
  for (const code of codes) {
    session.counterpart.uninstall(code);
    removed.add(code);
  }
  codes.clear();
  const isAgain = removed.size > 0;
  const since = mark(session);
  const first = await installOnce(context, 1, mode);
  // A busy app is given a second chance; one that finished with another code had its chance.
  const hadChance = isInstalled(first.outcome) || first.foreign.some(isInstalledCall);
  const last = hadChance ? first : await installOnce(context, 1, mode);
  if (isInstalled(last.outcome)) codes.add(last.outcome.authCode);
  const stale = isAgain ? await installedForRemoved(context, last.outcome, [...removed], since) : [];
  return { outcome: last.outcome, foreign: [...last.foreign, ...stale], isAgain };
}

async function installOnce(
  context: AppContext,
  website: WebsiteChoice,
  mode?: LoadMode,
): Promise<Omit<Installed, 'isAgain'>> {
  const { session } = context;
  const { second: waitMs } = await pace(context);
  const from = mark(session);
  const options = {
    waitMs: await installWaitMs(context),
    website,
    until: (effects) => isInstalled(effects) || foreignSince(session, from, '').some(isInstalledCall),
  } as const satisfies SecondLoadOptions;
  const [outcome] = await secondLoads(context, [UNALTERED], options, mode);
  await pause(waitMs);
  return { outcome: outcome!, foreign: foreignSince(session, from, outcome!.authCode) };
}

/**
 * Calls for other installations that come with a load, and neither without it nor only once: an app may well do work of its
 * own for all its installations at any time.
 */
async function provenForeign(
  context: AppContext,
  foreign: readonly Received[],
  again: () => Promise<readonly Received[]>,
): Promise<readonly Received[]> {
  if (foreign.length === 0) return [];
  const { session } = context;
  const { second: waitMs } = await pace(context);
  if (await comesAnyway(session, (since) => foreignSince(session, since, ''), waitMs * 2)) return [];
  return again();
}

/**
 * Calls for other installations during one more. That is made in a website of its own, so that no earlier one is removed for it: an app
 * that uses the latest code before its own would use one that the service does not know any more, which an app may not know of.
 */
const foreignOfAnother = async (context: AppContext): Promise<readonly Received[]> =>
  (await installOnce(context, 'new')).foreign;

function expectOwnCode(context: AppContext, foreign: readonly Received[], during: string): void {
  const [call] = foreign;
  context.restOn(exchangesOf(foreign));
  context.expect.that(
    call === undefined,
    `${during} the app must use the authCode of that installation; it used another one`,
    {
      ...(call === undefined ? {} : { actual: `${call.method} ${call.path}`, exchange: call.exchange }),
    },
  );
}

function expectFinished(context: AppContext, { outcome, foreign }: Installed, which: string): void {
  const byOther = foreign.find(isInstalledCall);
  context.restOn(exchangesOf([...outcome.calls, byOther]));
  if (!isInstalled(outcome) && byOther === undefined) givenNotLimited(outcome);
  context.expect.that(
    isInstalled(outcome),
    byOther === undefined
      ? `the app must finish ${which} with its own authCode; it did not call installed for it`
      : `the app must finish ${which} with its own authCode; it called installed with that of another one`,
    { exchange: byOther?.exchange },
  );
}

function givenFinished(context: AppContext, installed: Installed): void {
  const { outcome } = installed;
  if (isInstalled(outcome)) return;
  if (!installed.foreign.some(isInstalledCall)) givenNotLimited(outcome);
  if (installed.isAgain) expectFinished(context, installed, 'an installation after an uninstalled one');
  const message = 'the app does not finish a second installation';
  throw new GivenFailure(message, 'app.installations.separate', {}, 'refusal');
}

/** The user whose browser knows the app from an earlier installation is sent back like any other. */
async function givenSentBackAgain(context: AppContext, before: Outcome, again: Outcome): Promise<void> {
  if (before.wasSentBack !== true || again.wasSentBack !== false) return;
  givenNotLimited(again);
  const [control] = await firstLoads(context, [UNALTERED], AUTHENTIC_WAIT_MS, 'alone');
  context.restOn(exchangesOf([control?.callback]));
  context.given.holds(
    control?.callback === undefined,
    'app.install.first-load-redirects',
    'the app redirects a user in a new browser, but not one whose browser it knows from an earlier installation',
  );
}

const needs = ['browser', 'app'];
const clauses = ['app.installations.separate'];

export const checks: readonly AppCheck[] = [
  appCheck(
    'app.installations.own-auth-code',
    'MUST use only the authCode of its own installation',
    { clauses, needs },
    async (context) => {
      await givenInstalled(context);
      const second = await install(context);
      expectFinished(context, second, 'a second installation');
      const foreign = await provenForeign(context, second.foreign, () => foreignOfAnother(context));
      expectOwnCode(context, foreign, 'during a second installation');
    },
  ),
  appCheck(
    'app.installations.own-settings',
    'MUST use the authCode of the installation whose settings are opened',
    { clauses, needs },
    async (context) => {
      await givenInstalled(context);
      const { authCode: first } = await givenSettingsInNewBrowser(context);
      const second = await install(context);
      givenFinished(context, second);
      const { outcome } = second;
      const waitMs = await settingsPace(context);
      for (const [own, other] of [
        [first, outcome.authCode],
        [outcome.authCode, first],
        [first, outcome.authCode],
      ] as const) {
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
          }
          context.expect.that(
            settings !== undefined && isShown(settings.snapshot),
            'the app must show the settings of each of its installations',
            { actual: settings?.snapshot.status },
          );
          expectOwnFacts(context, settings, received, own, other);
          return foreignSince(context.session, from, own);
        };
        expectOwnCode(
          context,
          await provenForeign(context, await snapshot(), snapshot),
          'in the settings of an installation',
        );
      }
      await expectOwnFactsEachTime(context, [first, outcome.authCode]);
      const ofSession = await settingsOfSession(context, { known: first, own: outcome.authCode, waitMs });
      expectOwnCode(
        context,
        ofSession ?? [],
        'in the settings of an installation, in a browser that has had those of another one open,',
      );
    },
  ),
  appCheck(
    'app.installations.reinstall-after-uninstall',
    'MUST use the new authCode when it is installed again',
    { clauses, needs },
    async (context) => {
      await givenInstalled(context);
      // In one browser, as the user has it: a session with the app that began with the first installation is still there.
      await inContext(
        () => context.session.browserContext(),
        async (browser) => {
          const removed = await install(context, browser);
          givenFinished(context, removed);
          const since = mark(context.session);
          const again = await install(context, browser);
          await givenSentBackAgain(context, removed.outcome, again.outcome);
          expectFinished(context, again, 'an installation after an uninstalled one');
          await expectNoneOf(context, removed.outcome.authCode, { since, authCode: again.outcome.authCode, browser });
        },
      );
    },
  ),
];

/**
 * What finishes the removed installation once more instead of the new one. The service refuses it, and an app may well say so with
 * the status of an overloaded server: that excuses nothing then.
 */
async function installedForRemoved(
  context: AppContext,
  outcome: Outcome,
  removed: readonly string[],
  from: number,
): Promise<readonly Received[]> {
  if (isInstalled(outcome)) return [];
  const { session } = context;
  const { second: waitMs } = await pace(context);
  const callsSince = (since: number): Received[] => callsFor(session, removed, since).filter(isInstalledCall);
  const calls = callsSince(from);
  return calls.length > 0 && !(await comesAnyway(session, callsSince, waitMs * 2)) ? calls : [];
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
function expectOwnFacts(
  context: AppContext,
  settings: Outcome | undefined,
  received: string,
  own: string,
  other: string,
): void {
  if (settings === undefined) return;
  const foreign = foreignFact(context.session, settings.snapshot, own, other);
  context.expect.that(
    foreign === undefined,
    `the settings of an installation show the website or the user of another one (${foreign}): choose what is shown by the authCode of the request`,
    { curl: curlOf({ method: 'GET', url: settings.address }, context.session.redaction) },
  );
  const hidden = foreignFactIn(context.session, received, own, other);
  context.expect.that(
    hidden === undefined,
    `in the settings of an installation the browser receives the website or the user of another one (${hidden}), which its page only hides: send what belongs to the authCode of the request, and nothing else`,
    { curl: curlOf({ method: 'GET', url: settings.address }, context.session.redaction) },
  );
}

/**
 * The code of an installation that was removed is used neither while the app is installed again nor in its settings. What the app
 * does of its own at any time may be for all installations that it knows of: the service does not notify it that one was removed.
 */
async function expectNoneOf(
  context: AppContext,
  removed: string,
  again: { readonly since: number; readonly authCode: string; readonly browser: BrowserContext },
): Promise<void> {
  const { session } = context;
  const { second: waitMs } = await pace(context);
  const codes = (): string[] => [...new Set([...(removedBefore.get(session) ?? []), removed])];
  const stale = (since: number): readonly Received[] =>
    exceptRounds(session, since, again.authCode, callsFor(session, codes(), since));
  const snapshot = async (): Promise<readonly Received[]> => {
    const from = mark(session);
    await settingsLoads(context, again.authCode, [UNALTERED], waitMs);
    await pause(waitMs);
    return stale(from);
  };
  const during = stale(again.since);
  const inSettings = await snapshot();
  if (during.length + inSettings.length === 0 || (await comesAnyway(session, stale, waitMs * 2))) return;
  const proven =
    during.length > 0 ? await staleOnceMore(context, [...codes(), again.authCode], again.browser) : await snapshot();
  expectOwnCode(context, proven, 'after an uninstalled installation');
}

/** A job of the app's learns within this time, by a refusal, that an installation was removed. */
const LEARNED_MS = 8_000;

/**
 * Calls with removed codes during one more installation: a job may meet the first one by chance, until the service has refused
 * its call.
 */
async function staleOnceMore(
  context: AppContext,
  removed: readonly string[],
  browser: BrowserContext,
): Promise<readonly Received[]> {
  const { session } = context;
  for (const code of removed) session.counterpart.uninstall(code);
  inSecondWebsite.get(session)?.clear();
  await pause(LEARNED_MS);
  const from = mark(session);
  await install(context, browser);
  return callsFor(session, removed, from);
}
