/** What checks of an app take as given, each with the clause whose own check fails when it does not hold. */
import { Inconclusive } from '../../../harness/check/failures.ts';
import { curlOf } from '../../../harness/evidence/curl.ts';
import { isCall, type Received } from '../../../harness/integrator/counterpart.ts';
import { once } from '../../../harness/integrator/once.ts';
import {
  describePage,
  isShown,
  type PageSnapshot,
} from '../../../harness/integrator/page/inspection/page-inspection.ts';
import { inContext, maxWaitMs, open } from '../../../harness/integrator/page/visit.ts';
import { pause } from '../../../harness/process/until.ts';
import { isLoopbackHost } from '../../../harness/target/profile/index.ts';
import type { AppContext } from '../session.ts';
import { callbacksOf, callsFor, exchangesOf, hasInstallation, isInstalledCall, mark } from './effects.ts';
import { givenNotLimited, type Outcome, settingsLoads, UNALTERED } from './loads/index.ts';
import { type CodedLoad, type FirstLoad, journeyOf } from './user-flow/index.ts';

/** The app does not refuse an authentic hash, as far as its other behaviour shows. */
export async function givenNotRefused(context: AppContext): Promise<void> {
  const { refusal } = await journeyOf(context);
  context.given.holds(
    refusal === undefined,
    'app.hash.covers-all-parameters',
    refusal?.brief ?? '',
    refusal?.evidence ?? {},
  );
}

/** The app sends the user of an authentic first load back. */
export async function givenFirst(context: AppContext): Promise<FirstLoad & { readonly callback: Received }> {
  const { first: load } = await journeyOf(context);
  const { given } = context;
  await givenNotRefused(context);
  const clause = 'app.install.first-load-redirects';
  context.restOn(exchangesOf([load.callback]));
  return {
    ...load,
    callback: given.present(load.callback, clause, 'the app does not redirect the user after an authentic first load'),
  };
}

/** The app was loaded with an authCode. */
export async function givenSecond(context: AppContext): Promise<CodedLoad> {
  await givenFirst(context);
  const { second } = await journeyOf(context);
  return context.given.present(
    second,
    'app.install.first-load-redirects',
    'the installation did not reach its second load',
  );
}

/** The app finished the installation: its call of installed was served. */
export async function givenInstalled(context: AppContext): Promise<CodedLoad> {
  const second = await givenSecond(context);
  context.restOn(exchangesOf([second.installed]));
  if (second.installed === undefined) givenNoPersonAwaited(context, second);
  context.given.holds(
    second.installed?.status === 200,
    'app.install.calls-installed',
    'the app does not finish the installation',
  );
  return second;
}

/** The app shows its settings to an authentic request. */
export async function givenSettings(context: AppContext): Promise<CodedLoad> {
  await givenSecond(context);
  const { settings } = await journeyOf(context);
  const clause = 'app.settings.shows-page';
  const load = context.given.present(settings, clause, 'the installation did not reach its settings');
  context.given.holds(
    isShown(load.snapshot),
    clause,
    'the app shows no page of its own to an authentic settings request',
  );
  return load;
}

/** What the app shows in a new browser. */
const inNewBrowser = once(async (context: AppContext): Promise<Outcome | undefined> => {
  const { authCode } = await givenSettings(context);
  const waitMs = await settingsPace(context);
  const [outcome] = await settingsLoads(context, authCode, [UNALTERED], waitMs, 'alone');
  return outcome;
});

/**
 * The app shows its settings to an authentic request in any browser, and not only in that of the installation: what a check does
 * in other browsers would else be blamed for it.
 */
export async function givenSettingsInNewBrowser(context: AppContext): Promise<CodedLoad> {
  const load = await givenSettings(context);
  const outcome = await inNewBrowser(context);
  if (outcome === undefined || isShown(outcome.snapshot)) return load;
  givenNotLimited(outcome);
  givenSeen(outcome.snapshot);
  givenNoSignIn(outcome.snapshot);
  context.given.holds(
    false,
    'app.settings.shows-page',
    'the app shows its settings in the browser in which it was installed, and not in another one',
    {
      expected: 'a page of the app',
      actual: describePage(outcome.snapshot),
      curl: curlOf({ method: 'GET', url: outcome.address }, context.session.redaction),
    },
  );
  return load;
}

