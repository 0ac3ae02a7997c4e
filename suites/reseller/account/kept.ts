/** What a reseller has changed on a website stays while calls are made that are for something else (spec: Endpoints, C). */
import { isDeepStrictEqual } from 'node:util';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { Skipped } from '../../../harness/check/failures.ts';
import { attached, recordsNamed, runDomain } from '../steps/domains.ts';
import { ask, website } from '../steps/login/session.ts';
import { BILLING, DOMAINS, STATUS } from '../steps/options.ts';
import { givenStable } from '../steps/quiet.ts';
import { givenSubscription, isPremium } from '../steps/website/subscription.ts';
import { comesToShow, switching } from '../steps/website/switch-website.ts';
import { givenStatusShown } from '../steps/website/switched-status.ts';

const NOTHING_ELSE = 'reseller.account.nothing-else-changes';
/** The clause is decided by checks that need no permission of these. */
const BESIDE = { clauses: [NOTHING_ELSE], additional: true } as const;

/** Every call that changes nothing on a website: reads, a login link where the run may write, a logout and a login. */
async function sendOtherCalls(context: Context): Promise<void> {
  const { profile, resources } = context;
  const reseller = await context.reseller();
  const id = website(context);
  await ask(context, (via) => reseller.readBalance(via));
  await ask(context, (via) => reseller.readSettings(via));
  await ask(context, (via) => reseller.listDomains(id, via));
  if (profile.allow.has('write')) await ask(context, (via) => reseller.createLoginLink(id, via));
  await ask(context, (via) => reseller.logOut(via), 'logout');
  resources.session.forget();
  await context.reseller();
}

interface Kept {
  /** Whether the record, or the list, shows what was changed. */
  readonly isShown: () => Promise<boolean>;
  readonly what: string;
  /** Whether it is only shown late: what is read then is the state of an earlier change. */
  readonly isLate?: () => Promise<boolean>;
}

/** Asserts that a change that is shown is still shown after other calls, unless another client of the account takes it back. */
async function staysAfterOtherCalls(context: Context, { isShown, what, isLate }: Kept): Promise<void> {
  await sendOtherCalls(context);
  const isKept = (await isShown()) || (await isLate?.()) === true;
  const differences = (before: boolean, after: boolean): readonly boolean[] => (before === after ? [] : [after]);
  await givenStable(context, { read: isShown, differences }, isKept ? [] : [false]);
  context.expect.that(
    isKept,
    `${what} while the balance, settings and domains are read, and while one logs out and in`,
  );
}

export const checks: readonly Check[] = [
  check(
    'reseller.account.other-calls-keep-status',
    'MUST keep a website disabled while only calls for something else are made',
    { ...BESIDE, ...STATUS },
    async (context) => {
      const { disabled, enabled } = await givenStatusShown(context);
      const { disable, enable, record } = await switching(context);
      await context.given.accepted(disable(), 'reseller.website.disable');
      const statusNow = async (): Promise<unknown> => (await record()).websiteStatus;
      const isShown = async (): Promise<boolean> => !isDeepStrictEqual(await statusNow(), enabled);
      if (!(await isShown())) throw new Skipped('the record does not show at once that a website is disabled');
      await staysAfterOtherCalls(context, {
        what: 'a website that was disabled must not be shown as enabled',
        isShown,
        isLate: () => comesToShow(context, (status) => isDeepStrictEqual(status, disabled)),
      });
      await enable();
    },
  ),
  check(
    'reseller.account.other-calls-keep-subscription',
    'MUST keep the subscription of a website while only calls for something else are made',
    { ...BESIDE, ...BILLING },
    async (context) => {
      await givenSubscription(context);
      await staysAfterOtherCalls(context, {
        what: 'websiteIsPremium must stay true',
        isShown: () => isPremium(context),
      });
    },
  ),
  check(
    'reseller.account.other-calls-keep-domain',
    'MUST keep a domain attached while only calls for something else are made',
    { ...BESIDE, ...DOMAINS },
    async (context) => {
      await attached(context);
      const isShown = async (): Promise<boolean> => (await recordsNamed(context)).found.length > 0;
      await staysAfterOtherCalls(context, { what: `${runDomain(context)} must stay attached`, isShown });
    },
  ),
];
