/**
 * Refusals, judged by what the app does next: whether it sends the user on, calls the service for the installation, or, for
 * addresses that show a page, shows what it shows to an authentic request. A refusal counts only beside its control: a fresh
 * authentic request of the same kind that was served in the same check.
 */

import { GivenFailure, Inconclusive } from '../../../harness/check/failures.ts';
import { curlOf } from '../../../harness/evidence/curl.ts';
import { once } from '../../../harness/integrator/once.ts';
import {
  describePage,
  isShown,
  type PageSnapshot,
  showsCommonContent,
} from '../../../harness/integrator/page/inspection/page-inspection.ts';
import type { AppContext } from '../session.ts';
import { callsFor, comesAnyway, exchangesOf } from './effects.ts';
import { givenFirst, givenNoSignIn, givenSecond, givenSettings, pace, settingsPace } from './given.ts';
import {
  type Alteration,
  AT_A_TIME_WATCHED,
  firstLoads,
  givenNotLimited,
  hasEffects,
  hasLateEffects,
  lateEffects,
  type Outcome,
  secondLoads,
  settingsLoads,
  UNALTERED,
} from './loads/index.ts';
import { refusedPlainly } from './loads/plain-loads.ts';
import { withoutSession } from './sessions/without-session.ts';

export type LoadKind = 'first' | 'second' | 'settings';

/** What became of altered requests, each with whether it was served. */
export interface TrialResult {
  readonly served: readonly Outcome[];
  readonly refused: readonly Outcome[];
}

/** An authentic request after the altered ones may meet a busier app: it is waited for longer than they are. */
const CONTROL_WAIT_FACTOR = 4;
const CONTROL_WAIT_MS = 4_000;

const controlWaitMs = (waitMs: number): number => Math.max(CONTROL_WAIT_MS, waitMs * CONTROL_WAIT_FACTOR);

/** Which clause an authentic request of a kind rests on. */
const SERVED_BY: Readonly<Record<LoadKind, string>> = {
  first: 'app.install.first-load-redirects',
  second: 'app.install.calls-installed',
  settings: 'app.settings.shows-page',
};

export const FORGED_REFUSED: Readonly<Record<LoadKind, string>> = {
  first: 'app.hash.forged-refused-first',
  second: 'app.hash.forged-refused-second',
  settings: 'app.hash.forged-refused-settings',
};

/**
 * What a script, a timer or a queue of the app does after a forged request looks like a refusal first. Where it is watched for,
 * a document that may still lead on is given so long, and the settings, whose calls can't be distinguished later, a part of it
 * whatever the document is.
 */
const LATE_MS = 4_500;
const LATE_CALL_MS = 3_000;

/** How long effects are waited for: by the pace of the app, and for late ones where that is longer. */
interface Waiting {
  readonly lateMs: number;
  readonly lateCallMs: number;
}
const BY_PACE: Waiting = { lateMs: 0, lateCallMs: 0 };
const FOR_LATE: Waiting = { lateMs: LATE_MS, lateCallMs: LATE_CALL_MS };

/** Shows the app altered requests of a kind, and then the authentic control. Throws `GivenFailure` when that is not served. */
export async function tryAlterations(
  context: AppContext,
  kind: LoadKind,
  alterations: readonly Alteration[],
  waiting = BY_PACE,
): Promise<TrialResult> {
  const trial = await TRIALS[kind](context, alterations, waiting);
  context.restOn(exchangesOf(trial.served.flatMap(({ callback, calls }) => [callback, ...calls.slice(0, 1)])));
  return trial;
}

/** So many that were served are enough; one would do for the verdict, more show its extent. */
const MAX_CONFIRMED = 4;
/** Further ones are tried within this time. */
const CONFIRM_MS = 20_000;

/**
 * What seems to have been served is tried once more, alone and in a browser of its own: calls of pages beside each other can't
 * be distinguished, and nothing that an earlier visit has left behind may decide. Beside one that was served each seems served,
 * so that the first ones alone would prove nothing: those come first whose own page or redirect shows it.
 */
