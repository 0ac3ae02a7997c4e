/** Requests are GET or POST (spec: Endpoints, C. Reseller endpoints): every call, by each of the two. */

import { isJsonObject } from '../../../contracts/json/object.ts';
import type { RecordId } from '../../../contracts/json/record-ids.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { CheckOptions, CheckTitle } from '../../../harness/check/facts.ts';
import { atOnce } from '../../../harness/process/at-once.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import { authorizeCall, Reseller, type Via } from '../../../harness/target/interfaces/reseller.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { leavingTheRest, type Purpose } from '../account/whole.ts';
import { givenTextInQuery } from '../settings/awkward-texts.ts';
import { ATTACHES, idOf, reserve, runDomain } from '../steps/domains.ts';
import { type EffectCheck, expectServedBy, VIAS } from '../steps/get-and-post.ts';
import { trackPassword } from '../steps/login/restorable-password.ts';
import {
  account,
  ask,
  givenTokenEnded,
  setFirstMethod,
  TOKEN_WORKS,
  temporary,
  tokenIn,
  website,
  withOwnSessions,
} from '../steps/login/session.ts';
import { sharedPassword } from '../steps/login/shared-password.ts';
import { givenRefusedForPassword, learnWrongPassword, logInAfterChange } from '../steps/login/wrong-password.ts';
import { BILLING, DOMAINS, LINKS, OWN_WEBSITE, PASSWORD, READING, SETTINGS, STATUS } from '../steps/options.ts';
import { ownRecord, settingsOf } from '../steps/records.ts';
import { allChanged, givenQuietSettings, pairsOf, seenChange, takesTogether, textOf } from '../steps/settings.ts';
import { expectByPost, sharedDomain, sharedSubscription, sharedSwitch } from '../steps/shared-changes.ts';
import { isPremium, withoutSubscription } from '../steps/website/subscription.ts';
import { comesToShow, isStillLate, switching } from '../steps/website/switch-website.ts';

/** Reads by GET as well, from before a change: what a cache keeps by its address shows the old state. */
function readsByGet(context: Context, via: Via): void {
  if (via === 'GET') setFirstMethod(context, via);
}

interface Group {
  readonly ids: { readonly [via in Via]: string };
  /** `logs in and out`, for the title. */
  readonly what: string;
  readonly options: Pick<CheckOptions, 'needs' | 'effects' | 'part'>;
  readonly run: (context: Context, via: Via) => Promise<void>;
  /** What the calls may change of the account; the rest is compared. */
  readonly purposes?: readonly Purpose[];
}

/** Asserts that a member of the response has a valid value. */
const holds =
  (name: string, isRight: (value: unknown) => boolean): EffectCheck =>
  async ({ json }) =>
    isJsonObject(json) && isRight(json[name]) ? undefined : `the response contains no ${name}`;

