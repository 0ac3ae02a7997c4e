/**
 * Each call that changes something requires a valid token, and changes nothing without one (spec: Endpoints, C. Reseller
 * endpoints). Logout only has to change nothing: reporting success without a session does no harm.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { type Probe, summary } from '../../../harness/check/expect.ts';
import type { CheckOptions } from '../../../harness/check/facts.ts';
import { Inconclusive } from '../../../harness/check/failures.ts';
import { atOnce } from '../../../harness/process/at-once.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import { authorizeCall, type Reseller } from '../../../harness/target/interfaces/reseller.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { attached, domainsAt, reserve, runDomain } from '../steps/domains.ts';
import {
  allBadTokens,
  logOutOneToken,
  refusesBadTokens,
  refusesByGet,
  sendRefused,
} from '../steps/login/bad-tokens.ts';
import { trackPassword } from '../steps/login/restorable-password.ts';
import { account, TOKEN_WORKS, temporary, website, withOwnSessions } from '../steps/login/session.ts';
import { BILLING, DOMAINS, LINKS, PASSWORD, READING, SETTINGS, STATUS } from '../steps/options.ts';
import { givenStable } from '../steps/quiet.ts';
import { givenOwnWebsite, ownRecord, settingsOf } from '../steps/records.ts';
import { differing, givenQuietSettings, settable } from '../steps/settings.ts';
import { withoutSubscription } from '../steps/website/subscription.ts';
import { comesToShow, isLateSwitch, switching } from '../steps/website/switch-website.ts';

const otherThan = (one: unknown, other: unknown): unknown[] => (isDeepStrictEqual(one, other) ? [] : [other]);

/** Remembers what refused calls must not change; returns a function that fails if it has changed. */
async function unchanged<T>(
  context: Context,
  what: string,
  read: () => Promise<T>,
  isSame: (before: T, after: T) => boolean | Promise<boolean> = isDeepStrictEqual,
): Promise<() => Promise<void>> {
  const before = await read();
  return async () => {
    const after = await read();
    const isAsBefore = await isSame(before, after);
    await givenStable(context, { differences: otherThan, read }, isAsBefore ? [] : [after]);
    context.expect.that(isAsBefore, `refused calls must leave ${what} as they were`);
  };
}

const needsToken = (
  id: string,
  what: string,
  options: Pick<CheckOptions, 'needs' | 'effects' | 'part'>,
  body: (context: Context) => Promise<void>,
): Check =>
  check(
    id,
    `MUST refuse ${what} without a valid token and change nothing`,
    { clauses: ['reseller.token.every-write'], ...options },
    async (context) => {
      await logOutOneToken(context);
      await body(context);
    },
  );

/** A call with one of the bad tokens, by index. */
type BadCall = (reseller: Reseller, bad: Probe) => ServiceRequest;

const badLogout: BadCall = (reseller, { mutate }) => mutate(reseller.logOut());
const badLogoutByGet: BadCall = (reseller, { mutate }) => mutate(reseller.logOut('GET'));
const badRead: BadCall = (reseller, { mutate }) => mutate(reseller.listWebsites());

/** Whether a new session is still open after a call with a bad token, and the response that shows it. */
async function newSessionAfter(context: Context, build: BadCall, at: number): Promise<SessionState> {
  context.resources.session.forget();
  await context.reseller();
  // As it was when several were sent: directly after a refused one.
  await sendRefused(context);
  return sessionAfter(context, build, at);
}

interface SessionState {
  readonly isOpen: boolean;
  readonly response: ServiceResponse;
}

async function sessionAfter(context: Context, build: BadCall, at: number): Promise<SessionState> {
  const reseller = await context.reseller();
  const bad = (await allBadTokens(context))[at]!;
  await context.send(build(reseller, bad), 'probe');
  const response = await context.send(reseller.listWebsites(), 'probe');
  // A call whose session has ended is sent again in a new one.
  const isSame = context.resources.session.present?.reveal() === reseller.token.reveal();
  return { isOpen: isServed(response) && isSame, response };
}

const SHORT_SESSIONS =
  "every session ends after one or two calls, so the effect of another session's logout can't be observed";

const statusOf = async (context: Context) => {
  const { websiteStatus: status, websiteIsPremium: premium } = await ownRecord(context);
  return { status, premium };
};

/** Whether two records show the same, but for the late beginning or end of a switch before. */
const showsSame = (context: Context) => async (before: Shown, after: Shown) => {
  const isStatus = (status: unknown): boolean => isDeepStrictEqual(status, before.status);
  const isSameStatus = isStatus(after.status) || isLateSwitch(context, before.status, after.status);
  return after.premium === before.premium && (isSameStatus || comesToShow(context, isStatus));
};

type Shown = Awaited<ReturnType<typeof statusOf>>;

