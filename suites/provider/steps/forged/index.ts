/**
 * Forged label requests and what came of them. They are judged by effects: a report of success for a forged request, or the label
 * itself as the response. Each comes from a label request of its own, so that a report can't be mistaken for another's.
 *
 * Most pages can be tested without a browser: a page that answers a plain POST of an authentic request with a report answers a
 * forged one in the same way. Where a form or a script comes between, the plain response still shows whether there is anything
 * to go on with; what could lead on is followed in a browser.
 */
import { GivenFailure, Inconclusive } from '../../../../harness/check/failures.ts';
import type { Received } from '../../../../harness/integrator/counterpart.ts';
import type { Fetched } from '../../../../harness/integrator/fetch/fetcher.ts';
import { whyNotReachable } from '../../../../harness/integrator/fetch/reachable.ts';
import { once } from '../../../../harness/integrator/once.ts';
import { pause, until } from '../../../../harness/process/until.ts';
import type { DeliveryContext, DeliverySession } from '../../session.ts';
import { callbacksOf, successesOf } from '../callbacks.ts';
import { givenSuccess, paceOf, patienceWith, pressOf, printed } from '../user-flow.ts';
import { signedBy } from '../visit/open-form.ts';
import { type Forgery, freshRequest, reportOf } from './forgery.ts';
import { sendPlain } from './plain-request.ts';
import { MAX_IN_BROWSER, type Posted, postAll, type Way } from './post.ts';

/** What shows that a forged request was served: a report of success, or the label itself as the response. */
interface Proof {
  readonly forgery: Forgery;
  readonly actual: unknown;
  readonly exchange: number | undefined;
}

export interface ForgeryTrial {
  readonly served: readonly Proof[];
}

/** After a silent refusal nothing more comes where authentic requests are answered at once. */
const CONTROL_WAIT_MS = 8_000;
/** A page whose program has ended may be started again at once. */
const STILL_THERE_MS = 3_000;
/** What a queue of the page's may take for each forged request, and for all of them. */
const BACKLOG_MS = 100;
const MAX_BACKLOG_MS = 45_000;

/**
 * A report that a script, a timer or a queue sends after a forged request looks like a refusal first. So long it is waited for
 * where nothing was signed at all; the forgeries of a check are judged once more when the next check has tried its own.
 */
const LATE_MS = 3_500;

const trials = new WeakMap<DeliverySession, { readonly from: number; to: number }[]>();
/** Forgeries that were refused, by the clause that forbids to serve them. */
const refusedBefore = new WeakMap<DeliverySession, { readonly clause: string; readonly forgery: Forgery }[]>();

/**
 * Whether a request arrived while forged label requests were under way: what it says may be what they said, an empty
 * order_uuid for example, and is not the integration's own doing. `at` in milliseconds since 1970.
 */
export const isDuringForgeries = (session: DeliverySession, at: number): boolean =>
  (trials.get(session) ?? []).some(({ from, to }) => at >= from && at <= to);

export interface TrialOptions {
  /** The clause that forbids to print a label for them. */
  readonly clause: string;
  /** How many of them, from the first, have to be tried; all when left out. */
  readonly least?: ((forgeries: readonly Forgery[]) => number) | undefined;
  /** A report is waited for as long as one that comes late may take. */
  readonly waitsLonger?: boolean;
}

/**
 * Posts the forged requests that `forge` makes, and then an authentic control. Where none was served, throws `GivenFailure` when the
 * control is not reported as printed, or a forgery of an earlier trial was printed meanwhile, and `Inconclusive` when the page is so
 * slow that fewer than `least` were tried.
 */
export async function tryForged(
  context: DeliveryContext,
  forge: () => Promise<readonly Forgery[]>,
  { clause, least, waitsLonger = false }: TrialOptions,
): Promise<ForgeryTrial> {
  const { session } = context;
  await givenSuccess(context);
  const forgeries = await forge();
  const way = await wayOf(context);
  const usual = await paceOf(context);
  const pace = waitsLonger ? { ...usual, callbackMs: Math.max(usual.callbackMs, LATE_MS) } : usual;
  const wanted = Math.min(least?.(forgeries) ?? forgeries.length, MAX_IN_BROWSER);
  const trial = { from: Date.now(), to: Number.POSITIVE_INFINITY };
  trials.set(session, [...(trials.get(session) ?? []), trial]);
  const endForgeries = session.counterpart.beginForgeries();
  let posted: Posted;
  let uncontrolled: unknown;
  try {
    posted = await postAll(context, forgeries, { way, pace, wanted, forge });
    const postedMs = performance.now();
    await control(context, way, posted.tried).catch((error: unknown) => {
      uncontrolled = error;
    });
    const restMs = Math.min(usual.callbackMs, LATE_MS);
    await pause(Math.max(restMs, pace.callbackMs - (performance.now() - postedMs)));
  } finally {
    // However it ends: what is called after it is the integration's own doing.
    trial.to = Date.now();
    endForgeries();
  }
  const { tried, shown } = posted;
  const all = [...forgeries, ...posted.replacements];
  const served = all.flatMap((forgery) => proofOf(session, forgery, shown.get(forgery)) ?? []);
  context.restOn(served.slice(0, 5).map(({ exchange }) => exchange));
  // What was served proves itself, also where the page answers nothing any more.
  if (served.length === 0 && uncontrolled !== undefined) throw uncontrolled;
  if (served.length === 0 && tried < wanted)
    throw new Inconclusive(
      `the label page is too slow for the forged requests: ${tried} of ${wanted} were tried, and none was printed`,
      'target',
    );
  if (served.length === 0) givenNoneLate(context);
  const refused = all.filter((forgery) => !served.some((one) => one.forgery === forgery));
  refusedBefore.set(session, [
    ...(refusedBefore.get(session) ?? []),
    ...refused.map((forgery) => ({ clause, forgery })),
  ]);
  return { served };
}

