/** What a reseller has changed on a website stays while calls are made that are for something else (spec: Endpoints, C). */
import { isDeepStrictEqual } from 'node:util';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { Skipped } from '../../../harness/check/failures.ts';
import { unlessUndecided } from '../../../harness/resources/once.ts';
import { attached, recordsNamed, runDomain } from '../steps/domains.ts';
import { logOutOneToken } from '../steps/login/bad-tokens.ts';
import { ask, login, website } from '../steps/login/session.ts';
import { OWN_WEBSITE } from '../steps/options.ts';
import { givenStable } from '../steps/quiet.ts';
import { givenSubscription, isPremium } from '../steps/website/subscription.ts';
import { comesToShow, switching } from '../steps/website/switch-website.ts';

/** Every call that changes nothing on a website: reads, a login link where the run may write, a login and a logout. */
async function sendOtherCalls(context: Context): Promise<void> {
  const { profile, resources } = context;
  const reseller = await context.reseller();
  const id = website(context);
  await ask(context, (via) => reseller.readBalance(via));
  await ask(context, (via) => reseller.readSettings(via));
  await ask(context, (via) => reseller.listDomains(id, via));
  if (profile.allow.has('write')) await ask(context, (via) => reseller.createLoginLink(id, via));
  // The one that other checks need as well, because an account may be limited to so many logins.
  if (!(await logOutOneToken(context))) {
    const session = await login(context);
    await ask(context, (via) => session.logOut(via), 'logout');
  }
  resources.session.forget();
}

/** Something that was changed on the website. */
interface Change {
  /** What has to stay, as a sentence. */
  readonly rule: string;
  /** Whether the record, or the list, shows it. */
  readonly isShown: () => Promise<boolean>;
  /** Whether it is only shown late: what is read then is the state of an earlier change. */
  readonly isLate?: () => Promise<boolean>;
}

async function domainAttached(context: Context): Promise<Change> {
  await attached(context);
  const isShown = async (): Promise<boolean> => (await recordsNamed(context)).found.length > 0;
  return { rule: `${runDomain(context)} must stay attached`, isShown };
}

async function subscriptionStarted(context: Context): Promise<Change> {
  await givenSubscription(context);
  return { rule: 'websiteIsPremium must stay true', isShown: () => isPremium(context) };
}

async function websiteDisabled(context: Context): Promise<Change> {
  const { disable, original, record } = await switching(context);
  await context.given.accepted(disable(), 'reseller.website.disable');
  const status = async (): Promise<unknown> => (await record()).websiteStatus;
  const isOriginal = (shown: unknown): boolean => isDeepStrictEqual(shown, original.websiteStatus);
  const disabled = await status();
  return {
    rule: 'a website that was disabled must not be shown as enabled',
    isShown: async () => !isOriginal(await status()),
    // When a record follows a switch is not stated: the end of an earlier one may show during any call.
    isLate: () => comesToShow(context, (shown) => isDeepStrictEqual(shown, disabled)),
  };
}

/** The changes that the run may make and that the service makes. A domain may need a subscription, and a disabled website may take none. */
async function changesOf(context: Context): Promise<Change[]> {
  const { allow, reseller } = context.profile;
  const makers = [
    ...(allow.has('billing') ? [subscriptionStarted] : []),
    ...(allow.has('domains') && reseller?.domain !== undefined ? [domainAttached] : []),
    ...(allow.has('site-status') ? [websiteDisabled] : []),
  ];
  const changes: Change[] = [];
  for (const make of makers) {
    const change = await unlessUndecided(() => make(context));
    if (change !== undefined) changes.push(change);
  }
  return changes;
}

export const checks: readonly Check[] = [
  check(
    'reseller.account.other-calls-keep-changes',
    'MUST keep a domain, a subscription and a disabled website while only calls for something else are made',
    {
      ...OWN_WEBSITE,
      usesAllowed: ['site-status', 'billing', 'domains'],
      clauses: ['reseller.account.nothing-else-changes'],
      additional: true,
    },
    async (context) => {
      const changes = await changesOf(context);
      const shown: Change[] = [];
      // A service may end a subscription, or hide domains, when it disables a website.
      for (const change of changes) if (await change.isShown()) shown.push(change);
      if (shown.length === 0) throw new Skipped('the service shows at once none of the changes that the run may make');
      await sendOtherCalls(context);
      for (const { isLate, isShown, rule } of shown) {
        const isKept = (await isShown()) || (await isLate?.()) === true;
        const differences = (before: boolean, after: boolean): readonly boolean[] => (before === after ? [] : [after]);
        await givenStable(context, { read: isShown, differences }, isKept ? [] : [false]);
        context.expect.that(
          isKept,
          `${rule} while balance, settings and domains are read, and while one logs in and out`,
        );
      }
    },
  ),
];