/** Throws where the user would have to sign in to the app before anything else happens. */
export function givenNoSignIn(snapshot: PageSnapshot | undefined): void {
  if (snapshot?.asksToSignIn !== true) return;
  throw new Inconclusive(
    'the app asks the user to sign in first: give a module with signIn() with --driver (docs/integrator.md)',
    'configuration',
  );
}

/** An app that runs elsewhere can't call a service on this machine: that is not a fault of its. */
function givenReachable({ session }: AppContext): void {
  const { app, counterpart } = session;
  const hostOf = (address: string): string => URL.parse(address)?.hostname ?? '';
  const isFar = !isLoopbackHost(hostOf(app.installUrl ?? '')) && isLoopbackHost(hostOf(counterpart.origin));
  if (!isFar || counterpart.received.some(isCall)) return;
  throw new Inconclusive(
    `no call from the app has reached ${counterpart.base}, which is on this machine while the app is not: open a tunnel and name it with --public-url`,
    'configuration',
  );
}

/** Throws where the app did not call installed and may wait for something that the precheck can't do: that breaks no clause. */
export function givenNoPersonAwaited(context: AppContext, { calls, snapshot, driverFailure, stuck }: CodedLoad): void {
  const isCalled = calls.some(isInstalledCall);
  givenReachable(context);
  if (!isCalled) givenNoSignIn(snapshot);
  if (driverFailure !== undefined) throw new Inconclusive(driverFailure, 'configuration');
  if (!isCalled && stuck !== undefined)
    throw new Inconclusive(
      `the app did not call installed by itself, and its page may wait for a person: ${stuck}. Give a module with afterInstall() with --driver (docs/integrator.md)`,
      'configuration',
    );
}

/** Throws where a page came that is too much for the browser: then nothing is known of what a user sees. */
export function givenSeen(snapshot: PageSnapshot): void {
  if (snapshot.isUnseen !== true) return;
  throw new Inconclusive(
    'the page of the app loaded but could not be inspected within 10 s: it is too large, or never becomes idle',
    'target',
  );
}

/** For the call of installed of one more installation: the app has done it before. */
const INSTALL_WAIT_MS = 8_000;
/** Where a queue of the app's makes the call, it may take longer the next time. */
const QUEUE_FACTOR = 2;

/** How long to wait for the call of installed of one more installation. */
export async function installWaitMs(context: AppContext): Promise<number> {
  const { second } = await journeyOf(context);
  const lagMs = second?.lagMs ?? 0;
  return Math.max(INSTALL_WAIT_MS, maxWaitMs(lagMs), lagMs * QUEUE_FACTOR);
}

/** Shorter waits cost too little to be measured. */
const WORTH_MEASURING_MS = 1_500;
/** A page that has called by the time it came may call somewhat later the next time. */
const MIN_SETTINGS_WAIT_MS = 1_000;

/**
 * How long to wait for what an app does after the document of its settings. Where a queue calls installed long after the page of the
 * installation, the settings mostly call before theirs: one authentic load shows it, watched for as long as the queue may take.
 */
export const settingsPace = once(async (context: AppContext): Promise<number> => {
  const { second: queueMs } = await pace(context);
  if (queueMs <= WORTH_MEASURING_MS) return queueMs;
  const { session } = context;
  const { authCode } = await givenSettings(context);
  if (!hasInstallation(session, authCode)) return queueMs;
  const lagMs = await inContext(
    () => session.browserContext(),
    async (browser) => {
      const { url, token } = session.counterpart.beginSettings(authCode);
      const from = mark(session);
      await open(await browser.newPage(), url);
      const came = Date.now();
      await pause(queueMs);
      // A browser that is sent back later is waited for as long as before.
      if (callbacksOf(session, token).length > 0) return queueMs;
      return Math.max(0, ...callsFor(session, [authCode], from).map(({ at }) => at - came));
    },
  );
  return Math.min(queueMs, Math.max(MIN_SETTINGS_WAIT_MS, maxWaitMs(lagMs)));
});

/** How long to wait for what an app does after its document. */
export async function pace(context: AppContext): Promise<{ first: number; second: number }> {
  const { first, second } = await journeyOf(context);
  return { first: maxWaitMs(first.lagMs), second: maxWaitMs(second?.lagMs ?? 0) };
}
