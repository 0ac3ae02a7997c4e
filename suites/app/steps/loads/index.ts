/**
 * Loads of the app that are altered, or put together again, each on a visit of its own: what an app does with one of them can
 * be distinguished from what it does with another, so that several run beside each other.
 */

import type { BrowserContext, Page } from '@playwright/test';
import pMap from 'p-map';
import { Inconclusive } from '../../../../harness/check/failures.ts';
import type { Received } from '../../../../harness/integrator/counterpart.ts';
import { failsForItself } from '../../../../harness/integrator/own-failure.ts';
import {
  adviceOnOverload,
  inspectPage,
  isOverloaded,
  type PageSnapshot,
} from '../../../../harness/integrator/page/inspection/page-inspection.ts';
import {
  documentsIn,
  inContext,
  mayNavigate,
  type OpenedPage,
  type OpenOptions,
  open,
  waitUntilSettled,
} from '../../../../harness/integrator/page/visit.ts';
import { PAGE_TIMEOUT_MS } from '../../../../harness/integrator/session.ts';
import { until, within } from '../../../../harness/process/until.ts';
import type { AppContext, AppSession, WebsiteChoice } from '../../session.ts';
import { ALTERED_SUFFIX } from '../address.ts';
import { callbacksOf, callsFor, hasInstallation, mark, UNINSTALLED_ITSELF, untilQuiet } from '../effects.ts';
import { pressAgain } from '../user-flow/last-button.ts';
import { keepAttempt } from './attempts.ts';

export interface Alteration {
  /** For the report: `a request without hash`. */
  readonly change: string;
  readonly alter: (url: string) => string;
  /** A form that is posted to the address; without it the load is a GET. */
  readonly body?: string;
  /** The page that the load says it comes from is one of the service's. */
  readonly isFromService?: true;
  /** A program has requested the authentic address before, so that the app may have kept what it came to. Not for second loads. */
  readonly isServedBefore?: true;
  /** The address has its own callback besides the altered one: only a return through the altered one shows that it was served. */
  readonly hasOwnCallback?: true;
}

const BEFORE_TIMEOUT_MS = 8_000;

/** Requests an authentic address where its alteration is to come after it. */
export async function requestBefore(session: AppSession, { isServedBefore }: Alteration, url: string): Promise<void> {
  const options = { role: 'before an altered load', redirects: 0, timeoutMs: BEFORE_TIMEOUT_MS };
  if (isServedBefore) await session.fetcher.fetch(url, options).catch(() => undefined);
}

export const UNALTERED: Alteration = { change: 'the authentic request', alter: (url) => url };

/** What the app did with one load. */
export interface Outcome {
  readonly change: string;
  readonly address: string;
  /** The form that was posted to the address, if it was not a GET. */
  readonly body?: string;
  readonly authCode: string;
  /** Of the visit that its return redirect carries. */
  readonly token: string;
  readonly snapshot: PageSnapshot;
  /** The user was sent back through the callback (also to one that was altered). */
  readonly callback: Received | undefined;
  /** Apps calls for the installation of the load (also for a code that was altered). */
  readonly calls: readonly Received[];
  /** Of a load with an authCode: whether the user of the first load before it was sent back. */
  readonly wasSentBack?: boolean;
}

/** For a load that may be a posted form. */
export const posting = (body: string | undefined): { readonly body?: string } => (body === undefined ? {} : { body });

/** How the address of an alteration is opened. */
const openingOf = ({ counterpart }: AppSession, { body, isFromService }: Alteration): OpenOptions => ({
  ...posting(body),
  ...(isFromService ? { referer: `${counterpart.pagesOrigin}/` } : {}),
});

export const hasEffects = ({ callback, calls }: Pick<Outcome, 'callback' | 'calls'>): boolean =>
  callback !== undefined || calls.length > 0;

/** So many pages beside each other as a small machine carries without becoming slower for each. */
const AT_A_TIME = 6;
/** The same where each page is watched for longer than the app takes for it. */
export const AT_A_TIME_WATCHED = 18;
/** The first load of an altered second load is authentic, and no longer the app's first. */
const RETURN_REDIRECT_MS = 4_000;

