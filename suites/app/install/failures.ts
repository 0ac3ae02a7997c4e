/** Answers of the service that fail, are not understood, or do not come: what the app makes of them. */
import type { Page } from '@playwright/test';
import type { Received } from '../../../harness/integrator/counterpart.ts';
import {
  describePage,
  inspectPage,
  showsCommonContent,
} from '../../../harness/integrator/page/inspection/page-inspection.ts';
import { open, waitUntilSettled } from '../../../harness/integrator/page/visit.ts';
import { pause, until, within } from '../../../harness/process/until.ts';
import { type AppCheck, type AppContext, appCheck } from '../session.ts';
import { authCodeOf, callbacksOf, callsFor, isInstalledCall, mark } from '../steps/effects.ts';
import { givenInstalled, pace } from '../steps/given.ts';
import { afterInstall, givenNotLimited, type Outcome, secondLoads, UNALTERED } from '../steps/loads/index.ts';
import { journeyOf } from '../steps/user-flow/index.ts';
import { withoutFacts } from '../steps/user-flow/website-facts.ts';

/** So long the service keeps an app waiting that it does not answer. */
const SILENCE_MS = 3_000;
/** How long an app is watched for further attempts, after its page and the last response came. */
const WATCHED_MS = 1_200;
/** For a look at a page that is there. */
const SHOWN_MS = 1_500;
/** A call that comes so long after its page, or longer, is one of a queue. */
const QUEUE_LAG_MS = 800;
/** The same where the page is known to come before the call, as with a queue: a browser of a busy machine may need it to show the page. */
const SHOWN_BEFORE_CALL_MS = 6_000;
const POLL_MS = 200;
/** A queue of the app's may take longer than before. */
const QUEUE_FACTOR = 1.25;
/** An app may try again some times; this often within seconds it tries without end. */
const MAX_ATTEMPTS = 12;

const envelope = (status: number, message: string): Response =>
  Response.json({ error: true, error_code: status, error_message: message }, { status });

/** Ways to fail, each with what is asked of the app. A garbled success is still of status 200: it may be taken for one. */
const FAILURES = {
  fails: { response: async () => envelope(500, 'The service failed.'), mayClaim: false },
  'is refused': { response: async () => envelope(401, 'Unauthorized'), mayClaim: false },
  'is not understood': {
    response: async () => new Response('{"error": fal', { headers: { 'content-type': 'application/json' } }),
    mayClaim: true,
  },
  'times out': {
    response: async () => {
      await pause(SILENCE_MS);
      return envelope(504, 'The service took too long.');
    },
    mayClaim: true,
  },
} as const;
type Failure = keyof typeof FAILURES;

/** What a user sees at a time. */
type State = Pick<Outcome, 'snapshot' | 'callback'>;

interface Reaction {
  readonly way: Failure;
  readonly outcome: Outcome;
  readonly attempts: number;
  readonly claims: boolean;
  /** What the user saw after loading the address again, where the app then claimed success without another call. */
  readonly claimedLater: State | undefined;
}

/** After this way to fail the user loads the address again, and the service works by then. */
const LOADED_AGAIN: Failure = 'fails';

export const checks: readonly AppCheck[] = [
  appCheck(
    'app.install.failure-shown',
    'SHOULD NOT claim success or retry endlessly when the installed call fails',
    {
      clauses: ['app.install.failure-shown'],
      observations: ['app.install.on-service-failure'],
      needs: ['browser', 'app'],
    },
    async (context) => {
      const installed = await givenInstalled(context);
      const success = withoutFacts(context.session, installed.snapshot, installed.authCode);
      const reactions = await Promise.all(
        (Object.keys(FAILURES) as Failure[]).map(async (way): Promise<Reaction> => {
          // Each installation is in a website of its own, whose name a page may show.
          const isSuccessFor =
            (authCode: string) =>
            ({ callback, snapshot }: State): boolean =>
              callback !== undefined ||
              showsCommonContent(withoutFacts(context.session, snapshot, authCode), [success, success]);
          const { outcome, attempts, before, later } = await withFailure(context, way, isSuccessFor);
          const isSuccess = isSuccessFor(outcome.authCode);
          // What the user saw before the service had responded, as with a queue, says nothing about the response. A queue that does
          // one thing after another may not have called at all.
          const isAfterCall = attempts > 0 && !(before !== undefined && isSuccess(before));
          const claims = isAfterCall && isSuccess(outcome);
          // Where the first load showed the failure, another one without a call has nothing to report but that.
          const isShown = isAfterCall && !claims;
          const claimedLater = isShown && later !== undefined && isSuccess(later) ? later : undefined;
          return { way, outcome, attempts, claims, claimedLater };
        }),
      );
      for (const { outcome, attempts } of reactions) if (attempts === 0) givenNotLimited(outcome);
      context.given.granted(
        reactions.some(({ attempts }) => attempts > 0),
        'app.installations.separate',
        'the app did not call installed for any of four further installations',
      );
      context.restOn(reactions.flatMap(({ outcome }) => outcome.calls.slice(0, 3).map(({ exchange }) => exchange)));
      context.observe(
        'app.install.on-service-failure',
        Object.fromEntries(
          reactions.map(({ way, outcome, attempts, claims }) => [
            `installed ${way}`,
            {
              attempts,
              userSees: outcome.callback ? 'the service again' : describePage(outcome.snapshot),
              asOnSuccess: claims,
            },
          ]),
        ),
      );
      const endless = reactions.find(({ attempts }) => attempts > MAX_ATTEMPTS);
      context.expect.that(
        endless === undefined,
        `the app retries endlessly when installed ${endless?.way}: this puts load on the service and keeps the user waiting`,
        { expected: `no more than ${MAX_ATTEMPTS} attempts`, actual: endless?.attempts },
      );
      const claims = reactions.find((reaction) => reaction.claims && !FAILURES[reaction.way].mayClaim);
      context.expect.that(
        claims === undefined,
        `the app claims success when installed ${claims?.way}: the user believes that the app is installed`,
        claims === undefined
          ? {}
          : { actual: describePage(claims.outcome.snapshot), exchange: claims.outcome.calls[0]?.exchange },
      );
      const later = reactions.find(({ claimedLater }) => claimedLater !== undefined);
      context.expect.that(
        later === undefined,
        'the app claims success when its user loads it again after installed failed, without another call of installed: the installation is never finished',
        later?.claimedLater === undefined
          ? {}
          : {
              expected: 'another call of installed, or no success',
              actual: later.claimedLater.callback ? 'the service again' : describePage(later.claimedLater.snapshot),
              exchange: later.outcome.calls[0]?.exchange,
            },
      );
    },
  ),
];