function proofOf(session: DeliverySession, forgery: Forgery, label: Fetched | undefined): Proof | undefined {
  const callback = reportOf(session, forgery);
  if (callback !== undefined)
    return { forgery, actual: Object.fromEntries(callback.pairs), exchange: callback.received.exchange };
  if (label === undefined || forgery.isMixed) return undefined;
  const actual = `a PDF of ${label.bytes.length} bytes as the response, without a report`;
  return { forgery, actual, exchange: label.exchange };
}

/** The forged requests of the precheck that were refused. */
export const refusedForgeries = (session: DeliverySession): readonly Forgery[] =>
  (refusedBefore.get(session) ?? []).map(({ forgery }) => forgery);

/** What we and browsers say of themselves. */
const NOT_A_SERVER = /^(?:Proofmark|Mozilla)\//;

/**
 * Reports of failure for a forged request that no browser has brought. Of a mixed one they may be for what is authentic in it.
 * A report of success is not one of a refusal: a forgery with the signature of a printed request has its address too, and a
 * failure may have been reported for that request.
 */
export const reportedByServer = (
  session: DeliverySession,
  { request, isMixed, isServedBy = () => true }: Forgery,
): Received[] =>
  isMixed
    ? []
    : callbacksOf(session, request)
        .filter((callback) => callback.isError && isServedBy(callback))
        .map(({ received }) => received)
        .filter(({ headers }) => !NOT_A_SERVER.test(headers['user-agent'] ?? ''));

/** Throws where a forged request of an earlier trial, which was taken for refused, has been printed since. */
function givenNoneLate({ session, given }: DeliveryContext): void {
  for (const { clause, forgery } of refusedBefore.get(session) ?? []) {
    const report = reportOf(session, forgery);
    given.holds(
      report === undefined,
      clause,
      `the label page seemed to refuse a request with ${forgery.change}, but reported it as printed some seconds later`,
      { expected: 'no report of success', exchange: report?.received.exchange },
    );
  }
}

/** Asserts that none of the forged requests was reported as printed. */
export function expectRefused(context: DeliveryContext, { served }: ForgeryTrial): void {
  const [first] = served;
  const changes = [...new Set(served.map(({ forgery }) => forgery.change))];
  const more = changes.length > 5 ? `; and ${changes.length - 5} more` : '';
  context.expect.that(
    first === undefined,
    `the label page must refuse a request with ${changes.slice(0, 5).join('; ')}${more}`,
    {
      expected: 'no report of success, and no label',
      ...(first === undefined ? {} : { actual: first.actual, exchange: first.exchange }),
    },
  );
}

/**
 * A busy machine may be too slow for one of them: an authentic request is tried twice. A queue that verifies has all forged requests before
 * it: the second one is given time for them.
 */
async function control(context: DeliveryContext, way: Way, tried: number): Promise<void> {
  const backlogMs = Math.min(MAX_BACKLOG_MS, tried * BACKLOG_MS);
  if ((await isPrinted(context, way)) || (await isPrinted(context, way, backlogMs))) return;
  const { session } = context;
  const silence = await whyNotReachable(session.fetcher, session.provider.labelUrl, STILL_THERE_MS);
  throw new GivenFailure(
    silence === undefined
      ? 'a fresh authentic request was not reported as printed either, so the refusals prove nothing'
      : `after the forged requests the label page does not answer any more (${silence}): its program may have ended on one of them, which anyone can send`,
    'provider.label.sends-callback',
    {},
    // Some lock out a client that sends many forged requests.
    'refusal',
  );
}

async function isPrinted(context: DeliveryContext, way: Way, minWaitMs = 0): Promise<boolean> {
  const { session } = context;
  const request = await freshRequest(context);
  const isBack = (): true | undefined => (callbacksOf(session, request).length > 0 ? true : undefined);
  const { printed: first } = await pressOf(context);
  const longMs = Math.max(CONTROL_WAIT_MS, minWaitMs, (first?.visit.tookMs ?? 0) * 2);
  const waitMs = patienceWith(session, longMs);
  if (way === 'plain') {
    await sendPlain(session, { fields: signedBy(session, request.fields) }, { timeoutMs: waitMs });
    await until(isBack, waitMs);
  } else await printed(session, request, { documentMs: waitMs, callbackMs: waitMs });
  const [success] = successesOf(session, request);
  context.restOn([success?.received.exchange]);
  return success !== undefined;
}

/** Found out once, by an authentic request that is posted without a browser. */
export const wayOf = once(async (context: DeliveryContext): Promise<Way> => {
  const { session } = context;
  // What a driver does in a browser, no plain request can do.
  if (session.driver.signIn !== undefined) return 'browser';
  const request = await freshRequest(context);
  const pace = await paceOf(context);
  const { leadsOn } = await sendPlain(
    session,
    { fields: signedBy(session, request.fields) },
    { timeoutMs: pace.documentMs },
  );
  await until(() => (successesOf(session, request).length > 0 ? true : undefined), pace.callbackMs);
  if (successesOf(session, request).length > 0) return 'plain';
  return leadsOn ? 'looked' : 'browser';
});
