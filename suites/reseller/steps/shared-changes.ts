/**
 * Changes of the account that several checks judge, each of its own clause, made once for all of them at their first try. A check
 * that does not pass on one is run again, and makes the change itself: these only save requests.
 */

import { comparedName } from '../../../contracts/fields/domain-names.ts';
import { recordId } from '../../../contracts/json/record-ids.ts';
import type { Context } from '../../../harness/check/context.ts';
import { atOnce } from '../../../harness/process/at-once.ts';
import { keepForAll, once, unlessUndecided } from '../../../harness/resources/once.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { ATTACHES, add, attached, idOf, recordsNamed, remove, reserve, runDomain } from './domains.ts';
import { needsSubscription } from './domains-with-subscription.ts';
import { sendRefused } from './login/bad-tokens.ts';
import { isGetFirst } from './login/session.ts';
import {
  downgrade,
  givenSubscription,
  isPremium,
  noteEnded,
  premiumAndStatus,
  upgrade,
  withoutSubscription,
} from './website/subscription.ts';
import { switching } from './website/switch-website.ts';

/** A change and what takes it back, both by POST first. */
export interface SharedChange<Shown> {
  readonly done: ServiceResponse;
  /** What the account shows after it. */
  readonly shown: Shown;
  readonly undone: ServiceResponse;
  readonly shownAfter: Shown;
}

/** Makes a change once; undefined where a check has to make it itself. */
export async function shared<Change extends SharedChange<unknown>>(
  context: Context,
  name: string,
  make: () => Promise<Change>,
): Promise<Change | undefined> {
  return isGetFirst(context) || context.explains ? undefined : once(context, name, make);
}

/** Keeps a change for the other checks that judge it, which a check has made and judged by the rest of the account. */
function keep(context: Context, name: string, change: SharedChange<unknown>): void {
  if (!isGetFirst(context)) keepForAll(context, name, change);
}

/** Asserts that calls were served by POST, without a second try by GET. */
export function expectByPost({ expect }: Context, responses: readonly ServiceResponse[]): void {
  for (const response of responses) {
    const { url, method } = response.request;
    expect.served(response, `${new URL(url).pathname} must be served by POST with its parameters as form fields`);
    expect.equal(method, 'POST', `${new URL(url).pathname} must be served by POST`, { response });
  }
}

interface SharedSwitch extends SharedChange<Json> {
  /** The record before the run switched anything. */
  readonly original: Json;
}

const SWITCH = 'a website that was disabled and enabled';

export const keepSwitch = (context: Context, change: SharedSwitch): void => keep(context, SWITCH, change);

/** The own website, disabled and enabled, with its records. */
export const sharedSwitch = (context: Context): Promise<SharedSwitch | undefined> =>
  shared(context, SWITCH, async () => {
    const { enable, disable, original, record } = await switching(context);
    const done = await disable();
    const shown = await record();
    const undone = await enable();
    return { original, done, shown, undone, shownAfter: await record() };
  });

type Level = 'premium' | 'premiumplus';

const subscription = (level: Level): string => `a subscription ${level} that was started and stopped`;

interface SharedSubscription extends SharedChange<boolean> {
  /** The websiteStatus while the subscription ran, and after it was stopped. */
  readonly statuses: readonly [during: unknown, after: unknown];
}

export const keepSubscription = (context: Context, level: Level, change: SharedSubscription): void =>
  keep(context, subscription(level), change);

/** A subscription of the own website, started and stopped, and whether the website is premium. */
export const sharedSubscription = (context: Context, level: Level): Promise<SharedSubscription | undefined> =>
  shared(context, subscription(level), async () => {
    await withoutSubscription(context);
    const done = await upgrade(context, level);
    if (level === 'premium') await sendRefused(context);
    const { premium: shown, status: during } = await premiumAndStatus(context);
    const undone = await downgrade(context);
    const { premium: shownAfter, status: after } = await premiumAndStatus(context);
    return { done, shown, undone, shownAfter, statuses: [during, after] };
  });

