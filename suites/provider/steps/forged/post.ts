/** Posts forged label requests: without a browser what can be tested so, and in one what leads on from there. */
import pMap from 'p-map';
import { AMID_FORGERIES } from '../../../../contracts/run/events.ts';
import type { Fetched } from '../../../../harness/integrator/fetch/fetcher.ts';
import type { DeliveryContext } from '../../session.ts';
import { isOneByOne } from '../user-flow.ts';
import { visit } from '../visit/index.ts';
import { signedBy, type WaitLimits } from '../visit/open-form.ts';
import { type Forgery, freshRequest, reportOf } from './forgery.ts';
import { addressOf, asProgramsSend, sendPlain } from './plain-request.ts';

/** `plain`: a POST alone is answered by a report. `looked`: its response shows whether there is a way on. `browser`: it shows nothing. */
export type Way = 'plain' | 'looked' | 'browser';

const PLAIN_AT_A_TIME = 6;
const PAGES_AT_A_TIME = 4;
/** Forgeries are tried in their order until this time is over; the first ones show most. */
const TRIAL_TIME_MS = 40_000;
/** The most telling ones are given more, as far as the time of a check goes. */
const MAX_TRIAL_MS = 100_000;
/** So many are tried in a browser, where each costs as much as a dozen others. */
export const MAX_IN_BROWSER = 40;

export interface PostOptions {
  readonly way: Way;
  readonly pace: WaitLimits;
  /** So many of them, from the first, are worth more time. */
  readonly wanted: number;
  /** Makes the same forgeries of orders of their own. */
  readonly forge: () => Promise<readonly Forgery[]>;
}

export interface Posted {
  readonly tried: number;
  /** Forgeries that were followed in a browser in place of others, which had been sent without one. */
  readonly replacements: readonly Forgery[];
  /** The labels that came as responses. */
  readonly shown: ReadonlyMap<Forgery, Fetched>;
}

interface Trial extends PostOptions {
  readonly context: DeliveryContext;
  readonly concurrency: { readonly plain: number; readonly pages: number };
  readonly isLate: () => boolean;
  tried: number;
}

/** Posts forged requests in their order until the time for them is over. */
export async function postAll(
  context: DeliveryContext,
  forgeries: readonly Forgery[],
  options: PostOptions,
): Promise<Posted> {
  const began = performance.now();
  // A page that does one thing after another would need too long for several.
  const isSlow = await isOneByOne(context);
  const trial: Trial = {
    ...options,
    context,
    tried: 0,
    concurrency: isSlow ? { plain: 1, pages: 1 } : { plain: PLAIN_AT_A_TIME, pages: PAGES_AT_A_TIME },
    isLate: () => performance.now() - began > (trial.tried < options.wanted ? MAX_TRIAL_MS : TRIAL_TIME_MS),
  };
  const isPlain = (forgery: Forgery): boolean => !forgery.inSession && options.way !== 'browser';
  const open = forgeries.filter((forgery) => !isPlain(forgery));
  const { leading, shown } = await postPlain(trial, forgeries.filter(isPlain));
  // A page may take each request once: what has been sent is followed by a request of its own with the same change. To make these
  // prints authentic orders, for which a slow page would need the time of the trial.
  const others = leading.length === 0 || isSlow ? [] : await options.forge();
  const followed = leading.map((forgery) => others.find(({ change }) => change === forgery.change) ?? forgery);
  await postInBrowser(trial, [...open, ...followed].slice(0, MAX_IN_BROWSER));
  return { tried: trial.tried, replacements: followed.filter((forgery) => others.includes(forgery)), shown };
}

interface PostedPlain {
  /** Their responses may lead on to a report. */
  readonly leading: readonly Forgery[];
  readonly shown: ReadonlyMap<Forgery, Fetched>;
}

async function postPlain(trial: Trial, forgeries: readonly Forgery[]): Promise<PostedPlain> {
  const { session } = trial.context;
  const leading: Forgery[] = [];
  const shown = new Map<Forgery, Fetched>();
  await pMap(
    forgeries,
    async (forgery) => {
      if (trial.isLate()) return;
      const timeoutMs = trial.pace.documentMs;
      const { leadsOn, label } = await sendPlain(session, forgery, { timeoutMs, role: AMID_FORGERIES });
      if (label !== undefined) shown.set(forgery, label);
      // A page that reports at once what is authentic may still lead a forged request on to a report: one shows it.
      const isFollowed = trial.way !== 'plain' || leading.length === 0;
      if (!leadsOn || !isFollowed || reportOf(session, forgery) !== undefined) trial.tried += 1;
      else leading.push(forgery);
    },
    { concurrency: trial.concurrency.plain },
  );
  return { leading, shown };
}

async function postInBrowser(trial: Trial, forgeries: readonly Forgery[]): Promise<void> {
  const { context, pace } = trial;
  const { session } = context;
  await pMap(
    forgeries,
    async (forgery) => {
      if (trial.isLate()) return;
      const { request, fields, inSession, encoding } = forgery;
      const to = {
        address: addressOf(session, forgery),
        isForm: forgery.byGet !== true,
        isMultipart: encoding === 'multipart',
        isBare: forgery.isBare === true,
        ...(isOfNoBrowser(forgery) ? { asSent: asProgramsSend(forgery) } : {}),
      };
      const authentic = inSession ? await freshRequest(context) : undefined;
      await session.pages.use(async (page) => {
        if (authentic !== undefined) await visit(session, page, authentic, signedBy(session, authentic.fields), pace);
        await visit(session, page, request, fields, pace, to);
      });
      trial.tried += 1;
    },
    { concurrency: trial.concurrency.pages },
  );
}

/** No browser sends these: what they lead on to is followed in one all the same. */
const isOfNoBrowser = ({ encoding, isFromProgram }: Forgery): boolean => encoding === 'json' || isFromProgram === true;
