/**
 * The installation sequence with the harness as the app (spec: Installation sequence): Install is pressed, the app sends the
 * user back, the permissions are accepted, the app is loaded with its code and finishes. What happened is written down as it
 * was; the checks judge it.
 */
import { setTimeout } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { isFullAddress } from '../../../contracts/fields/forms.ts';
import { type Pairs, pairsOf } from '../../../contracts/install-hash/index.ts';
import { rawPartsWithoutHash } from '../../../contracts/install-hash/query.ts';
import { closeNewTabs } from '../../../harness/browser/shared-page.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { Installation } from '../../../harness/cleanup/ledger.ts';
import { sealCode } from '../../../harness/cleanup/ledger-secrets.ts';
import type { TrackedEntry } from '../../../harness/cleanup/undo/scope.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import { Apps } from '../../../harness/target/interfaces/apps.ts';
import type { Listener, Received, Reply } from '../../../harness/target/listener/index.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import type { Secret } from '../../../harness/target/secrets/secret.ts';
import { isLoad, loadAt } from './loads.ts';
import { codesNow, noteEnds, type ProfileCodes, takePlaces } from './profile-codes.ts';
import { type App, INSTALL_PATH, register, SETTINGS_PATH, userPage } from './registration.ts';
import { hasButtons, type TabWatch, watchTabs, withoutFragment } from './tabs.ts';

/** A service may show a state some time after it has answered; it is read again after these pauses. */
const PAUSES_MS = [100, 200, 400, 800];

/** A load of one of the app's addresses. */
export interface Load {
  readonly received: Received;
  /** The parameters, decoded, in received order. */
  readonly pairs: Pairs;
  /** The tab that it was loaded in; undefined when that is unknown. */
  readonly tab: Page | undefined;
}

/** What the driver's installState() said. */
export interface InstallState {
  readonly known: boolean;
  readonly installed: boolean;
}

export interface Walk {
  readonly app: App;
  /** The tab in which the user pressed Install. */
  readonly userTab: Page;
  first?: Load;
  /** Loads between the first and the acceptance. */
  early: Load[];
  /** The page that the return redirect led to; status 0 when it gave no response, undefined when the browser did not go there. */
  returned?: { readonly status: number; readonly url: string };
  /** Whether the permissions could be accepted. */
  isAccepted: boolean;
  /** Why not, as the driver says. */
  acceptProblem?: Error;
  /** When they could not: whether there was anything to press. */
  hadButtons?: boolean;
  second?: Load;
  /** The installation that the run made next; it may have ended this one. */
  next?: Walk;
  /** A code of the profile opened its installation before this one was made, and does not any more. */
  endedProfilesCode?: boolean;
  /** The code of the second load, where it had one. */
  apps?: Apps;
  /** The code is one that the profile or an earlier installation of the run has: the service opened the installation that there was. */
  isKnown?: boolean;
  /** The states around the call of installed, where the driver can report them. */
  stateBefore?: InstallState | undefined;
  stateAfter?: InstallState | undefined;
  stateProblem?: Error;
  /** The call of installed by an earlier installation, which is not the same one, has finished this one. */
  finishedByOther?: boolean;
  installed?: ServiceResponse;
  /** Where the user was after an app of mode self had sent them back: status and address of the last page. */
  end?: { readonly status: number; readonly url: string; readonly loadedAppAgain: boolean };
  settings?: Load;
  /** The settings request of the earlier installation, whose Settings was pressed after this one was made. */
  settingsOfEarlier?: Load;
  settingsPressed: boolean;
  settingsProblem?: Error;
}

/** The value of a parameter; the first one, where a name is there twice. */
export const parameterOf = ({ pairs }: Pick<Load, 'pairs'>, name: string): string | undefined =>
  pairs.find(([other]) => other === name)?.[1];

/** All values of a parameter: of a name that is there twice, apps take the first one or the last one. */
export const valuesOf = ({ pairs }: Pick<Load, 'pairs'>, name: string): string[] =>
  pairs.filter(([other]) => other === name).map(([, value]) => value);

/** Whether a load identifies an installation. */
export const hasCode = (load: Pick<Load, 'pairs'>): boolean => valuesOf(load, 'authCode').some((code) => code !== '');

/** The address in `callback`, when it is one that a browser can be sent to; browsers write it in their own form. */
export function callbackOf(load: Load): string | undefined {
  const callback = parameterOf(load, 'callback');
  return isFullAddress(callback) ? callback : undefined;
}

