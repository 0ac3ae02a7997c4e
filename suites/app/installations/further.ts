import { GivenFailure } from '../../../harness/check/failures.ts';
import type { Received } from '../../../harness/integrator/counterpart.ts';
import { pause } from '../../../harness/process/until.ts';
import type { AppContext, AppSession, WebsiteChoice } from '../session.ts';
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
import { installWaitMs, pace } from '../steps/given.ts';
import {
  givenNotLimited,
  type LoadMode,
  type Outcome,
  type SecondLoadOptions,
  secondLoads,
  UNALTERED,
} from '../steps/loads/index.ts';
import { givenStillServed } from '../steps/still-served.ts';

/** A further installation, in the second website, with all calls that came during it. */
export interface Installed {
  readonly outcome: Outcome;
  readonly foreign: readonly Received[];
  /** An earlier one in the same website was removed before. */
  readonly isAgain: boolean;
}

/** Codes of what is installed in the second website. */
export const inSecondWebsite = new WeakMap<AppSession, Set<string>>();

/** Codes of what was installed there and removed, by any check: an app may keep the first one of all. */
export const removedBefore = new WeakMap<AppSession, Set<string>>();

export const isInstalled = ({ calls }: Pick<Outcome, 'calls'>): boolean => calls.some(isInstalledCall);

/** Apps calls since then that were made for another installation that there is. */
export function foreignSince(session: AppSession, from: number, own: string): Received[] {
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
export function exceptRounds(session: AppSession, from: number, own: string, calls: readonly Received[]): Received[] {
  const all = arrivedSince(session, from).filter((request) => isAppsCall(request) && authCodeOf(request) !== own);
  return calls.filter(({ method, path }) => {
    const alike = all.filter((request) => request.method === method && request.path === path);
    return method !== 'GET' || new Set(alike.map(authCodeOf)).size < 2;
  });
}

/** Whether a website may have an app twice is open: what an earlier check installed there is removed first. */
export async function install(context: AppContext, mode?: LoadMode): Promise<Installed> {
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

export async function installOnce(
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
export async function provenForeign(
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
export const foreignOfAnother = async (context: AppContext): Promise<readonly Received[]> =>
  (await installOnce(context, 'new')).foreign;

export function expectOwnCode(context: AppContext, foreign: readonly Received[], during: string): void {
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

export async function expectFinished(
  context: AppContext,
  { outcome, foreign }: Installed,
  which: string,
): Promise<void> {
  const byOther = foreign.find(isInstalledCall);
  context.restOn(exchangesOf([...outcome.calls, byOther]));
  if (!isInstalled(outcome) && byOther === undefined) {
    givenNotLimited(outcome);
    await givenStillServed(context);
  }
  context.expect.that(
    isInstalled(outcome),
    byOther === undefined
      ? `the app must finish ${which} with its own authCode; it did not call installed for it`
      : `the app must finish ${which} with its own authCode; it called installed with that of another one`,
    { exchange: byOther?.exchange },
  );
}

export async function givenFinished(context: AppContext, installed: Installed): Promise<void> {
  const { outcome } = installed;
  if (isInstalled(outcome)) return;
  if (!installed.foreign.some(isInstalledCall)) givenNotLimited(outcome);
  if (installed.isAgain) await expectFinished(context, installed, 'an installation after an uninstalled one');
  const message = 'the app does not finish a second installation';
  throw new GivenFailure(message, 'app.installations.separate', {}, 'refusal');
}

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
