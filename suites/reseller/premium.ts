/** Paid subscriptions of a website (spec: Endpoints, C. Reseller endpoints). Only a website without one is upgraded. */
import { type Check, check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import type { CheckTitle } from '../../harness/check/facts.ts';
import { unlessUndecided } from '../../harness/resources/once.ts';
import type { ServiceResponse } from '../../harness/target/client/types.ts';
import { isServed } from '../../harness/target/response/judge-response.ts';
import { refusedPremium } from './account/refused.ts';
import { sendRefused } from './steps/login/bad-tokens.ts';
import { BILLING } from './steps/options.ts';
import { keepSubscription, sharedKept, sharedSubscription } from './steps/shared-changes.ts';
import { type Change, NOTHING_ELSE_CHANGES, nothingElseChanges, ONLY_NAMED } from './steps/website/other-websites.ts';
import {
  downgrade,
  expectSubscription,
  givenSubscription,
  isLeftoverSubscription,
  isPremium,
  premiumAndStatus,
  refusedStop,
  refusedUpgrade,
  UNKNOWN_LEVEL,
  upgrade,
  withoutSubscription,
} from './steps/website/subscription.ts';
import { switching } from './steps/website/switch-website.ts';
import { expectNotDisabled, givenStatusShown } from './steps/website/switched-status.ts';

const ENABLE = 'reseller.premium.enable';
const REFUSED = 'envelope.reseller.refusal-changes-nothing';

const upgradeCheck = (id: string, level: 'premium' | 'premiumplus', title: CheckTitle): Check =>
  check(id, title, { clauses: [id], ...BILLING }, async (context) => {
    const { expect } = context;
    const shared = await sharedSubscription(context, level);
    if (shared !== undefined && isServed(shared.done)) {
      expect.served(shared.done, `starting the subscription ${level} must be served`);
      return expect.that(shared.shown, `websiteIsPremium must be true after ${level} was started`);
    }
    await withoutSubscription(context);
    const response = await refusedUpgrade(context, level, await upgrade(context, level));
    expect.served(response, `starting the subscription ${level} must be served`);
    if (level === 'premium') await sendRefused(context);
    expect.that(await isPremium(context), `websiteIsPremium must be true after ${level} was started`, {
      expected: true,
      actual: false,
      response,
    });
  });

const STOPS = 'reseller.premium.disable-served';
const STOPPED = 'websiteIsPremium must be false after the subscription was stopped';

/** Asserts that each level is stopped. A service may stop a level in part. */
async function stopsEach(context: Context): Promise<void> {
  const { expect, given } = context;
  for (const level of ['premium', 'premiumplus'] as const) {
    // One that was stopped after its check shows once more whether stopping works.
    if (!(await isLeftoverSubscription(context))) {
      await withoutSubscription(context);
      const started = await upgrade(context, level);
      // A service may refuse this level.
      if (level === 'premiumplus' && !isServed(started)) break;
      await given.accepted(started, ENABLE);
    }
    given.holds(await isPremium(context), ENABLE, 'the website is not premium after its upgrade');
    const response = await downgrade(context);
    // One that was stopped before need not be stopped again.
    if (refusedStop(context) !== undefined) await given.accepted(response, STOPS);
    expect.that(!(await isPremium(context)), STOPPED, { expected: false, actual: true, response });
  }
  await staysStopped(context);
}

/** The websiteStatus while a subscription runs, and after it was stopped. */
async function subscriptionStatuses(context: Context): Promise<{ during: unknown; after: unknown }> {
  const { given } = context;
  const shared = await sharedSubscription(context, 'premium');
  if (shared !== undefined) {
    const [during, after] = shared.statuses;
    await given.accepted(shared.done, ENABLE);
    given.holds(shared.shown, ENABLE, 'the website is not premium after its upgrade');
    await given.accepted(shared.undone, STOPS);
    return { during, after };
  }
  await givenSubscription(context);
  const { status: during } = await premiumAndStatus(context);
  await given.accepted(downgrade(context), STOPS);
  const { status: after } = await premiumAndStatus(context);
  return { during, after };
}

/** Asserts that stopping what was stopped, which may be refused, starts nothing. */
async function staysStopped(context: Context): Promise<void> {
  const response = await downgrade(context);
  const isStarted = await isPremium(context);
  if (isStarted) await downgrade(context);
  context.expect.that(
    !isStarted,
    'websiteIsPremium must stay false when a subscription that was stopped is stopped again',
    { expected: false, actual: true, response },
  );
}

/** States as a precondition that a subscription that runs is not stopped when an unknown level is refused. */
async function staysStarted(context: Context): Promise<void> {
  const started = await upgrade(context, 'premium');
  if (!isServed(started) || !(await isPremium(context))) return;
  const response = await upgrade(context, UNKNOWN_LEVEL);
  const stays = isServed(response) || (await isPremium(context));
  await downgrade(context);
  context.given.holds(stays, REFUSED, 'a refused subscription level stopped the subscription of the website', {
    response,
  });
}

/** The changes that start and stop a subscription, and `keep`, which leaves what they showed to the checks that judge it. */
function startAndStop(context: Context, level: 'premium' | 'premiumplus') {
  const { given } = context;
  const responses: ServiceResponse[] = [];
  const seen: { premium: boolean; status: unknown }[] = [];
  // What there is to say against the record itself, the checks of its fields say.
  const unknown = { premium: false, status: undefined };
  const shown = async () => seen.push((await unlessUndecided(() => premiumAndStatus(context))) ?? unknown);
  const start = async () => {
    // What a service demands before it starts the higher level is not stated.
    const started =
      level === 'premium'
        ? await given.accepted(upgrade(context, level), ENABLE)
        : await unlessUndecided(() => upgrade(context, level));
    if (started !== undefined && isServed(started)) responses.push(started);
  };
  const stop = async () => {
    if (responses.length > 0) responses.push(await given.accepted(downgrade(context), STOPS));
  };
  const changes: readonly Change[] = [
    { what: `upgrading one website to ${level}`, purpose: 'subscription', domainsAsOf: 'before', shown, send: start },
    { what: `downgrading one website from ${level}`, purpose: 'subscription', shown, send: stop },
  ];
  const keep = (): void => {
    const [done, undone] = responses;
    const [during, after] = seen;
    if (done === undefined || undone === undefined || during?.premium !== true || after === undefined) return;
    const statuses = [during.status, after.status] as const;
    keepSubscription(context, level, { done, shown: true, undone, shownAfter: after.premium, statuses });
  };
  return { changes, keep };
}

export const checks: readonly Check[] = [
  // First: websites that are already downgraded cannot be observed to be downgraded again.
  check(
    'reseller.premium.other-websites-unchanged',
    'MUST NOT change other websites, or anything else, when one gets or loses a subscription',
    { clauses: [ONLY_NAMED, NOTHING_ELSE_CHANGES], ...BILLING },
    async (context) => {
      await withoutSubscription(context);
      const levels = [startAndStop(context, 'premium'), startAndStop(context, 'premiumplus')];
      await nothingElseChanges(
        context,
        levels.flatMap(({ changes }) => changes),
      );
      for (const { keep } of levels) keep();
    },
  ),
  refusedPremium,
  upgradeCheck(
    'reseller.premium.enable',
    'premium',
    'MUST show a website as premium after enable_premium with premium',
  ),
  upgradeCheck(
    'reseller.premium.enable-plus',
    'premiumplus',
    'MUST show a website as premium after enable_premium with premiumplus',
  ),
  check(
    'reseller.premium.disable-served',
    'MUST serve disable_premium for a website with a subscription',
    { clauses: [STOPS], ...BILLING },
    async (context) => {
      const { expect } = context;
      const rule = 'stopping a subscription that the run has started must be served';
      const shared = await unlessUndecided(() => sharedSubscription(context, 'premium'));
      if (shared !== undefined && isServed(shared.done) && shared.shown) return expect.served(shared.undone, rule);
      const refusal = refusedStop(context);
      if (refusal !== undefined) return expect.served(refusal, rule);
      await givenSubscription(context);
      expect.served(await downgrade(context), rule);
    },
  ),
  check(
    'reseller.premium.disable',
    'SHOULD show a website as not premium after disable_premium',
    { clauses: ['reseller.premium.disable'], ...BILLING },
    async (context) => {
      const { expect, given } = context;
      const shared = await unlessUndecided(() => sharedSubscription(context, 'premium'));
      if (shared === undefined) return stopsEach(context);
      await given.accepted(shared.done, ENABLE);
      given.holds(shared.shown, ENABLE, 'the website is not premium after its upgrade');
      await given.accepted(shared.undone, STOPS);
      expect.that(!shared.shownAfter, STOPPED);
      const plus = await sharedSubscription(context, 'premiumplus');
      expect.that(plus?.shown !== true || !plus.shownAfter, STOPPED);
      await staysStopped(context);
    },
  ),
  // What a status says is not defined, nor what a website keeps: only that of a disabled website counts, and its visitors miss it.
  check(
    'reseller.premium.stays-enabled',
    'SHOULD keep a website enabled when its subscription starts or stops',
    { clauses: ['reseller.premium.stays-enabled'], ...BILLING, effects: ['billing', 'site-status'] },
    async (context) => {
      const statuses = await givenStatusShown(context);
      const { during, after } = await subscriptionStatuses(context);
      expectNotDisabled(context, statuses, [
        ['its subscription was started', during],
        ['its subscription was stopped', after],
      ]);
    },
  ),
  check(
    'reseller.premium.unknown-level-handling',
    'OBSERVES what happens to a subscription level that is neither premium nor premiumplus',
    { clauses: [], observations: ['reseller.premium.unknown-level'], ...BILLING },
    async (context) => {
      const { given } = context;
      await withoutSubscription(context);
      const response = await upgrade(context, UNKNOWN_LEVEL);
      const premium = await isPremium(context);
      const nothingDone = isServed(response) || !premium;
      given.holds(nothingDone, REFUSED, 'a refused subscription level made the website premium', {
        response,
      });
      const taken = isServed(response) ? 'served' : `refused with ${response.status}`;
      context.observe('reseller.premium.unknown-level', `${taken}, the website is ${premium ? '' : 'not '}premium`);
      if (isServed(response) && premium) {
        context.warn(
          'A subscription level that does not exist starts a subscription: a reseller that mistypes a level pays for it.',
        );
      }
      if (!isServed(response)) await staysStarted(context);
    },
  ),
];

/** What a disabled website loses is not stated: a buyer of the subscription loses what was paid for. */
export const keptWhenDisabled: readonly Check[] = [
  check(
    'reseller.premium.kept-when-disabled',
    'SHOULD keep the subscription of a website that is disabled and enabled again',
    { clauses: ['reseller.website.enable-restores'], ...BILLING, effects: ['billing', 'site-status'] },
    async (context) => {
      const { expect, given } = context;
      const kept = await sharedKept(context);
      if (kept !== undefined)
        return expect.that(kept.premiumAfterSwitch, 'the subscription must stay when the website is switched');
      await givenSubscription(context);
      const { enable, disable } = await switching(context);
      await given.accepted(disable(), 'reseller.website.disable');
      await given.accepted(enable(), 'reseller.website.enable');
      await expectSubscription(context, 'the website is disabled and enabled again');
    },
  ),
];