const DOMAIN = 'a domain that was added and removed';

export const keepDomain = (context: Context, change: SharedChange<number>): void => keep(context, DOMAIN, change);

/** The domain of the run, added and removed by its id, and how many records of it are listed. */
export const sharedDomain = (context: Context): Promise<SharedChange<number> | undefined> =>
  shared(context, DOMAIN, async () => {
    const records = async () => (await recordsNamed(context)).found.length;
    await reserve(context);
    const done = await add(context);
    // A service may not attach a name again that was removed: another name is tried then, and this one is not missing.
    await context.given.accepted(done, ATTACHES);
    const shown = await records();
    const undone = await remove(context, await idOf(context));
    return { done, shown, undone, shownAfter: await records() };
  });

/** What a website with a domain and a subscription has left after calls about something else. */
interface Kept {
  /** Undefined where the domain could be attached only once the subscription had started. */
  readonly domainAfterStart: boolean | undefined;
  readonly premiumAfterSwitch: boolean;
  readonly domainAfterSwitch: boolean;
  /** Undefined where the subscription had ended before a domain was removed: a service may end it when it disables a website. */
  readonly premiumAfterDomain: boolean | undefined;
  /** The websiteStatus after the domain was attached, and after it was removed. */
  readonly statuses: readonly [attached: unknown, removed: unknown];
}

/**
 * The own website, which gets a domain and a subscription, is disabled and enabled, and loses the domain. Undefined where the run may
 * not do all of this.
 */
export async function sharedKept(context: Context): Promise<Kept | undefined> {
  const { given, profile } = context;
  const mayAll = (['billing', 'domains', 'site-status'] as const).every((one) => profile.allow.has(one));
  if (!mayAll || profile.reseller?.domain === undefined || context.explains) return undefined;
  return once(context, 'a website with a domain and a subscription', async () => {
    const { enable, disable } = await switching(context);
    const name = runDomain(context);
    // A service may attach domains only to a website with a subscription.
    const early = needsSubscription(context) ? undefined : await unlessUndecided(() => attached(context, name));
    const { status: withDomain } = await premiumAndStatus(context);
    await givenSubscription(context);
    const isKept = early === undefined ? undefined : (await recordsNamed(context, name)).found.length > 0;
    const id = isKept === true ? early! : await attached(context, name);
    await given.accepted(disable(), 'reseller.website.disable');
    await given.accepted(enable(), 'reseller.website.enable');
    const [premiumAfterSwitch, before] = await atOnce([() => isPremium(context), () => recordsNamed(context, name)]);
    if (!premiumAfterSwitch) noteEnded(context);
    await given.accepted(remove(context, id), 'reseller.domain.remove-detaches');
    const [{ premium: premiumAfterDomain, status: removed }, after] = await atOnce([
      () => premiumAndStatus(context),
      () => recordsNamed(context, name),
    ]);
    // A service that removes another domain of the website may do so once only: then no other is left.
    if (before.found.length > 0) {
      const { response } = after;
      const isGone = !after.records.some((record) => recordId(record, 'domainID') === id);
      given.holds(isGone, 'reseller.domain.remove-detaches', 'a removed domain is still listed', { response });
      // A service may list names below it, such as the one with www, as long as it is attached.
      const names = ({ records, found }: typeof before) =>
        records.filter((record) => !found.includes(record)).map(({ domain }) => comparedName(String(domain)));
      const lost = names(before).filter((one) => !names(after).includes(one) && !one.includes(comparedName(name)));
      const message = `removing one domain removes ${lost.join(' and ')}`;
      given.holds(lost.length === 0, 'reseller.domain.remove-leaves-others', message, { response });
    }
    return {
      domainAfterStart: isKept,
      premiumAfterSwitch,
      domainAfterSwitch: before.found.length > 0,
      premiumAfterDomain: premiumAfterSwitch ? premiumAfterDomain : undefined,
      statuses: [withDomain, removed],
    };
  });
}
