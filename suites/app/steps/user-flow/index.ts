/**
 * The whole way of a user with the app, once, in a browser, through the service's own pages: Install, the app's redirect, the
 * permission request, the load with an authCode, the app's page, Settings. Everything is written down as it was; the checks
 * judge it. It never throws for what the app does.
 */
import type { BrowserContext, Page } from '@playwright/test';
import type { Pairs } from '../../../../contracts/install-hash/index.ts';
import type { Screenshot } from '../../../../harness/check/findings/index.ts';
import { isCall, isServiceAddress, type Received } from '../../../../harness/integrator/counterpart.ts';
import { once } from '../../../../harness/integrator/once.ts';
import { inspectPage, type PageSnapshot } from '../../../../harness/integrator/page/inspection/page-inspection.ts';
import {
  inContext,
  maxWaitMs,
  mayNavigate,
  open,
  waitForEffect,
  waitUntilSettled,
} from '../../../../harness/integrator/page/visit.ts';
import { pause, until, within } from '../../../../harness/process/until.ts';
import type { AppContext, AppSession } from '../../session.ts';
import { parameterOf, parametersOf } from '../address.ts';
import { diagnose, type Refusal } from '../diagnosis.ts';
import { arrivedSince, callbacksOf, callsFor, hasInstallation, isInstalledCall, mark } from '../effects.ts';
import { afterInstall } from '../loads/index.ts';
import { type Begun, type LoadWatch, lateTab, placeOf, watchLoads } from '../loads/watch-loads.ts';
import { capturePage } from '../screenshot.ts';
import { type LastStep, pressUntilCalled } from './last-button.ts';

/** A load of one of the app's addresses on the user's way. */
export interface Step {
  /** As the browser was sent there. */
  readonly address: string;
  readonly pairs: Pairs;
  /** Why no document came, in the browser's words. */
  readonly failure: string | undefined;
  /** Where the user ended, and what was to be seen there. */
  readonly snapshot: PageSnapshot;
  readonly screenshots: readonly Screenshot[];
}

export interface FirstLoad extends Step {
  readonly token: string;
  /** The user's return through the callback; undefined when the app did not send them. */
  readonly callback: Received | undefined;
  /** From the document to the callback; 0 where the document itself was the redirect. */
  readonly lagMs: number;
  /** Calls of installed before there was an authCode. */
  readonly early: readonly Received[];
  /** The user was sent back in a window of their own, which they did nothing to open. */
  readonly isInNewWindow: boolean;
}

export interface CodedLoad extends Step {
  readonly authCode: string;
  readonly token: string;
  /** Apps calls during the load, of any installation. */
  readonly calls: readonly Received[];
  /** The first call of installed with the code of the load. */
  readonly installed: Received | undefined;
  /** Whether the app sent the user back through the callback. */
  readonly callback: Received | undefined;
  readonly lagMs: number;
  /** Why the integrator's driver could not do its steps after the installation. */
  readonly driverFailure: string | undefined;
  /** Why it takes a person to go on with a page on which the app may wait for its user. */
  readonly stuck: string | undefined;
  /** Why the browser did not send the form of the app's page after its button was pressed. */
  readonly blockedForm: string | undefined;
}

export interface Journey {
  readonly first: FirstLoad;
  readonly second: CodedLoad | undefined;
  readonly settings: CodedLoad | undefined;
  /** Loads that the app's server failed to answer; when their user came again, it did not fail. */
  readonly failedAtFirst: readonly Step[];
  /** Where the app refuses what is authentic: how it verifies instead, or that nothing known explains it. */
  readonly refusal?: Refusal;
}

/** The first answers of an app may be slow: caches are cold, frameworks compile. */
const FIRST_PATIENCE_MS = 12_000;
/** The contract sets no time for the call of installed, and a queue may begin a job some seconds after it was given. */
const QUEUE_PATIENCE_MS = 13_000;
/** A page of an app that returns is read for so long at most. */
const RETURN_MS = 6_000;
/** What an app might call too early, it calls while it answers the first load. */
const EARLY_MS = 300;
/** For the return redirect of a request with another hash; the app has answered before. */
const DIAGNOSIS_PATIENCE_MS = 500;

