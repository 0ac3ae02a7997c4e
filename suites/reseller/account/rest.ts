/** What a Reseller call is not for stays as it was: served or refused (spec: Endpoints, C. Reseller endpoints; Errors). */
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { Probe } from '../../../harness/check/expect.ts';
import type { CheckOptions } from '../../../harness/check/facts.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { attached, domainsAt, nameBelow, remove, reserve, runDomain } from '../steps/domains.ts';
import { oneOfEach } from '../steps/login/bad-tokens.ts';
import { account, ask, login, ownSessions, temporary, website } from '../steps/login/session.ts';
import { BILLING, DOMAINS, LINKS, PASSWORD, SETTINGS, STATUS } from '../steps/options.ts';
import { allChanged } from '../steps/settings.ts';
import { downgrade, upgrade, withoutSubscription } from '../steps/subscription.ts';
import { switching } from '../steps/switch-website.ts';
import { leaveTheRest, type Step } from './whole.ts';

const SETTINGS_OF_WEBSITE = { ...SETTINGS, needs: [...SETTINGS.needs, 'reseller.website'] } as const;

interface Group {
  readonly id: string;
  readonly what: string;
  readonly options: Pick<CheckOptions, 'needs' | 'effects' | 'part'>;
  /** Prepares, and returns what is done one after the other, with the name of a domain that it is about. */
  readonly steps: (context: Context) => Promise<{ readonly steps: readonly Step[]; readonly domain?: string }>;
}

const GROUPS: readonly Group[] = [
  {
    id: 'reseller.account.rest-stays-login-link',
    what: 'it returns a login link',
    options: LINKS,
    steps: async (context) => {
      const reseller = await context.reseller();
      const send = () => ask(context, (via) => reseller.createLoginLink(website(context), via));
      return { steps: [{ what: 'asking for a login link', purposes: [], send }] };
    },
  },
  {
    id: 'reseller.account.rest-stays-switches',
    what: 'it disables or enables a website',
    options: STATUS,
    steps: async (context) => {
      const { disable, enable } = await switching(context);
      return {
        steps: [
          { what: 'disabling a website', purposes: ['status'], send: disable },
          { what: 'enabling a website', purposes: ['status'], send: enable },
        ],
      };
    },
  },
  {
    id: 'reseller.account.rest-stays-premium',
    what: 'it starts or stops a subscription',
    options: BILLING,
    steps: async (context) => {
      await withoutSubscription(context);
      const before = await domainsAt(context, [website(context)]);
      const start = async (): Promise<void> => {
        if (!isServed(await upgrade(context, 'premium'))) return;
        const now = await domainsAt(context, [website(context)]);
        context.expect.equal(
          before.filter((domain) => !now.includes(domain)),
          [],
          'starting a subscription must leave the website its domains (those that are gone are named)',
        );
      };
      return {
        steps: [
          { what: 'starting a subscription', purposes: ['subscription'], send: start },
          { what: 'stopping a subscription', purposes: ['subscription'], send: () => downgrade(context) },
        ],
      };
    },
  },
  {
    id: 'reseller.account.rest-stays-domains',
    what: 'it adds or removes a domain',
    options: DOMAINS,
    steps: async (context) => {
      await attached(context);
      const domain = nameBelow(context);
      await reserve(context, domain);
      const reseller = await context.reseller();
      const again = () => ask(context, (via) => reseller.addDomain(website(context), domain, via));
      const removing = async () => {
        const id = await attached(context);
        await remove(context, id);
      };
      return {
        domain: runDomain(context),
        steps: [
          { what: 'adding a domain', purposes: ['domains'], send: again },
          { what: 'removing a domain', purposes: ['domains'], send: removing },
        ],
      };
    },
  },
];

/** Side effects that the mutants (`proof/mutants`) and the model of Reseller prove, and no fault of the matrix. */
const BESIDE = { additional: true } as const;
const BY_MUTANTS: ReadonlySet<string> = new Set([
  'reseller.account.refused-login-link',
  'reseller.account.refused-switches',
  'reseller.account.refused-premium',
]);

const restStays = ({ id, what, options, steps: prepare }: Group): Check =>
  check(
    id,
    `MUST leave the rest of the account unchanged when ${what}`,
    { clauses: ['reseller.account.rest-stays'], ...BESIDE, ...options },
    async (context) => {
      const { steps, domain } = await prepare(context);
      await leaveTheRest(context, steps, domain);
    },
  );