/** How loads are made: beside each other in cleaned pages; one after another, each in a browser of its own, or all in a given one. */
export type LoadMode = 'beside' | 'alone' | BrowserContext;

function each<R>(
  { session }: AppContext,
  alterations: readonly Alteration[],
  mode: LoadMode,
  job: (page: Page, alteration: Alteration) => Promise<R>,
  concurrency = AT_A_TIME,
): Promise<R[]> {
  if (mode === 'beside')
    return pMap(alterations, (one) => session.pages.use((page) => job(page, one)), { concurrency });
  return pMap(
    alterations,
    (one) =>
      mode === 'alone'
        ? inContext(
            () => session.browserContext(),
            async (browser) => job(await browser.newPage(), one),
          )
        : mode.newPage().then((page) => job(page, one)),
    { concurrency: 1 },
  );
}

/** Loads without an authCode. Waits so long for the return redirect after each document that could still lead there. */
export function firstLoads(
  context: AppContext,
  alterations: readonly Alteration[],
  waitMs: number,
  mode: LoadMode = 'beside',
): Promise<Outcome[]> {
  const { session } = context;
  return each(context, alterations, mode, async (page, alteration) => {
    const { change, alter, body, hasOwnCallback } = alteration;
    const load = session.counterpart.beginInstall();
    const address = alter(load.url);
    await requestBefore(session, alteration, load.url);
    const opened = await open(page, address, openingOf(session, alteration));
    const returned = (): Received | undefined =>
      hasOwnCallback ? alteredReturn(session, load.token) : returnRedirect(session, load.token);
    const waits = returned() === undefined && (await mayNavigate(page, opened));
    const callback = waits ? await until(returned, waitMs) : returned();
    const snapshot = await inspectPage(page, opened.status);
    return { change, address, ...posting(body), authCode: '', token: load.token, snapshot, callback, calls: [] };
  });
}

/** A visit that the app has sent back, in the page that it was opened in, ready for its second load. */
async function agreed(session: AppSession, page: Page, website: WebsiteChoice, waitMs: number): Promise<string> {
  const load = session.counterpart.beginInstall(website);
  await open(page, load.url);
  await until(() => returnRedirect(session, load.token), Math.max(RETURN_REDIRECT_MS, waitMs));
  return load.token;
}

/** The code of an installation that a user has accepted and whose load never reached the app, as when the network fails. */
export const unseenCode = ({ session }: AppContext, waitMs: number): Promise<string> =>
  session.pages.use(async (page) => session.counterpart.accept(await agreed(session, page, 'new', waitMs)).authCode);

export interface SecondLoadOptions {
  readonly waitMs: number;
  /** For a document that could still lead on by itself, where that is longer. */
  readonly lateMs?: number;
  /** Looks at the page in its last state. */
  readonly read?: (page: Page) => Promise<void>;
  /** By default a new one for each load. */
  readonly website?: WebsiteChoice;
  /** Receives the code before the app is loaded with it, and what shows the state of the load at any later time. */
  readonly coded?: (authCode: string, now: () => Promise<Pick<Outcome, 'snapshot' | 'callback'>>) => void;
  /** What is waited for; by default any effect. */
  readonly until?: (outcome: Pick<Outcome, 'callback' | 'calls'>) => boolean;
  /** Goes on in the page of a load, once its outcome is known. */
  readonly afterwards?: (page: Page, outcome: Outcome) => Promise<void>;
}