/** `callback` with all received parameters but `callback` and `hash`, as they were written. */
function returnRedirect(load: Load): string | undefined {
  const [callback] = callbackOf(load)?.split('#', 1) ?? [];
  if (callback === undefined) return undefined;
  const kept = rawPartsWithoutHash(load.received.query).filter((part) => pairsOf(part)[0]?.[0] !== 'callback');
  return `${callback}${callback.includes('?') ? '&' : '?'}${kept.join('&')}`;
}

const PAGE: Reply = { body: '<!doctype html><title>App</title><p>The harness, in place of the app.</p>' };

/**
 * Installs the app through the driver, to the end of the sequence. Throws when the driver can't press Install. While an app of mode
 * blank is not finished, the `earlier` installation calls installed once more.
 */
export async function install(context: Context, app: App, earlier?: Apps): Promise<Walk> {
  await register(context, app);
  const page = await userPage(context);
  const walk: Walk = { app, userTab: page, early: [], isAccepted: false, settingsPressed: false };
  const listener = await context.listener();
  const tabs = watchTabs(page.context());
  const opened = page.context().pages();
  const known = context.resources.installation.begin();
  try {
    const codes = await codesNow(context);
    const replaced = await walkThrough(context, walk, listener, tabs, codes, earlier);
    await takePlaces(context, replaced, walk.apps);
    await tabsKnown(context, listener, tabs, walk.first, walk.second);
  } finally {
    known();
    tabs.stop();
    await closeNewTabs(page, opened);
  }
  return walk;
}

/** Returns the installations of the profile in whose place the new one is. */
async function walkThrough(
  context: Context,
  walk: Walk,
  listener: Listener,
  tabs: TabWatch,
  codes: ProfileCodes,
  earlier: Apps | undefined,
): Promise<readonly Installation[]> {
  const { app, userTab } = walk;
  const { timeoutMs } = context.profile.limits;
  const isInstall = (received: Received): boolean => isLoad(received) && received.path.endsWith(INSTALL_PATH);
  const before = listener.received(app.listensAs).length;
  const installs = () => listener.received(app.listensAs).slice(before).filter(isInstall);
  const loadOf = (received: Received): Load => loadFrom(context, received, listener, tabs);
  let tracked: TrackedEntry | undefined;

  listener.serve(app.listensAs, async (received) => {
    if (!isInstall(received)) return PAGE;
    if (tracked !== undefined) return finish(context, walk, received, tracked);
    // Only the first load is sent back; what else comes before the user has accepted is recorded and left alone.
    const back = installs().length === 0 ? returnRedirect(loadOf(received)) : undefined;
    return back === undefined ? PAGE : { status: 302, headers: { location: back } };
  });

  await context.driver.pressInstall(userTab);
  const first = await loadAt(listener, app, INSTALL_PATH, before, timeoutMs);
  if (first === undefined) return [];
  walk.first = loadOf(first);
  const callback = callbackOf(walk.first);
  if (callback === undefined) return [];
  const begins = withoutFragment(new URL(callback).href);
  const wentBack = await tabs.waitFor(({ url }) => url.startsWith(begins), 0, timeoutMs);
  const returned = wentBack === undefined ? undefined : await tabs.endOf(wentBack, timeoutMs);
  if (returned !== undefined) walk.returned = returned;
  walk.early = installs().slice(1).map(loadOf);

  const seen = listener.received(app.listensAs).length;
  tracked = context.givenForAll.track({ kind: 'installation' });
  try {
    await accept(context, userTab, returned === undefined ? undefined : await tabWith(tabs, returned.url));
    walk.isAccepted = true;
  } catch (error) {
    walk.acceptProblem = error as Error;
    walk.hadButtons = await hasButtons(userTab.context());
  }
  const waitMs = walk.isAccepted ? timeoutMs : 0;
  const second = await loadAt(listener, app, INSTALL_PATH, seen, waitMs);
  if (second === undefined) {
    if (!walk.isAccepted) tracked.cancel();
    return [];
  }
  walk.second = loadOf(second);
  const { replaced, hasEndedProfiles } = await noteEnds(context, codes);
  walk.endedProfilesCode = hasEndedProfiles;
  // There is one installation at a time, and this is it now: deleting it would take away what was the profile's.
  if (replaced.length > 0) tracked.cancel();
  if (app.shape === 'self') await followReturn(walk, tabs, installs, timeoutMs);
  else await finishAfterwards(context, walk, earlier);
  return replaced;
}