/** The user's way, made when it is first asked for. */
export const journeyOf = once((context: AppContext) => wholeJourney(context));

async function wholeJourney(context: AppContext): Promise<Journey> {
  const { session } = context;
  const go = (): Promise<Journey> =>
    inContext(
      () => session.browserContext(),
      (browser) => travel(session, browser),
    );
  const journey = await go();
  const { first } = journey;
  if (first.callback !== undefined || first.snapshot.status === undefined || first.snapshot.asksToSignIn)
    return journey;
  const diagnosis = await diagnose(context, first, DIAGNOSIS_PATIENCE_MS);
  if (diagnosis === undefined) return journey;
  if ('refusal' in diagnosis) return { ...journey, refusal: diagnosis.refusal };
  // The encoding of another language is as right as the service's own: from now on it is spoken.
  session.dialect = diagnosis.encoding;
  session.counterpart.hashWith(diagnosis.encoding);
  const again = await go();
  return { ...again, failedAtFirst: [...journey.failedAtFirst, ...again.failedAtFirst] };
}

async function travel(session: AppSession, browser: BrowserContext): Promise<Journey> {
  const { counterpart, app } = session;
  const loads = watchLoads(browser, [app.installUrl, app.settingsUrl]);
  const page = await browser.newPage();
  const failedAtFirst: Step[] = [];

  const { first, second } = await againAfterFailure(
    async () => {
      const beginning = mark(session);
      const begun = await pressed(() => counterpart.driver.pressInstall(page), loads, 'install');
      const load = await firstLoad(session, begun, beginning, loads);
      if (load.callback === undefined) return { first: load, second: undefined };
      const tab = begun.tab ?? (await lateTab(browser, parameterOf(load.pairs, 'callback')));
      return { first: load, second: await secondLoad(session, load, tab, loads) };
    },
    ({ first: load, second: coded }) => [load, coded].find(isServerFailure),
    failedAtFirst,
    // Whether a website may have an app twice is open.
    ({ second: coded }) => counterpart.uninstall(coded?.authCode ?? ''),
  );
  if (second === undefined || !hasInstallation(session, second.authCode))
    return { first, second, settings: undefined, failedAtFirst };
  const settings = await againAfterFailure(
    () => settingsLoad(session, page, second.authCode, loads),
    (load) => (isServerFailure(load) ? load : undefined),
    failedAtFirst,
  );
  return { first, second, settings, failedAtFirst };
}

/** Whether the app's server failed instead of answering a load: it may be starting, or a gateway before it may. */
export const isServerFailure = (load: Pick<CodedLoad, 'callback' | 'snapshot'> | undefined): boolean =>
  load !== undefined && load.callback === undefined && (load.snapshot.status ?? 0) >= 500;

/** Goes a part of the user's way, and once more where the server failed, as its user would. */
async function againAfterFailure<T>(
  go: () => Promise<T>,
  failureIn: (way: T) => Step | undefined,
  failedAtFirst: Step[],
  cleanUp?: (way: T) => unknown,
): Promise<T> {
  const way = await go();
  const failed = failureIn(way);
  if (failed === undefined) return way;
  await cleanUp?.(way);
  const again = await go();
  if (failureIn(again) === undefined) failedAtFirst.push(failed);
  return again;
}

/**
 * Presses a button of the service that leads to the app. A new tab has no page before the app has answered, so that a driver
 * gives up on one that does not answer; that the browser was sent there is known all the same.
 */
async function pressed(press: () => Promise<void>, loads: LoadWatch, kind: 'install' | 'coded'): Promise<Begun> {
  let problem: unknown;
  await press().catch((error: unknown) => {
    problem = error;
  });
  const begun =
    (await until(() => loads.next(kind), problem === undefined ? FIRST_PATIENCE_MS : 0)) ?? loads.tabless(kind);
  if (begun !== undefined) return begun;
  throw new Error(`The service's own pages did not lead to the app (${problem ?? 'no request was made'}).`);
}

