/** The subscription of the website that a run may use. */
import { isMissing } from '../../../../contracts/fields/forms.ts';
import { isJsonObject } from '../../../../contracts/json/object.ts';
import type { Context } from '../../../../harness/check/context.ts';
import { summary } from '../../../../harness/check/expect.ts';
import { GivenFailure, Inconclusive } from '../../../../harness/check/failures.ts';
import type { Resources } from '../../../../harness/resources/resources.ts';
import type { ServiceResponse } from '../../../../harness/target/client/types.ts';
import type { Json } from '../../../../harness/target/interfaces/delivery.ts';
import { isServed, NOT_OFFERED } from '../../../../harness/target/response/judge-response.ts';
import { ask, website } from '../login/session.ts';
import { ownRecord } from '../records.ts';

/** Whether the website has a subscription, by its record. */
export const isPremium = async (context: Context): Promise<boolean> => (await premiumAndStatus(context)).premium;

/** The same with the status that the record shows. */
export async function premiumAndStatus(context: Context): Promise<{ premium: boolean; status: unknown }> {
  const { websiteIsPremium, websiteStatus: status } = await ownRecord(context);
  if (isMissing(websiteIsPremium)) {
    throw new Inconclusive('the record of the website has no websiteIsPremium, so there is nothing to judge', 'target');
  }
  if (typeof websiteIsPremium !== 'boolean') {
    throw new GivenFailure('websiteIsPremium is not a boolean', 'reseller.website.booleans');
  }
  return { premium: websiteIsPremium, status };
}

/** Runs that have seen their website without a subscription: a later one is their own. */
const seenWithout = new WeakSet<Resources>();

/** Checks that have started a subscription and not stopped it yet. */
const startedIn = new WeakSet<Context>();

/** Whether this check has started a subscription that still runs. */
export const hasStarted = (context: Context): boolean => startedIn.has(context);

/** Notes that a subscription which this check has started has ended by another call. */
export const noteEnded = (context: Context): void => void startedIn.delete(context);

const refusedStops = new WeakMap<Resources, ServiceResponse>();

/**
 * The refusal to stop a subscription that the same check had started; undefined if there was none in this run. Only such a refusal is
 * certain: a subscription that an earlier check or clean-up has stopped may be shown until its period ends, and not be stopped again.
 */
export const refusedStop = ({ resources }: Context): ServiceResponse | undefined => refusedStops.get(resources);

/** Whether the website has a subscription that this run started and could not stop. */
export const isLeftoverSubscription = async (context: Context): Promise<boolean> =>
  seenWithout.has(context.resources) && (await isPremium(context));

/**
 * Throws where the website had a subscription before the run, by the record from before. Disabling may end it (the contract is
 * silent), and a run can't put back what a customer has paid for.
 */
export function refuseSubscribed(context: Context, { websiteIsPremium }: Json): void {
  if (websiteIsPremium === true && !seenWithout.has(context.resources))
    throw new Inconclusive(has(context), 'configuration');
}

const has = (context: Context): string =>
  `website ${website(context)} has a subscription, which a run must not change: set reseller.website to a website without one`;

/** Makes sure that the website has no subscription, and stops a new one when the check ends. */
export async function withoutSubscription(context: Context): Promise<void> {
  if (await isPremium(context)) {
    const message = 'a subscription that was started and stopped before still exists';
    context.given.granted(!seenWithout.has(context.resources), 'reseller.premium.disable', message);
    throw new Inconclusive(has(context), 'configuration');
  }
  seenWithout.add(context.resources);
  context.given.track({ kind: 'website-premium', website: website(context), old: 'none' });
}

/** Starts a subscription. Throws if the account cannot pay for one. */
export async function upgrade(context: Context, level: string): Promise<ServiceResponse> {
  const reseller = await context.reseller();
  const response = await ask(context, (via) => reseller.enablePremium(website(context), level, via), 'upgrade');
  const code = isJsonObject(response.json) ? response.json.errorCode : undefined;
  if (!isServed(response) && (response.status === 402 || code === 402)) {
    throw new Inconclusive(
      `the account can't pay for a subscription (${summary(response)}): top it up`,
      'configuration',
    );
  }
  if (isServed(response)) startedIn.add(context);
  return response;
}

const LEVELS = ['premium', 'premiumplus'] as const;

/** No service has it: a refusal of it shows how one of an unknown level looks. */
export const UNKNOWN_LEVEL = 'proofmark';

/**
 * What a service demands of an account or a website before a subscription starts is not stated (an invoice, a confirmed address,
 * another level first), nor how it refuses. A refusal counts against it if it does not have the operation, or if it does not know
 * this level but the other one. Throws if the refusal may be about anything else, or returns the response to a second try that
 * follows the other level.
 */
export async function refusedUpgrade(
  context: Context,
  level: string,
  refusal: ServiceResponse,
): Promise<ServiceResponse> {
  if (isServed(refusal) || NOT_OFFERED.has(refusal.status)) return refusal;
  const unknown = await upgrade(context, UNKNOWN_LEVEL);
  const isUnknown = !isServed(unknown) && withoutLevels(unknown) === withoutLevels(refusal);
  if (isServed(unknown)) {
    // What starts the subscription of a level that does not exist has no condition left for one that does.
    const isStarted = await isPremium(context);
    await downgrade(context);
    if (isStarted) return refusal;
  }
  const other = await upgrade(context, LEVELS.find((one) => one !== level)!);
  if (isServed(other)) {
    if (isUnknown) return refusal;
    // A service may have this level only for websites with the other one.
    const again = await upgrade(context, level);
    if (isServed(again)) return again;
  }
  throw new Inconclusive(
    `the target does not start the subscription ${level} (${summary(refusal)}), perhaps because of a condition that the account or the website does not meet: meet it, or set reseller.website to another website`,
    'configuration',
  );
}

/** What a refusal says, apart from the levels that it names. */
const withoutLevels = ({ status, text }: ServiceResponse): string =>
  `${status} ${text.replaceAll(/premium(plus)?|proofmark/g, 'level')}`;

/** Stops the subscription. */
export async function downgrade(context: Context): Promise<ServiceResponse> {
  const reseller = await context.reseller();
  const response = await ask(context, (via) => reseller.disablePremium(website(context), via), 'downgrade');
  if (isServed(response)) startedIn.delete(context);
  else if (startedIn.has(context)) refusedStops.set(context.resources, response);
  return response;
}

/** As a precondition: the website of the run has a subscription, which this check has started. */
export async function givenSubscription(context: Context): Promise<void> {
  if (hasStarted(context)) return;
  const { given } = context;
  await withoutSubscription(context);
  await given.accepted(upgrade(context, 'premium'), 'reseller.premium.enable');
  given.holds(await isPremium(context), 'reseller.premium.enable', 'the website is not premium after its upgrade');
}

/** Asserts that the website still has the subscription that `givenSubscription` started. */
export async function expectSubscription(context: Context, after: string): Promise<void> {
  context.expect.that(await isPremium(context), `websiteIsPremium must stay true when ${after}`, {
    expected: true,
    actual: false,
  });
}