const GROUPS: readonly Group[] = [
  {
    ids: { GET: 'reseller.calls.sessions-by-get', POST: 'reseller.calls.sessions-by-post' },
    what: 'authorize and logout',
    options: READING,
    run: (context, via) =>
      withOwnSessions(async () => {
        const { email, password } = account(context);
        const response = await expectServedBy(
          context,
          via,
          (way) => authorizeCall(email, password, way),
          'reseller.authorize.token',
          async (got) => (tokenIn(got) === undefined ? 'it returned no token' : undefined),
        );
        const reseller = new Reseller(context.secret('API_TOKEN', tokenIn(response)!));
        readsByGet(context, via);
        if (via === 'GET') await ask(context, (way) => reseller.listWebsites(way));
        await expectServedBy(
          context,
          via,
          (way) => reseller.logOut(way),
          'reseller.logout.invalidates',
          async () => {
            const after = await ask(context, (way) => reseller.listWebsites(way), 'probe');
            return isServed(after) ? 'the token is still served' : undefined;
          },
          { mayRefuse: (response) => givenTokenEnded(context, reseller, response) },
        );
      })(context),
  },
  {
    ids: { GET: 'reseller.calls.lists-by-get', POST: 'reseller.calls.lists-by-post' },
    what: 'read calls',
    options: OWN_WEBSITE,
    run: async (context, via) => {
      await ownRecord(context);
      const reseller = await context.reseller();
      const id = website(context);
      const isList = Array.isArray;
      const lists = (way: Via) => reseller.listWebsites(way);
      const domains = (way: Via) => reseller.listDomains(id, way);
      await atOnce([
        () => expectServedBy(context, via, lists, 'reseller.website.array', holds('websites', isList)),
        () => expectServedBy(context, via, domains, 'reseller.domain.array', holds('domains', isList)),
        () => expectServedBy(context, via, (way) => reseller.readSettings(way), TOKEN_WORKS),
        () => expectServedBy(context, via, (way) => reseller.readBalance(way), TOKEN_WORKS),
      ]);
    },
  },
  {
    ids: { GET: 'reseller.calls.login-link-by-get', POST: 'reseller.calls.login-link-by-post' },
    what: 'the call for a login link',
    options: LINKS,
    purposes: [],
    run: async (context, via) => {
      await ownRecord(context);
      const reseller = await context.reseller();
      const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
      const build = (way: Via) => reseller.createLoginLink(website(context), way);
      await expectServedBy(context, via, build, 'reseller.login.link', holds('loginUrl', isText));
    },
  },
  {
    ids: { GET: 'reseller.calls.site-status-by-get', POST: 'reseller.calls.site-status-by-post' },
    what: 'enable and disable',
    options: STATUS,
    purposes: ['status'],
    run: async (context, via) => {
      const shared = via === 'POST' ? await sharedSwitch(context) : undefined;
      if (shared !== undefined) return expectByPost(context, [shared.done, shared.undone]);
      const { original, record } = await switching(context);
      const id = website(context);
      const reseller = await context.reseller();
      const isAsBefore = async (): Promise<boolean> => (await record()).websiteStatus === original.websiteStatus;
      const disable = (way: Via) => reseller.disableWebsite(id, way);
      await expectServedBy(context, via, disable, 'reseller.website.disable', undefined, {
        // What the record shows may be an earlier switch that it follows late.
        isMade: async () => !(await isAsBefore()) && !(await isStillLate(context)),
      });
      // What the status means is not shown, nor that it changes at all: then a disable by POST does not change it either.
      if (via === 'GET' && (await isAsBefore())) {
        await context.send(reseller.disableWebsite(id, 'POST'), 'POST');
        const message = 'a disable by GET must do what the same call by POST does: websiteStatus is as before';
        context.expect.that(await isAsBefore(), message);
      }
      const disabled = (await record()).websiteStatus;
      const isEnabled = async (): Promise<boolean> => (await record()).websiteStatus !== disabled;
      const enable = (way: Via) => reseller.enableWebsite(id, way);
      await expectServedBy(context, via, enable, 'reseller.website.enable', undefined, {
        isMade: async () =>
          disabled !== original.websiteStatus &&
          (await isAsBefore()) &&
          !(await comesToShow(context, (status) => status === disabled)),
      });
      if (via === 'GET' && !(await isAsBefore()) && !(await isEnabled())) {
        await context.send(reseller.enableWebsite(id, 'POST'), 'POST');
        const message = 'an enable by GET must do what the same call by POST does: websiteStatus is that of before';
        context.expect.that(!(await isEnabled()), message);
      }
    },
  },
  {
    ids: { GET: 'reseller.calls.premium-by-get', POST: 'reseller.calls.premium-by-post' },
    what: 'enable_premium and disable_premium',
    options: BILLING,
    purposes: ['subscription'],
    run: async (context, via) => {
      const shared = via === 'POST' ? await sharedSubscription(context, 'premium') : undefined;
      if (shared !== undefined) {
        context.expect.equal([shared.shown, shared.shownAfter], [true, false], 'both must do what they say by POST');
        return expectByPost(context, [shared.done, shared.undone]);
      }
      readsByGet(context, via);
      await withoutSubscription(context);
      const id = website(context);
      const reseller = await context.reseller();
      const premium =
        (wanted: boolean): EffectCheck =>
        async () =>
          (await isPremium(context)) === wanted ? undefined : `websiteIsPremium is ${!wanted} afterwards`;
      await expectServedBy(
        context,
        via,
        (way) => reseller.enablePremium(id, 'premium', way),
        'reseller.premium.enable',
        premium(true),
        { isMade: () => isPremium(context) },
      );
      await expectServedBy(
        context,
        via,
        (way) => reseller.disablePremium(id, way),
        'reseller.premium.disable',
        premium(false),
        { late: true, isMade: async () => !(await isPremium(context)) },
      );
    },
  },
  {
    ids: { GET: 'reseller.calls.domains-by-get', POST: 'reseller.calls.domains-by-post' },
    what: 'adding and removing a domain',
    options: DOMAINS,
    purposes: ['domains'],
    run: async (context, via) => {
      const shared = via === 'POST' ? await sharedDomain(context) : undefined;
      if (shared !== undefined) {
        context.expect.equal([shared.shown, shared.shownAfter], [1, 0], 'both must do what they say by POST');
        return expectByPost(context, [shared.done, shared.undone]);
      }
      readsByGet(context, via);
      await reserve(context);
      const id = website(context);
      const name = runDomain(context);
      const reseller = await context.reseller();
      const listed = async (): Promise<RecordId | undefined> => idOf(context).catch(() => undefined);
      await expectServedBy(
        context,
        via,
        (way) => reseller.addDomain(id, name, way),
        ATTACHES,
        async () => ((await listed()) === undefined ? `${name} is not listed afterwards` : undefined),
        { isMade: async () => (await listed()) !== undefined },
      );
      const domain = await idOf(context);
      await expectServedBy(
        context,
        via,
        (way) => reseller.removeDomain(id, domain, way),
        'reseller.domain.remove-detaches',
        async () => ((await listed()) === undefined ? undefined : `${name} is still listed afterwards`),
        { isMade: async () => (await listed()) === undefined },
      );
    },
  },
  {
    ids: { GET: 'reseller.calls.settings-by-get', POST: 'reseller.calls.settings-by-post' },
    what: 'changing settings',
    options: SETTINGS,
    run: async (context, via) => {
      const seen = via === 'POST' ? seenChange(context) : undefined;
      if (seen !== undefined) return expectByPost(context, [seen]);
      const all = await allChanged(context);
      // A service may accept only one setting per call.
      const isTogether = await takesTogether(context, all);
      // They have other values by now; the old ones are known to be taken.
      let old = pairsOf(isTogether ? all : all.slice(0, 1), 'old');
      const reseller = await context.reseller();
      readsByGet(context, via);
      await settingsOf(context);
      const ignored = async (): Promise<string[]> => {
        const { settings } = await settingsOf(context);
        return old.filter(([name, text]) => textOf(settings[name]) !== text).map(([name]) => name);
      };
      const isMade = async (): Promise<boolean> => (await ignored()).length < old.length;
      let sent: ServiceResponse | undefined;
      while (via === 'GET' && old.length > 1) {
        sent = await context.send(reseller.changeSettings(old, via), via);
        if (isServed(sent) || (await isMade())) break;
        // How long an address may be is the service's choice, and which setting has to be among them.
        [old, sent] = [old.slice(0, Math.ceil(old.length / 2)), undefined];
      }
      await expectServedBy(
        context,
        via,
        (way) => reseller.changeSettings(old, way),
        'reseller.settings.set-applies',
        async () => {
          const names = await ignored();
          await givenQuietSettings(context, names);
          return names.length === 0 ? undefined : `${names.join(', ')} does not show what was set`;
        },
        { isMade, sent },
      );
      if (via === 'GET') await givenTextInQuery(context, all);
    },
  },
  {
    ids: { GET: 'reseller.calls.password-by-get', POST: 'reseller.calls.password-by-post' },
    what: 'changing the password',
    options: PASSWORD,
    run: (context, via) =>
      withOwnSessions(async () => {
        const shared = via === 'POST' ? await sharedPassword(context) : undefined;
        if (shared !== undefined) {
          const works = [shared.shown, shared.shownAfter].every((login) => tokenIn(login) !== undefined);
          context.expect.that(works, 'both changes must do what they say by POST');
          return expectByPost(context, [shared.done, shared.undone]);
        }
        const reseller = await context.resellerUnchecked();
        const password = temporary(context);
        await learnWrongPassword(context);
        await trackPassword(context);
        const build = (way: Via) => reseller.changePassword(password, way);
        // Whether a refused change was made is not asked: that takes a wrong password, and a service may lock the account after some.
        await expectServedBy(context, via, build, 'reseller.password.new-works', async () => {
          const response = await logInAfterChange(context, password);
          if (tokenIn(response) === undefined) givenRefusedForPassword(context, response);
          return tokenIn(response) === undefined ? 'the new password does not authorize afterwards' : undefined;
        });
      })(context),
  },
];

const CLAUSES = { GET: 'reseller.calls.by-get', POST: 'reseller.calls.by-post' } as const;
const HOW = { GET: 'its parameters in the query', POST: 'its parameters as form fields' } as const;

/** By POST the rest of the account is compared where each call is judged. */
const withTheRest = (context: Context, via: Via, { purposes, run }: Group): Promise<void> => {
  if (via === 'POST' || purposes === undefined) return run(context, via);
  const except = purposes.includes('domains') ? runDomain(context) : undefined;
  return leavingTheRest(context, purposes, () => run(context, via), except);
};

export const checks: readonly Check[] = GROUPS.flatMap((group) =>
  VIAS.map((via) => {
    const { ids, what, options } = group;
    const title: CheckTitle = `SHOULD serve ${what} by ${via} with ${HOW[via].replace('its', 'the')}`;
    return check(ids[via], title, { clauses: [CLAUSES[via]], ...options, exactValues: ['method'] }, (context) =>
      withTheRest(context, via, group),
    );
  }),
);
