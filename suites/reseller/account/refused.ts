/**
 * A refused call leaves the whole account unchanged. These checks run early in their group: a value that is already lost
 * cannot be observed to be lost again (spec: Errors).
 */
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { Probe } from '../../../harness/check/expect.ts';
import type { CheckOptions } from '../../../harness/check/facts.ts';
import { atOnce } from '../../../harness/process/at-once.ts';
import { keepForAll } from '../../../harness/resources/once.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import { isServed, refusesMethod } from '../../../harness/target/response/judge-response.ts';
import { UNKNOWN_ID } from '../../envelope/reseller/responses.ts';
import { attached, newSubdomain, reserve, runDomain } from '../steps/domains.ts';
import { byGetOf, oneOfEach, refusedByGet } from '../steps/login/bad-tokens.ts';
import { website } from '../steps/login/session.ts';
import { BILLING, DOMAINS, LINKS, SETTINGS, STATUS } from '../steps/options.ts';
import { allChanged } from '../steps/settings.ts';
import { withoutSubscription } from '../steps/website/subscription.ts';
import { switching } from '../steps/website/switch-website.ts';
import { expectNothingElseChanges, wholeAccount } from './whole.ts';

type Options = Pick<CheckOptions, 'needs' | 'effects' | 'part'>;

/** Those that need a website or a subscription: refused changes of settings and domains decide the clause. */
const BESIDE: ReadonlySet<string> = new Set([
  'reseller.account.refused-login-link',
  'reseller.account.refused-site-status',
  'reseller.account.refused-premium',
]);

/** Refused calls for the own website, with bad tokens. The last one would change what the others leave. */
const refusedLeaves = (
  id: string,
  what: string,
  options: Options,
  calls: (context: Context) => Promise<readonly ServiceRequest[]>,
): Check =>
  check(
    id,
    `MUST leave the whole account unchanged when it refuses ${what}`,
    {
      clauses: ['envelope.reseller.refusal-changes-nothing'],
      ...(BESIDE.has(id) ? { additional: true } : {}),
      ...options,
    },
    async (context) => {
      const refused = await calls(context);
      const [none, wrong] = (await oneOfEach(context)) as [Probe, Probe];
      // An odd number: a value that each of them toggles would be restored after two.
      const bad = [none, wrong, none];
      const unknown = await forUnknownWebsite(context, refused);
      const what = `${refused.map(({ path }) => path).join(' and ')} with ${none.change}, and with ${wrong.change}, which is refused, and ${unknown.path}`;
      const send = async (): Promise<void> => {
        for (const call of refused) await refuseWithBadTokens(context, call, bad);
        // A service that ends a transaction of before with this refusal would undo what was changed last.
        // Twice, so that its operation is refused an odd number of times as well.
        await context.send(unknown, 'probe');
        const response = await context.send(unknown, 'probe');
        const byGet = byGetOf(unknown);
        if (byGet !== undefined && refusesMethod(response)) await context.send(byGet, 'probe');
      };
      await expectNothingElseChanges(context, [{ what, purposes: [], send }]);
      for (const call of refused) if (byGetOf(call) !== undefined) keepForAll(context, refusedByGet(call), true);
    },
  );

/** The first of these calls that names a website, for one that does not exist; another such call where none of them does. */
async function forUnknownWebsite(context: Context, calls: readonly ServiceRequest[]): Promise<ServiceRequest> {
  const own = `website/${website(context)}/`;
  const reseller = await context.reseller();
  const call = calls.find(({ path }) => path.startsWith(own)) ?? reseller.disableWebsite(website(context));
  return { ...call, path: call.path.replace(own, `website/${UNKNOWN_ID}/`) };
}

/** Sends a call with bad tokens, an odd number of times: a value that each of them toggles would be restored after two. */
export async function refuse(context: Context, call: ServiceRequest): Promise<void> {
  const [none, wrong] = (await oneOfEach(context)) as [Probe, Probe];
  await refuseWithBadTokens(context, call, [none, wrong, none]);
}

/** Sends a logout with bad tokens. It has no session to end, so that a service may answer it with success. */
export async function logOutWithBadTokens(context: Context, logOut: ServiceRequest): Promise<void> {
  const [none, wrong] = (await oneOfEach(context)) as [Probe, Probe];
  await sendByBothMethods(context, logOut, [none, wrong, none]);
}

const sendWith = (context: Context, call: ServiceRequest, bad: readonly Probe[]) =>
  atOnce(
    bad.map(({ change, mutate }) => async () => ({ change, response: await context.send(mutate(call), 'probe') })),
  );

/**
 * Sends a call with bad tokens by POST, and by GET with some of them: parameters in a query are read by other code than a form. All
 * in all their number is odd as well.
 */
async function sendByBothMethods(context: Context, call: ServiceRequest, bad: readonly Probe[]) {
  const byGet = byGetOf(call);
  const ways = [() => sendWith(context, call, bad)];
  if (byGet !== undefined) ways.push(() => sendWith(context, byGet, bad.slice(0, 2)));
  return (await atOnce(ways)).flat();
}

async function refuseWithBadTokens(context: Context, call: ServiceRequest, bad: readonly Probe[]): Promise<void> {
  for (const { change, response } of await sendByBothMethods(context, call, bad))
    context.given.holds(!isServed(response), 'reseller.token.every-write', `${call.path} was served with ${change}`, {
      response,
    });
}

export const refusedLoginLink = refusedLeaves(
  'reseller.account.refused-login-link',
  'a login link',
  LINKS,
  async (context) => {
    const reseller = await context.reseller();
    return [reseller.createLoginLink(website(context))];
  },
);

export const refusedSwitches = refusedLeaves(
  'reseller.account.refused-site-status',
  'to enable or disable a website',
  STATUS,
  async (context) => {
    await switching(context);
    const reseller = await context.reseller();
    return [reseller.enableWebsite(website(context)), reseller.disableWebsite(website(context))];
  },
);

export const refusedPremium = refusedLeaves(
  'reseller.account.refused-premium',
  'to start or stop a subscription',
  BILLING,
  async (context) => {
    await withoutSubscription(context);
    const reseller = await context.reseller();
    return [reseller.disablePremium(website(context)), reseller.enablePremium(website(context), 'premium')];
  },
);

export const refusedDomains = refusedLeaves(
  'reseller.account.refused-domains',
  'to add or remove a domain',
  DOMAINS,
  async (context) => {
    const id = await attached(context, runDomain(context), () => wholeAccount(context));
    const domain = newSubdomain(context);
    await reserve(context, domain);
    const reseller = await context.reseller();
    return [reseller.addDomain(website(context), domain), reseller.removeDomain(website(context), id)];
  },
);

export const refusedSettings = refusedLeaves(
  'reseller.account.refused-settings',
  'to change settings',
  { ...SETTINGS, needs: [...SETTINGS.needs, 'reseller.website'] },
  async (context) => {
    const [{ name, old }] = await allChanged(context);
    const reseller = await context.reseller();
    return [reseller.changeSettings([[name, old]])];
  },
);