/** How long a page that has been loaded is looked for: it may be in a new tab, which the browser reports a little later. */
const TAB_KNOWN_MS = 2_000;

async function tabWith(tabs: TabWatch, url: string): Promise<Page | undefined> {
  await tabs.tabKnown(url, TAB_KNOWN_MS);
  return tabs.tabOf(url);
}

/**
 * Accepts where the user was sent back to: for an app of mode blank that is another tab than the one in which Install was pressed.
 * A service may ask in the user's tab all the same, so that one is next.
 */
async function accept({ driver }: Context, userTab: Page, asked: Page | undefined): Promise<void> {
  if (asked === undefined || asked === userTab || asked.isClosed()) return driver.acceptPermissions(userTab);
  try {
    await driver.acceptPermissions(asked);
  } catch {
    await driver.acceptPermissions(userTab);
  }
}

/** The second load: takes the code; an app of mode self finishes at once and sends the user back, another shows its page. */
async function finish(context: Context, walk: Walk, received: Received, tracked: TrackedEntry): Promise<Reply> {
  const load: Pick<Load, 'pairs' | 'received'> = { received, pairs: pairsOf(received.query) };
  if (walk.apps === undefined) takeCode(context, walk, parameterOf(load, 'authCode'), tracked);
  if (walk.app.shape !== 'self' || walk.installed !== undefined) return PAGE;
  if (walk.apps !== undefined) walk.installed = await context.send(walk.apps.finishInstallation(), 'installed');
  const back = returnRedirect({ ...load, tab: undefined });
  return back === undefined ? PAGE : { status: 302, headers: { location: back } };
}

/** The code becomes a secret, and what the ledger needs to delete the installation again. */
function takeCode(context: Context, walk: Walk, code: string | undefined, tracked: TrackedEntry): void {
  if (code === undefined || code === '') return;
  const { profile } = context;
  const secret: Secret = context.secret(nameOfCode(context, code), code);
  const key = context.given.configured(profile.apps?.apiKey, 'apps.apiKey');
  walk.apps = new Apps(key, secret);
  // Installing again may give the profile's own code: that installation is not the run's to delete.
  walk.isKnown = isInProfile(context, walk.apps);
  if (walk.isKnown) tracked.cancel();
  else tracked.created({ sealedCode: sealCode(code, key) });
}

/** The codes of the installations that a process has made, in their order. */
const codesOf = new WeakMap<Context['resources'], string[]>();

/** Each code has a name of its own: a recording of the run shows names only, and two installations must not look like one. */
function nameOfCode({ resources }: Context, code: string): string {
  const codes = codesOf.get(resources) ?? [];
  codesOf.set(resources, codes);
  if (!codes.includes(code)) codes.push(code);
  const at = codes.indexOf(code);
  return at === 0 ? 'AUTH_CODE_OF_INSTALLATION' : `AUTH_CODE_OF_INSTALLATION_${at + 1}`;
}

/** Whether an installation is one of those that the profile names. */
export function isInProfile({ profile }: Context, { authCode }: Apps): boolean {
  const { authCode: own, otherAuthCode } = profile.apps ?? {};
  return [own, otherAuthCode].some((known) => known?.reveal() === authCode.reveal());
}

/** An app of mode blank has shown its page; here it finishes behind it, while the service is asked what it thinks. */
async function finishAfterwards(context: Context, walk: Walk, earlier: Apps | undefined): Promise<void> {
  if (walk.apps === undefined) return;
  walk.isKnown ||= earlier !== undefined && isSameCode(earlier, walk.apps);
  // What an app reads before it has finished does not finish it. A service may refuse that.
  for (const call of [walk.apps.getUser(), walk.apps.getData()]) await context.send(call, 'early read');
  walk.stateBefore = await stateOf(context, walk);
  let response: ServiceResponse | undefined;
  if (earlier !== undefined && !isSameCode(earlier, walk.apps) && walk.stateBefore?.installed === false) {
    response = await context.send(earlier.finishInstallation(), 'installed');
    const isFinished = (await stateOf(context, walk))?.installed === true;
    walk.finishedByOther = isFinished && (await areApart(context, earlier, walk.apps));
    if (!isFinished || walk.finishedByOther) response = undefined;
  }
  const own = await context.send(walk.apps.finishInstallation(), 'installed');
  // Two codes of one installation: it was finished by the first call, and a second one may be refused.
  walk.installed = response !== undefined && isServed(response) && !isServed(own) ? response : own;
  walk.stateAfter = await stateOf(context, walk, true);
}