/** Refused calls for the own website, with bad tokens. The last of them is the one that would change what the others leave. */
const refusedLeaves = (
  id: string,
  what: string,
  options: Group['options'],
  calls: (context: Context) => Promise<readonly ServiceRequest[]>,
): Check =>
  check(
    id,
    `MUST leave the whole account unchanged when it refuses ${what}`,
    { clauses: ['envelope.reseller.refusal-changes-nothing'], ...(BY_MUTANTS.has(id) ? BESIDE : {}), ...options },
    async (context) => {
      const refused = await calls(context);
      const bad = await oneOfEach(context);
      const paths = refused.map(({ path }) => path).join(' and ');
      const changes = bad.map(({ change }) => change).join(', and with ');
      const send = async (): Promise<void> => {
        for (const call of refused) await refuseWithBadTokens(context, call, bad);
      };
      await leaveTheRest(context, [{ what: `${paths} with ${changes}, which is refused,`, purposes: [], send }]);
    },
  );

/** The same call twice: the second one undoes nothing of what the first may have done. */
async function refuseWithBadTokens(context: Context, call: ServiceRequest, bad: readonly Probe[]): Promise<void> {
  const { given, send } = context;
  for (const { change, mutate } of bad) {
    const answer = await send(mutate(call), 'probe');
    given.holds(!isServed(answer), 'reseller.token.every-write', `${call.path} was served with ${change}`, { answer });
  }
}

export const checks: readonly Check[] = [
  // First, and with settings that all have a value: what was lost once can't be seen to be lost again.
  check(
    'reseller.account.rest-stays-sessions',
    'MUST leave the settings unchanged on authorize and logout',
    { clauses: ['reseller.account.rest-stays'], ...BESIDE, ...SETTINGS_OF_WEBSITE },
    ownSessions(async (context) => {
      await allChanged(context, 'together');
      const send = async (): Promise<void> => {
        const reseller = await login(context);
        await ask(context, (via) => reseller.logOut(via), 'logout');
        context.resources.forgetToken();
      };
      await leaveTheRest(context, [{ what: 'logging in and out', purposes: [], send }]);
    }),
  ),
  ...GROUPS.map(restStays),
  refusedLeaves('reseller.account.refused-login-link', 'a login link', LINKS, async (context) => {
    const reseller = await context.reseller();
    return [reseller.createLoginLink(website(context))];
  }),
  refusedLeaves('reseller.account.refused-switches', 'to enable or disable a website', STATUS, async (context) => {
    await switching(context);
    const reseller = await context.reseller();
    return [reseller.enableWebsite(website(context)), reseller.disableWebsite(website(context))];
  }),
  refusedLeaves('reseller.account.refused-premium', 'to start or stop a subscription', BILLING, async (context) => {
    await withoutSubscription(context);
    const reseller = await context.reseller();
    return [reseller.disablePremium(website(context)), reseller.enablePremium(website(context), 'premium')];
  }),
  refusedLeaves('reseller.account.refused-domains', 'to add or remove a domain', DOMAINS, async (context) => {
    const id = await attached(context);
    const domain = nameBelow(context);
    await reserve(context, domain);
    const reseller = await context.reseller();
    return [reseller.addDomain(website(context), domain), reseller.removeDomain(website(context), id)];
  }),
  refusedLeaves('reseller.account.refused-settings', 'to change settings', SETTINGS_OF_WEBSITE, async (context) => {
    const [{ name, old }] = await allChanged(context, 'together');
    const reseller = await context.reseller();
    return [reseller.changeSettings([[name, old]])];
  }),
];

/** Kept apart: a password that goes wrong locks everything else out. */
export const passwordChecks: readonly Check[] = [
  check(
    'reseller.account.rest-stays-password',
    'MUST leave the rest of the account unchanged when it changes the password',
    {
      clauses: ['reseller.account.rest-stays'],
      ...BESIDE,
      ...PASSWORD,
      needs: [...PASSWORD.needs, 'reseller.website'],
    },
    ownSessions(async (context) => {
      const { given, send } = context;
      const reseller = await context.reseller();
      given.track({ kind: 'password' });
      const change = async (): Promise<void> => {
        await send(reseller.changePassword(temporary(context)), 'change');
        // The change may end the session: back to the old password, and into a new one.
        context.resources.forgetToken();
        const again = await login(context, temporary(context));
        await send(again.changePassword(account(context).password), 'back');
        context.resources.forgetToken();
      };
      await leaveTheRest(context, [{ what: 'changing the password', purposes: [], send: change }]);
    }),
  ),
];