async function firstLoad(
  session: AppSession,
  { address, tab }: Begun,
  beginning: number,
  loads: LoadWatch,
): Promise<FirstLoad> {
  const pairs = parametersOf(address);
  const token = tokenIn(session, pairs);
  const { found: callback, lagMs } = await waitForEffect(() => callbacksOf(session, token)[0], FIRST_PATIENCE_MS);
  await pause(EARLY_MS);
  const early = arrivedSince(session, beginning).filter(isInstalledCall);
  if (tab !== undefined && callback === undefined) await waitUntilSettled(tab, { status: loads.statusIn(tab) });
  const snapshot = await snapshotIn(tab, loads, address);
  const screenshots = await capturePage(
    session,
    tab,
    'After the first load: the page to which the app redirected the user',
  );
  const isInNewWindow = tab !== undefined && askingTab({ pairs }, tab) !== tab && !isAtService(session, tab);
  const failure = loads.failure();
  return { address, pairs, token, callback, lagMs, early, isInNewWindow, failure, snapshot, screenshots };
}

/** Whether a tab has left the app for the service. */
const isAtService = ({ counterpart }: AppSession, tab: Page): boolean => isServiceAddress(counterpart, tab.url());

async function secondLoad(session: AppSession, first: FirstLoad, tab: Page, loads: LoadWatch): Promise<CodedLoad> {
  const { counterpart } = session;
  const from = mark(session);
  const earlierCallbacks = callbacksOf(session, first.token).length;
  const begun = first.callback?.status === 200 ? await accepted(session, askingTab(first, tab), loads) : undefined;
  if (begun !== undefined) return codedLoad(session, 'installation', { ...begun, from, earlierCallbacks }, loads);
  // The service refused the return redirect; the app is loaded all the same, so that the rest of it can be judged.
  const { url } = counterpart.accept(first.token);
  await open(tab, url);
  loads.next('coded');
  return codedLoad(session, 'installation', { address: url, tab, from, earlierCallbacks }, loads);
}

/** The tab that shows the page of the callback: an app may have sent the user back in another tab than its own. */
function askingTab({ pairs }: Pick<FirstLoad, 'pairs'>, tab: Page): Page {
  const callback = pairs.find(([name]) => name === 'callback')?.[1];
  const tabs = tab.context().pages().reverse();
  return tabs.find((page) => callback !== undefined && page.url().startsWith(callback)) ?? tab;
}

/** Accepts the permissions on the service's page; undefined where the app's tab does not show them. */
async function accepted({ counterpart }: AppSession, tab: Page, loads: LoadWatch): Promise<Begun | undefined> {
  const isAsked = await counterpart.driver.acceptPermissions(tab).then(
    () => true,
    () => false,
  );
  return isAsked ? until(() => loads.next('coded'), FIRST_PATIENCE_MS) : undefined;
}

async function settingsLoad(session: AppSession, page: Page, authCode: string, loads: LoadWatch): Promise<CodedLoad> {
  const from = mark(session);
  const begun = await pressed(() => session.counterpart.driver.pressSettings(page, authCode), loads, 'coded');
  return codedLoad(session, 'settings', { ...begun, from, earlierCallbacks: 0 }, loads);
}