export const checks: readonly Check[] = [
  check(
    'reseller.token.logout-needs-its-token',
    'MUST keep a session open after a logout without its token',
    { clauses: ['reseller.token.every-write'], additional: true, ...READING },
    withOwnSessions(async (context) => {
      const { given, expect, send } = context;
      const reseller = await context.resellerUnchecked();
      await given.accepted(send(reseller.listWebsites(), 'control'), TOKEN_WORKS);
      const bad = await allBadTokens(context);
      // Parameters in a query are read by other code than a form.
      const ways = [badLogout, badLogoutByGet].map((build) => [...bad.keys()].map((at) => ({ build, at })));
      const calls = ways.flat();
      // None of them restores a session that another has ended: one read after all of them shows whether it is still open.
      for (const way of ways) {
        await atOnce(
          way.map(
            ({ build, at }) =>
              () =>
                send(build(reseller, bad[at]!), 'probe'),
          ),
        );
      }
      const { isOpen, response } = await sessionAfter(context, badLogout, 0);
      if (isOpen) {
        expect.that(isOpen, 'logout must not end a session whose token it did not receive', {
          response,
        });
        return;
      }
      for (const { build, at } of calls) {
        const first = await newSessionAfter(context, build, at);
        // A session may expire at that moment, but hardly twice.
        const { isOpen, response } = first.isOpen ? first : await newSessionAfter(context, build, at);
        if (!isOpen) {
          const other = await newSessionAfter(context, badRead, at);
          if (!other.isOpen) throw new Inconclusive(SHORT_SESSIONS, 'target');
        }
        expect.that(isOpen, 'logout must not end a session whose token it did not receive', {
          expected: 'the token of the session is served',
          actual: `the token of the session is refused, or only a new login is served: ${summary(response)}`,
          response,
        });
      }
    }),
  ),
  needsToken('reseller.token.login-link-refuses', 'a login link', LINKS, async (context) => {
    await givenOwnWebsite(context);
    const reseller = await context.reseller();
    await refusesByGet(context, reseller.createLoginLink(website(context)));
    await refusesBadTokens(context, reseller.createLoginLink(website(context)), undefined, 'reseller.login.link');
  }),
  needsToken('reseller.token.site-status-refuses', 'to enable or disable a website', STATUS, async (context) => {
    const id = website(context);
    await switching(context);
    const { status: enabled } = await statusOf(context);
    const same = await unchanged(context, 'the records', () => statusOf(context), showsSame(context));
    const reseller = await context.reseller();
    await refusesBadTokens(context, reseller.disableWebsite(id), same, 'reseller.website.disable');
    const shown = await statusOf(context);
    const sameAgain = async (): Promise<void> => {
      const now = await statusOf(context);
      // When a record changes is not stated: a delayed change of the served call may show only now.
      const isLate = shown.status === enabled && now.premium === shown.premium;
      const isSame = isLate || isDeepStrictEqual(now, shown);
      await givenStable(context, { differences: otherThan, read: () => statusOf(context) }, isSame ? [] : [now]);
      context.expect.that(isSame, 'refused calls must leave the records as they were', {
        expected: shown,
        actual: now,
      });
    };
    await refusesBadTokens(context, reseller.enableWebsite(id), sameAgain, 'reseller.website.enable');
  }),
  needsToken('reseller.token.premium-refuses', 'to start or stop a subscription', BILLING, async (context) => {
    const id = website(context);
    await withoutSubscription(context);
    const reseller = await context.reseller();
    const none = await unchanged(context, 'the subscriptions', () => statusOf(context), showsSame(context));
    await refusesBadTokens(context, reseller.enablePremium(id, 'premium'), none, 'reseller.premium.enable');
    const one = await unchanged(context, 'the subscriptions', () => statusOf(context), showsSame(context));
    await refusesBadTokens(context, reseller.disablePremium(id), one, 'reseller.premium.disable-served');
  }),
  needsToken('reseller.token.domain-add-refuses', 'to add a domain', DOMAINS, async (context) => {
    const id = website(context);
    await reserve(context);
    const reseller = await context.reseller();
    const same = await unchanged(context, 'the domains', () => domainsAt(context, [id]));
    await refusesBadTokens(context, reseller.addDomain(id, runDomain(context)), same, 'reseller.domain.add-attaches');
  }),
  needsToken('reseller.token.domain-removal-refuses', 'to remove a domain', DOMAINS, async (context) => {
    const id = website(context);
    const read = () => atOnce([() => domainsAt(context, [id]), () => statusOf(context)]);
    const domain = await attached(context, runDomain(context), read);
    const reseller = await context.reseller();
    // Other checks make refused removals before, without a look at the website.
    const isSameRecord = showsSame(context);
    const same = await unchanged(
      context,
      'the domains and the website',
      read,
      async ([domains, record], [domainsAfter, recordAfter]) =>
        isDeepStrictEqual(domainsAfter, domains) && isSameRecord(record, recordAfter),
    );
    await refusesBadTokens(context, reseller.removeDomain(id, domain), same, 'reseller.domain.remove-detaches');
  }),
  needsToken('reseller.token.settings-refuses', 'to change settings', SETTINGS, async (context) => {
    // It has another text now, so that a refused call that sets this one would show.
    const setting = await settable(context);
    const { settings: before } = await settingsOf(context);
    const reseller = await context.reseller();
    await refusesBadTokens(
      context,
      reseller.changeSettings([setting]),
      async () => {
        const { settings, response } = await settingsOf(context);
        const changes = differing(before, settings);
        await givenQuietSettings(context, changes);
        context.expect.equal(
          changes,
          [],
          'refused calls must leave the settings as they were (only those that differ are shown)',
          {
            response,
          },
        );
      },
      'reseller.settings.set-applies',
    );
  }),
  needsToken(
    'reseller.token.password-refuses',
    'to change the password',
    PASSWORD,
    withOwnSessions(async (context) => {
      const { email } = account(context);
      const reseller = await context.reseller();
      const password = temporary(context);
      const login = () => context.send(authorizeCall(email, password), 'probe');
      // A service that still accepts an old password would seem to have set it again.
      context.given.holds(!isServed(await login()), 'reseller.password.old-refused', 'an earlier password still works');
      await trackPassword(context);
      await refusesBadTokens(
        context,
        reseller.changePassword(password),
        async () => {
          const response = await login();
          context.expect.that(!isServed(response), 'refused calls must leave the password as it was', {
            response,
          });
        },
        'reseller.password.new-works',
      );
    }),
  ),
];