/** Installing again may open the installation that there is, with its code. */
const isSameCode = (one: Apps, two: Apps): boolean => one.authCode.reveal() === two.authCode.reveal();

/** Whether two codes are known to belong to two installations: one does not read what the other sets. */
async function areApart({ resources, send }: Context, one: Apps, two: Apps): Promise<boolean> {
  if (isSameCode(one, two)) return false;
  const mark = resources.newMark();
  if (!isServed(await send(one.setData(mark), 'probe'))) return false;
  const [own, other] = [await send(one.getData(), 'probe'), await send(two.getData(), 'probe')];
  return isServed(own) && own.text.includes(mark) && isServed(other) && !other.text.includes(mark);
}

/** What the driver says about the installation; undefined when the driver does not know. */
export async function stateOf(
  context: Context,
  walk: Walk,
  wanted?: InstallState['installed'],
): Promise<InstallState | undefined> {
  if (context.resources.driver.installState === undefined || walk.apps === undefined) return undefined;
  const code = walk.apps.authCode.reveal();
  try {
    let state = await context.driver.installState(walk.userTab, code);
    for (const pause of wanted === undefined ? [] : PAUSES_MS) {
      if (state.installed === wanted) break;
      await setTimeout(pause);
      state = await context.driver.installState(walk.userTab, code);
    }
    return state;
  } catch (error) {
    walk.stateProblem = error as Error;
    return undefined;
  }
}

/** Where the return redirect of an app of mode self has led the user. */
async function followReturn(
  walk: Walk,
  tabs: TabWatch,
  installs: () => readonly Received[],
  timeoutMs: number,
): Promise<void> {
  const callback = walk.second === undefined ? undefined : callbackOf(walk.second);
  if (callback === undefined) return;
  const begins = withoutFragment(new URL(callback).href);
  // Two sequences may share one callback address: the return redirect after the first load is not this one.
  const after = tabs.loads.findIndex(({ url }) => url.startsWith(begins)) + 1;
  const isSame = walk.first !== undefined && callbackOf(walk.first) === callback;
  const returned = await tabs.waitFor(({ url }) => url.startsWith(begins), isSame ? after : 0, timeoutMs);
  if (returned === undefined) return;
  const { status, url } = await tabs.endOf(returned, timeoutMs);
  walk.end = { status, url, loadedAppAgain: installs().length > 2 };
}

/** Presses Settings for the installation of a walk, where the driver can. */
export async function pressSettings(context: Context, walk: Walk): Promise<void> {
  const { app, apps, userTab } = walk;
  if (apps === undefined || context.resources.driver.pressSettings === undefined) return;
  const listener = await context.listener();
  const before = listener.received(app.listensAs).length;
  const tabs = watchTabs(userTab.context());
  const opened = userTab.context().pages();
  try {
    await context.driver.pressSettings(userTab, apps.authCode.reveal());
    walk.settingsPressed = true;
    const received = await loadAt(listener, app, SETTINGS_PATH, before, context.profile.limits.timeoutMs);
    if (received !== undefined) walk.settings = loadFrom(context, received, listener, tabs);
    await tabsKnown(context, listener, tabs, walk.settings);
  } catch (error) {
    walk.settingsProblem = error as Error;
  } finally {
    tabs.stop();
    await closeNewTabs(userTab, opened);
  }
}

/** Waits until the tabs of these loads are known, while they are still open. */
async function tabsKnown(
  { profile }: Context,
  { base }: Listener,
  tabs: TabWatch,
  ...loads: readonly (Load | undefined)[]
): Promise<void> {
  for (const load of loads)
    if (load !== undefined) await tabs.tabKnown(base + load.received.target.slice(1), profile.limits.timeoutMs);
}

function loadFrom(context: Context, received: Received, { base }: Listener, tabs: TabWatch): Load {
  if (received.exchange !== undefined && !context.exchanges.includes(received.exchange))
    context.exchanges.push(received.exchange);
  return {
    received,
    pairs: pairsOf(received.query),
    get tab() {
      return tabs.tabOf(base + received.target.slice(1));
    },
  };
}