async function confirmed(
  outcomes: readonly Outcome[],
  alterations: readonly Alteration[],
  isServed: (outcome: Outcome) => boolean,
  again: (alterations: readonly Alteration[]) => Promise<Outcome[]>,
): Promise<TrialResult> {
  const seeming = new Set(outcomes.filter(isServed).map(({ change }) => change));
  const refused = outcomes.filter((outcome) => !isServed(outcome));
  const own = new Set(outcomes.filter((outcome) => isServed({ ...outcome, calls: [] })).map(({ change }) => change));
  const ordered = alterations
    .filter(({ change }) => seeming.has(change))
    .sort((a, b) => Number(own.has(b.change)) - Number(own.has(a.change)));
  const served: Outcome[] = [];
  const began = performance.now();
  for (const [at, alteration] of ordered.entries()) {
    if (served.length === MAX_CONFIRMED) break;
    if (at >= MAX_CONFIRMED && performance.now() - began > CONFIRM_MS) break;
    for (const outcome of await again([alteration])) (isServed(outcome) ? served : refused).push(outcome);
  }
  // A user who is asked to sign in was not served yet, whatever the request was.
  if (!served.some(hasEffects)) givenNoSignIn(served[0]?.snapshot);
  return { served, refused };
}

type TrialOf = (context: AppContext, alterations: readonly Alteration[], waiting: Waiting) => Promise<TrialResult>;

const TRIALS: Readonly<Record<LoadKind, TrialOf>> = {
  first: async (context, alterations, { lateMs }) => {
    await givenFirst(context);
    const { first: firstLoadMs } = await pace(context);
    const waitMs = Math.max(firstLoadMs, lateMs);
    // What comes late is watched for in a browser.
    const refused = lateMs > 0 ? [] : await refusedPlainly(context, alterations);
    const changes = new Set(refused.map(({ change }) => change));
    const open = alterations.filter(({ change }) => !changes.has(change));
    const outcomes = [...refused, ...(await firstLoads(context, open, waitMs))];
    const [control] = await firstLoads(context, [UNALTERED], controlWaitMs(firstLoadMs), 'alone');
    const isServed = ({ callback }: Outcome): boolean => callback !== undefined;
    givenServed(context, 'first', control, control !== undefined && isServed(control));
    return confirmed(outcomes, alterations, isServed, (some) => firstLoads(context, some, waitMs, 'alone'));
  },
  second: async (context, alterations, { lateMs }) => {
    const way = await givenSecond(context);
    const { second: waitMs } = await pace(context);
    const outcomes = await secondLoads(context, alterations, { waitMs, lateMs });
    const longWait = { waitMs: controlWaitMs(waitMs) };
    const [control] = await secondLoads(context, [UNALTERED], longWait, 'alone');
    // An app that calls nothing shows by its page alone what it took for authentic.
    const isByEffects = control !== undefined && hasEffects(control);
    givenServed(context, 'second', control, control !== undefined && (isByEffects || isShown(control.snapshot)));
    const pages = [way.snapshot, control?.snapshot ?? way.snapshot] as const;
    const isServed = (outcome: Outcome): boolean =>
      hasEffects(outcome) || (!isByEffects && showsCommonContent(outcome.snapshot, pages));
    const again = (some: readonly Alteration[]) => secondLoads(context, some, { waitMs, lateMs }, 'alone');
    return confirmed(outcomes, alterations, isServed, again);
  },
  settings: async (context, alterations, { lateMs, lateCallMs }) => {
    const { snapshot, authCode } = await givenSettings(context);
    const waitMs = await settingsPace(context);
    const isWatched = lateCallMs > waitMs;
    const longWait = {
      waitMs: Math.max(waitMs, lateCallMs),
      lateMs,
      ...(isWatched ? { atATime: AT_A_TIME_WATCHED } : {}),
    };
    // The calls that an authentic request leads to would count for all that are watched beside it.
    const isBeside = ({ isServedBefore }: Alteration): boolean => isServedBefore !== true;
    const outcomes = [
      ...(await settingsLoads(context, authCode, alterations.filter(isBeside), longWait)),
      ...(await settingsLoads(
        context,
        authCode,
        alterations.filter((one) => !isBeside(one)),
        longWait,
        'alone',
      )),
    ];
    const [control] = await settingsLoads(context, authCode, [UNALTERED], waitMs, 'alone');
    givenServed(context, 'settings', control, control !== undefined && isShown(control.snapshot));
    const shown = control?.snapshot ?? snapshot;
    // A new browser may be asked to sign in, where that of the installation has a session: then that page shows what is served.
    const isAskedFirst = shown.asksToSignIn === true && snapshot.asksToSignIn !== true;
    const pages = [isAskedFirst ? shown : snapshot, shown] as const;
    const isByPage = !(await showsAnyway(context, authCode, pages, waitMs));
    if (!isByPage && control !== undefined && !hasEffects(control)) throw new Inconclusive(ANYWAY, 'configuration');
    const isShownOrSentBack = ({ callback, snapshot: seen }: Outcome): boolean =>
      callback !== undefined || (isByPage && showsCommonContent(seen, pages));
    const isByCallsAlone = (outcome: Outcome): boolean => hasEffects(outcome) && !isShownOrSentBack(outcome);
    const own = (since: number) => callsFor(context.session, [authCode], since);
    const watchMs = longWait.waitMs * WATCH_FACTOR;
    if (outcomes.some(isByCallsAlone) && (await comesAnyway(context.session, own, watchMs))) {
      if (!isByPage) throw new Inconclusive(BUSY, 'target');
      return withoutPublicPages(
        context,
        await confirmed(outcomes, alterations, isShownOrSentBack, (some) =>
          settingsLoads(context, authCode, some, longWait, 'alone'),
        ),
        (some) => settingsLoads(context, authCode, some, waitMs, 'alone'),
        pages,
      );
    }
    const isServed = (outcome: Outcome): boolean => hasEffects(outcome) || isShownOrSentBack(outcome);
    const again = async (some: readonly Alteration[]): Promise<Outcome[]> => {
      const found = await settingsLoads(context, authCode, some, { ...longWait, quietMs: watchMs }, 'alone');
      // Work that the app does for itself may meet a load by chance, and hardly twice more.
      return found.some(isByCallsAlone)
        ? settingsLoads(context, authCode, some, { ...longWait, quietMs: watchMs }, 'alone')
        : found;
    };
    return withoutPublicPages(
      context,
      await confirmed(outcomes, alterations, isServed, again),
      (some) => settingsLoads(context, authCode, some, waitMs, 'alone'),
      pages,
    );
  },
};