/** Loads with an authCode that follow on an authentic first load in the same browser. */
export function secondLoads(
  context: AppContext,
  alterations: readonly Alteration[],
  options: SecondLoadOptions,
  mode: LoadMode = 'beside',
): Promise<Outcome[]> {
  const { session } = context;
  return each(context, alterations, mode, async (page, alteration) => {
    const { change, alter, body } = alteration;
    const token = await agreed(session, page, options.website ?? 'new', options.waitMs);
    const earlier = callbacksOf(session, token).length;
    const { url, authCode } = session.counterpart.accept(token);
    const address = alter(url);
    const effects = () => ({
      callback: returnRedirect(session, token, earlier),
      calls: callsFor(session, [authCode, authCode + ALTERED_SUFFIX]),
    });
    options.coded?.(authCode, async () => ({
      callback: effects().callback,
      snapshot: await inspectPage(page, documentsIn(page.context()).lastOf(page)?.status()),
    }));
    const isDone = options.until ?? hasEffects;
    const opened = await open(page, address, openingOf(session, alteration));
    await afterInstall(session, page, change === UNALTERED.change);
    const waitMs = await waitAfter(page, opened, options);
    await until(() => (isDone(effects()) ? true : undefined), waitMs);
    if (!hasEffects(effects())) await waitUntilSettled(page, opened);
    await options.read?.(page);
    const snapshot = await inspectPage(page, opened.status);
    const made = {
      change,
      address,
      ...posting(body),
      authCode,
      token,
      snapshot,
      ...effects(),
      wasSentBack: earlier > 0,
    };
    // Where the caller knows the code beforehand, the service may answer in a way of its own.
    const isOfNewUser = (options.website ?? 'new') === 'new' && options.coded === undefined;
    if (change === UNALTERED.change && isOfNewUser) keepAttempt(session, { kind: 'installation', outcome: made });
    await options.afterwards?.(page, made);
    return made;
  });
}

/** How long the effects of a load are waited for. */
const waitAfter = async (
  page: Page,
  opened: OpenedPage,
  { waitMs, lateMs = 0 }: Pick<SecondLoadOptions, 'waitMs' | 'lateMs'>,
): Promise<number> => (lateMs > waitMs && (await mayNavigate(page, opened)) ? lateMs : waitMs);

/** What a person does in the app once it is installed, as long as it may take on a page that has nothing of the kind. */
const AFTER_INSTALL_TIMEOUT_MS = 20_000;
const AFTER_REFUSAL_TIMEOUT_MS = 3_000;

/**
 * Lets the integrator's driver do its steps after a load; without one, presses the buttons that the app is known to wait for. A page that refuses has none of what they look for: what they throw
 * there says nothing, and on an authentic load that was not served the checks say more than they.
 */
export async function afterInstall(session: AppSession, page: Page, authentic = true): Promise<string | undefined> {
  const { driver, lastButtons } = session;
  if (driver.afterInstall === undefined) {
    await pressAgain(page, lastButtons);
    return undefined;
  }
  const timeoutMs = authentic ? AFTER_INSTALL_TIMEOUT_MS : AFTER_REFUSAL_TIMEOUT_MS;
  if (!authentic) page.setDefaultTimeout(timeoutMs);
  const failure = await within(
    driver.afterInstall(page).then(
      () => undefined,
      (error: unknown) => `threw: ${(error instanceof Error ? error.message : String(error)).split('\n', 1)[0]}`,
    ),
    timeoutMs,
    () => `took more than ${timeoutMs / 1000} s`,
  );
  if (!authentic) page.setDefaultTimeout(PAGE_TIMEOUT_MS);
  return failure === undefined ? undefined : `afterInstall of the driver ${failure}`;
}

interface SettingsWait extends Pick<SecondLoadOptions, 'waitMs' | 'lateMs' | 'read'> {
  /** How many are made beside each other at most. */
  readonly atATime?: number;
  /** How long no call has come before an altered load that follows on an authentic one; by default as long as a load is waited for. */
  readonly quietMs?: number;
}

/** Loads of the settings of one installation. Calls of simultaneous loads cannot be distinguished: each has all of them. */
export function settingsLoads(
  context: AppContext,
  authCode: string,
  alterations: readonly Alteration[],
  wait: number | SettingsWait,
  mode: LoadMode = 'beside',
): Promise<Outcome[]> {
  const { session } = context;
  const waiting: SettingsWait = typeof wait === 'number' ? { waitMs: wait } : wait;
  if (!hasInstallation(session, authCode)) throw new Inconclusive(UNINSTALLED_ITSELF, 'target');
  const load = async (page: Page, alteration: Alteration): Promise<Outcome> => {
    const { change, alter, body } = alteration;
    const { url, token } = session.counterpart.beginSettings(authCode);
    const address = alter(url);
    await requestBefore(session, alteration, url);
    // An app may answer an authentic request first and call for it later, which must not count for the altered one.
    const callsSince = (from: number) => callsFor(session, [authCode], from);
    if (alteration.isServedBefore) await untilQuiet(session, callsSince, waiting.quietMs ?? waiting.waitMs);
    const since = mark(session);
    const opened = await open(page, address, openingOf(session, alteration));
    const callback = await until(() => returnRedirect(session, token), await waitAfter(page, opened, waiting));
    await waitUntilSettled(page, opened);
    await waiting.read?.(page);
    const snapshot = await inspectPage(page, opened.status);
    const calls = callsFor(session, [authCode, authCode + ALTERED_SUFFIX], since);
    const made = { change, address, ...posting(body), authCode, token, snapshot, callback, calls };
    if (change === UNALTERED.change) keepAttempt(session, { kind: `settings of ${authCode}`, outcome: made });
    return made;
  };
  return each(context, alterations, mode, load, waiting.atATime);
}