/** What is shown as soon as it is what a success shows, or after a while. */
async function shownSoon(
  now: () => Promise<State>,
  isSuccess: (state: State) => boolean,
  maxMs: number,
): Promise<State | undefined> {
  const end = performance.now() + maxMs;
  for (;;) {
    const state = await within<State, undefined>(now(), end - performance.now(), () => undefined);
    if (state === undefined || isSuccess(state) || performance.now() + POLL_MS > end) return state;
    await pause(POLL_MS);
  }
}

/** An installation whose call of installed is answered in a way of its own. */
async function withFailure(
  context: AppContext,
  way: Failure,
  isSuccessFor: (authCode: string) => (state: State) => boolean,
): Promise<{ outcome: Outcome; attempts: number; before: State | undefined; later: State | undefined }> {
  const { counterpart } = context.session;
  const { second: usualMs } = await pace(context);
  const lagMs = (await journeyOf(context)).second?.lagMs ?? 0;
  // A queue of the app's begins with the call when it began with the first one.
  const waitMs = Math.max(usualMs, lagMs * QUEUE_FACTOR);
  let code: string | undefined;
  let attempts = 0;
  let responses = 0;
  let respondedAt = Number.POSITIVE_INFINITY;
  let now: (() => Promise<State>) | undefined;
  let before: State | undefined;
  let later: State | undefined;
  let works = false;
  const stop = counterpart.interfere((request: Received) => {
    const isMeant = code !== undefined && isInstalledCall(request) && authCodeOf(request) === code;
    if (works || !isMeant) return undefined;
    attempts += 1;
    const isFirst = attempts === 1;
    return (async () => {
      // A page whose document waits for this response may not answer before it: then nothing was shown yet.
      if (isFirst && now !== undefined && code !== undefined)
        before = await shownSoon(now, isSuccessFor(code), lagMs > QUEUE_LAG_MS ? SHOWN_BEFORE_CALL_MS : SHOWN_MS);
      const response = await FAILURES[way].response();
      responses += 1;
      respondedAt = performance.now();
      return response;
    })();
  });
  try {
    const [outcome] = await secondLoads(context, [UNALTERED], {
      // A script that calls for the app has its page before the response.
      waitMs: Math.max(waitMs, WATCHED_MS) + SHOWN_BEFORE_CALL_MS + SILENCE_MS,
      read: (page) => waitUntilSettled(page, { status: 200 }),
      coded: (authCode, state) => {
        code = authCode;
        now = state;
      },
      // A user who returned before the call, as with a queue, says nothing about what the app does after the response.
      until: ({ callback }) => {
        if (callback !== undefined && responses > 0 && before?.callback === undefined) return true;
        const isQuiet = responses === attempts && performance.now() - respondedAt >= WATCHED_MS;
        return isQuiet || attempts > MAX_ATTEMPTS;
      },
      afterwards: async (page, made) => {
        if (way !== LOADED_AGAIN || attempts === 0) return;
        works = true;
        later = await loadedAgain(context, page, made, Math.max(waitMs, WATCHED_MS));
      },
    });
    return { outcome: outcome!, attempts, before, later };
  } finally {
    stop();
  }
}

/** What the user sees after loading the address of an installation again; undefined where the app calls installed by then. */
async function loadedAgain(
  { session }: AppContext,
  page: Page,
  { address, authCode, token }: Outcome,
  waitMs: number,
): Promise<State | undefined> {
  const from = mark(session);
  const earlier = callbacksOf(session, token).length;
  const isCalled = (): true | undefined => callsFor(session, [authCode], from).some(isInstalledCall) || undefined;
  const opened = await open(page, address);
  await afterInstall(session, page);
  if (await until(isCalled, waitMs)) return undefined;
  await waitUntilSettled(page, opened);
  return {
    snapshot: await inspectPage(page, opened.status),
    callback: callbacksOf(session, token)[earlier],
  };
}