/**
 * An app may show one page at every path that it does not know, as the frame of its scripts: where that is all that its settings show,
 * another spelling of their path shows it to anyone, whatever the request contains.
 */
async function withoutPublicPages(
  { session: { app } }: AppContext,
  { served, refused }: TrialResult,
  load: (alterations: readonly Alteration[]) => Promise<Outcome[]>,
  pages: readonly [PageSnapshot, PageSnapshot],
): Promise<TrialResult> {
  const pathOf = (url = ''): string | undefined => URL.parse(url)?.pathname;
  const found: Outcome[] = [];
  for (const outcome of served) {
    const isElsewhere = pathOf(outcome.address) !== pathOf(app.settingsUrl) && !hasEffects(outcome);
    const [address = ''] = outcome.address.split('?');
    const [seen] = isElsewhere ? await load([{ change: 'that path without parameters', alter: () => address }]) : [];
    if (seen === undefined || !showsCommonContent(seen.snapshot, pages)) found.push(outcome);
  }
  return { served: found, refused: [...refused, ...served.filter((outcome) => !found.includes(outcome))] };
}

/** For calls that come without a load an app is watched so many times as long as a load is waited for. */
const WATCH_FACTOR = 3;

const BUSY =
  'the app calls the service all the time, and its page does not show what it refuses either: stop its background jobs for the precheck';

const ANYWAY =
  'a user who is signed in sees the same page without any parameters, so nothing shows what the app refuses: try without signIn()';