/**
 * What has come since of a load that was taken for refused. The calls of settings can't be distinguished from those of other
 * loads of the same installation, and those of a load without an authCode belong to no installation.
 */
export function hasLateEffects(context: AppContext, outcome: Outcome): boolean {
  const { callback, calls } = lateEffects(context, outcome);
  if (outcome.authCode === '') return outcome.callback === undefined && callback !== undefined;
  return outcome.calls.length === 0 && calls.length > 0;
}

/** What a load has led to by now. Who was sent back before the load with an authCode does not count. */
export function lateEffects(
  { session }: AppContext,
  { token, authCode }: Outcome,
): Pick<Outcome, 'callback' | 'calls'> {
  if (authCode === '') return { callback: returnRedirect(session, token), calls: [] };
  return { callback: undefined, calls: callsFor(session, [authCode, authCode + ALTERED_SUFFIX]) };
}

/** The user's return, also through a callback whose address was altered. */
function returnRedirect(session: AppSession, token: string, earlier = 0): Received | undefined {
  return callbacksOf(session, token)[earlier] ?? alteredReturn(session, token);
}

const alteredReturn = (session: AppSession, token: string): Received | undefined =>
  callbacksOf(session, token + ALTERED_SUFFIX)[0];

/**
 * Loads that are authentic, each in a way that the app has not met before; what it seems to refuse is tried again, alone.
 * `waitMs`: how long the return redirect takes at most.
 */
export async function authenticLoads(
  context: AppContext,
  alterations: readonly Alteration[],
  waitMs: number,
): Promise<Outcome[]> {
  const longer = Math.max(AUTHENTIC_WAIT_MS, waitMs);
  const outcomes = await firstLoads(context, alterations, longer);
  const refused = new Set(outcomes.filter(({ callback }) => callback === undefined).map(({ change }) => change));
  if (refused.size === 0) return outcomes;
  const some = alterations.filter(({ change }) => refused.has(change));
  const again = await firstLoads(context, some, longer * 2, 'alone');
  for (const outcome of again) {
    const alteration = some.find(({ change }) => change === outcome.change);
    if (outcome.callback !== undefined || alteration === undefined) continue;
    if (!(await failsForLoad(context, alteration, longer))) givenNotLimited(outcome);
  }
  return outcomes.map((outcome) => again.find(({ change }) => change === outcome.change) ?? outcome);
}

/** Whether the app fails on one first load, and serves others. */
const failsForLoad = (context: AppContext, alteration: Alteration, waitMs: number): Promise<boolean> => {
  const alone = async (one: Alteration) => (await firstLoads(context, [one], waitMs, 'alone'))[0];
  return failsForItself({
    again: async () => {
      const outcome = await alone(alteration);
      return outcome?.callback === undefined ? outcome?.snapshot : undefined;
    },
    control: async () => (await alone(UNALTERED))?.callback !== undefined,
  });
};

/** For the return redirect after a document that could still lead there. */
export const AUTHENTIC_WAIT_MS = 2_000;

/** Throws where an app that served the same before has had enough of us: that says nothing about it. */
export function givenNotLimited({ snapshot }: Pick<Outcome, 'snapshot'>): void {
  if (!isOverloaded(snapshot)) return;
  throw new Inconclusive(
    `the app answers an authentic request with status ${snapshot.status}: ${adviceOnOverload(snapshot)}`,
    'configuration',
  );
}