async function codedLoad(
  session: AppSession,
  kind: 'installation' | 'settings',
  begun: Begun & { readonly from: number; readonly earlierCallbacks: number },
  loads: LoadWatch,
): Promise<CodedLoad> {
  const { address, tab, from } = begun;
  const pairs = parametersOf(address);
  const token = tokenIn(session, pairs);
  const authCode = parameterOf(pairs, 'authCode') ?? '';
  const installedCall = (): Received | undefined => callsFor(session, [authCode], from).find(isInstalledCall);
  const callbackNow = (): Received | undefined => callbacksOf(session, token)[begun.earlierCallbacks];
  let driverFailure: string | undefined;
  if (kind === 'installation' && tab !== undefined && session.driver.afterInstall !== undefined) {
    // What the driver does may be what the call waits for: a registration, a choice, a last button.
    await rested(tab);
    driverFailure = await afterInstall(session, tab);
  }
  const byItself =
    kind === 'installation' ? await installedAfter(installedCall, () => statusNow(tab, loads)) : NOT_AWAITED;
  const asked = kind === 'installation' && byItself.found === undefined;
  const byUser = asked ? await lastStep(session, tab, installedCall, statusNow(tab, loads)) : undefined;
  const { found: installed, lagMs } = byUser?.found === undefined ? byItself : byUser;
  if (tab !== undefined) await rested(tab);
  // What follows upon the call (a page that moves on, the return redirect) takes no longer than the call itself did.
  await until(callbackNow, maxWaitMs(lagMs));
  const isToReturn = kind === 'installation' && session.app.tabMode === 'self';
  if (tab !== undefined && isToReturn && callbackNow() === undefined) {
    // A page may say that all is done before its script or a refresh takes the user back.
    const waits = await mayNavigate(tab, { status: loads.statusIn(tab) });
    if (waits) await until(callbackNow, RETURN_MS);
  }
  if (tab !== undefined && callbackNow() === undefined) await waitUntilSettled(tab, { status: loads.statusIn(tab) });
  const snapshot = await snapshotIn(tab, loads, address);
  const title = kind === 'settings' ? 'Settings' : 'After the installation';
  return {
    address,
    pairs,
    token,
    authCode,
    calls: arrivedSince(session, from).filter(isCall),
    // A call that came after the app was waited for is late, not missing.
    installed: installed ?? installedCall(),
    callback: callbackNow(),
    lagMs,
    failure: loads.failure(),
    driverFailure,
    stuck: byUser?.stuck,
    blockedForm: byUser?.blockedForm,
    snapshot,
    screenshots: await capturePage(session, tab, `${title}: the final page`),
  };
}

/** What a user does on a good page of an app that has not called installed by itself; undefined where a driver knows it. */
async function lastStep(
  session: AppSession,
  tab: Page | undefined,
  call: () => Received | undefined,
  status: number | undefined,
): Promise<LastStep | undefined> {
  const isGood = status !== undefined && status >= 200 && status <= 299;
  if (tab === undefined || !isGood || session.driver.afterInstall !== undefined) return undefined;
  const step = await pressUntilCalled(tab, call);
  if (step.found !== undefined) session.lastButtons = step.presses;
  return step;
}

const NOT_AWAITED = { found: undefined, lagMs: 0 } as const;

/** Waits for the call of installed: longer where a good page came, since a queue of the app's may have it still to do. */
async function installedAfter(
  call: () => Received | undefined,
  status: () => number | undefined,
): Promise<{ found: Received | undefined; lagMs: number }> {
  const soon = await waitForEffect(call, FIRST_PATIENCE_MS);
  const shown = status();
  if (soon.found !== undefined || shown === undefined || shown < 200 || shown > 299) return soon;
  const later = await waitForEffect(call, QUEUE_PATIENCE_MS);
  return { found: later.found, lagMs: later.found === undefined ? 0 : soon.lagMs + later.lagMs };
}

const statusNow = (tab: Page | undefined, loads: LoadWatch): number | undefined =>
  tab === undefined ? undefined : loads.statusIn(tab);

const rested = (tab: Page): Promise<void> =>
  within(
    tab.waitForLoadState('load').catch(() => undefined),
    FIRST_PATIENCE_MS,
    () => undefined,
  );

const snapshotIn = async (tab: Page | undefined, loads: LoadWatch, address: string): Promise<PageSnapshot> =>
  tab === undefined
    ? { status: undefined, place: placeOf(address), lines: [], things: [], hasContent: false, asksToSignIn: false }
    : inspectPage(tab, loads.statusIn(tab));

/** The token of a visit, in the callback that an address carries. */
export function tokenIn(session: AppSession, pairs: Pairs): string {
  const callback = parameterOf(pairs, 'callback') ?? '';
  const path = URL.parse(callback)?.pathname ?? '';
  return path.slice(session.counterpart.callbackPath.length).replace(/\/$/, '');
}