/** Whether a user whom the driver has signed in sees the page without any request of the service: their own session opens it. */
async function showsAnyway(
  context: AppContext,
  authCode: string,
  pages: readonly [PageSnapshot, PageSnapshot],
  waitMs: number,
): Promise<boolean> {
  const { app, driver } = context.session;
  if (driver.signIn === undefined) return false;
  const alone: Alteration = { change: 'the settings address without parameters', alter: () => app.settingsUrl ?? '' };
  const [seen] = await withoutSession(context.session, () =>
    settingsLoads(context, authCode, [alone], waitMs, 'alone'),
  );
  return seen !== undefined && showsCommonContent(seen.snapshot, pages);
}

function givenServed(context: AppContext, kind: LoadKind, control: Outcome | undefined, isServed: boolean): void {
  context.restOn(exchangesOf([control?.callback, ...(control?.calls ?? [])]));
  if (isServed) return;
  if (control !== undefined) givenNotLimited(control);
  throw new GivenFailure(
    `a fresh authentic request was not served either (${describePage(control?.snapshot)}), so the refusals prove nothing`,
    SERVED_BY[kind],
    {},
    // Some lock out a client that sends many forged requests.
    'refusal',
  );
}

/** Asserts that none of the altered requests was served. */
export function expectRefused(context: AppContext, { served, refused }: TrialResult, what: string): void {
  const [first] = served;
  context.expect.that(first === undefined, `the app must refuse ${served.map(({ change }) => change).join('; ')}`, {
    expected: what,
    ...(first === undefined
      ? {}
      : {
          actual: didInstead(first),
          exchange: (first.callback ?? first.calls[0])?.exchange,
          curl: curlOf(requestOf(first), context.session.redaction),
        }),
  });
  if (refused.length === 0) throw new Error('A trial without a request proves nothing.');
}

const requestOf = ({ address, body }: Outcome) =>
  body === undefined ? { method: 'GET' as const, url: address } : { method: 'POST' as const, url: address, body };

function didInstead({ callback, calls, snapshot }: Outcome): string {
  if (callback !== undefined) return 'it redirected the user to the service';
  const [call] = calls;
  if (call !== undefined) return `it called ${call.method} ${call.path} for the installation`;
  return `it showed the same page as for an authentic request (${describePage(snapshot)})`;
}

/** Requests whose hash is not there, or has nothing to do with them: a trial of a kind, made once. */
export const forgedTrials = (kind: LoadKind, forgeries: readonly Alteration[]) =>
  once((context: AppContext): Promise<TrialResult> => tryAlterations(context, kind, forgeries, FOR_LATE));

/**
 * The first of these that the app took for refused and served since, as a queue does that has other jobs before. The calls of settings
 * can't be distinguished by their load.
 */
const servedLater = (context: AppContext, kind: LoadKind, { refused }: TrialResult): Outcome | undefined =>
  kind === 'settings' ? undefined : refused.find((outcome) => hasLateEffects(context, outcome));

/** Asserts that none of them was served after its response was taken for a refusal. Called after other steps, so that time has passed. */
export function expectNoneServedLater(context: AppContext, kind: LoadKind, trial: TrialResult, what: string): void {
  const late = servedLater(context, kind, trial);
  if (late === undefined) return;
  const served = { ...late, ...lateEffects(context, late), change: `${late.change}, some seconds later as well` };
  expectRefused(context, { served: [served], refused: [] }, what);
}

/** Whether an app of this kind of load looks at the hash at all. */
export async function givenForgedRefused(
  context: AppContext,
  kind: LoadKind,
  trial: (context: AppContext) => Promise<TrialResult>,
): Promise<void> {
  const result = await trial(context);
  const { served } = result;
  context.given.holds(
    served.length === 0,
    FORGED_REFUSED[kind],
    `the app accepts ${served[0]?.change}, so it does not verify at all`,
  );
  const late = servedLater(context, kind, result);
  context.given.holds(
    late === undefined,
    FORGED_REFUSED[kind],
    `the app seemed to refuse ${late?.change}, but served it some seconds later`,
  );
}
