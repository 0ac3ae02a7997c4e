/** Calls of Reseller that change something and are served: answers to look at for their form. */
import type { Context } from '../../../harness/check/context.ts';
import type { CheckOptions } from '../../../harness/check/facts.ts';
import { once, unlessUndecided } from '../../../harness/resources/once.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { add, attached, remove, runDomain } from '../../reseller/steps/domains.ts';
import { ask, givenTokenEnded, website, withOwnSessions } from '../../reseller/steps/login/session.ts';
import { BILLING, DOMAINS, LINKS, SETTINGS, STATUS } from '../../reseller/steps/options.ts';
import { givenOwnWebsite } from '../../reseller/steps/records.ts';
import { seenChange, set, settable } from '../../reseller/steps/settings.ts';
import {
  type SharedChange,
  sharedDomain,
  sharedSubscription,
  sharedSwitch,
} from '../../reseller/steps/shared-changes.ts';
import { downgrade, upgrade, withoutSubscription } from '../../reseller/steps/website/subscription.ts';
import { switching } from '../../reseller/steps/website/switch-website.ts';
import type { NamedResponse } from './responses.ts';

type ResponseTaker = (named: NamedResponse) => void;

export interface Writes {
  /** Of the checks of the envelope and of the content type. */
  readonly ids: { readonly form: string; readonly label: string };
  /** In words, for titles: `enable and disable`. */
  readonly what: string;
  readonly options: Pick<CheckOptions, 'needs' | 'effects' | 'part'>;
  /** Makes the calls and shows each response, as it comes. */
  readonly run: (context: Context, take: ResponseTaker) => Promise<void>;
}

/** Names what the two checks of these calls share. */
export const sharedBy = ({ what }: Pick<Writes, 'what'>): string => `answers of Reseller to ${what}`;

/** The responses, for which the calls are made once. */
export const responsesTo = (context: Context, writes: Writes): Promise<readonly NamedResponse[]> =>
  once(context, sharedBy(writes), async () => {
    const responses: NamedResponse[] = [];
    await writes.run(context, (named) => void responses.push(named));
    return responses;
  });

/** A change that was made for other checks, where both of its calls were served; else it is made for these. */
async function servedOf(
  change: () => Promise<SharedChange<unknown> | undefined>,
): Promise<SharedChange<unknown> | undefined> {
  const shared = await unlessUndecided(change);
  return shared !== undefined && isServed(shared.done) && isServed(shared.undone) ? shared : undefined;
}

async function linksAndLogout(context: Context, take: ResponseTaker): Promise<void> {
  const { given } = context;
  await givenOwnWebsite(context);
  const reseller = await context.resellerUnchecked();
  const link = ask(context, (via) => reseller.createLoginLink(website(context), via));
  take({ what: 'login', response: await given.accepted(link, 'reseller.login.link') });
  const logout = await ask(context, (via) => reseller.logOut(via));
  await givenTokenEnded(context, reseller, logout);
  take({ what: 'logout', response: await given.accepted(logout, 'reseller.logout.invalidates') });
}

export const WRITES: readonly Writes[] = [
  {
    ids: {
      form: 'envelope.reseller.success-error-false-links-and-logout',
      label: 'envelope.reseller.json-content-type-links-and-logout',
    },
    what: 'the login call and logout',
    options: LINKS,
    run: (context, take) => withOwnSessions((inner) => linksAndLogout(inner, take))(context),
  },
  {
    ids: {
      form: 'envelope.reseller.success-error-false-site-status',
      label: 'envelope.reseller.json-content-type-site-status',
    },
    what: 'enable and disable',
    options: STATUS,
    run: async (context, take) => {
      const shared = await servedOf(() => sharedSwitch(context));
      if (shared !== undefined) {
        take({ what: 'disable', response: shared.done });
        take({ what: 'enable', response: shared.undone });
        return;
      }
      const { disable, enable } = await switching(context);
      take({ what: 'disable', response: await context.given.accepted(disable(), 'reseller.website.disable') });
      take({ what: 'enable', response: await context.given.accepted(enable(), 'reseller.website.enable') });
    },
  },
  {
    ids: {
      form: 'envelope.reseller.success-error-false-domains',
      label: 'envelope.reseller.json-content-type-domains',
    },
    what: 'adding and removing a domain',
    options: DOMAINS,
    run: async (context, take) => {
      const shared = await servedOf(() => sharedDomain(context));
      if (shared !== undefined) {
        take({ what: 'removing a domain', response: shared.undone });
        take({ what: 'adding a domain', response: shared.done });
        return;
      }
      const { given } = context;
      const id = await attached(context);
      const removed = await given.accepted(remove(context, id), 'reseller.domain.remove-detaches');
      take({ what: 'removing a domain', response: removed });
      const added = await given.accepted(add(context, runDomain(context)), 'reseller.domain.add-attaches');
      take({ what: 'adding a domain', response: added });
    },
  },
  {
    ids: {
      form: 'envelope.reseller.success-error-false-settings',
      label: 'envelope.reseller.json-content-type-settings',
    },
    what: 'a change of settings',
    options: SETTINGS,
    run: async (context, take) => {
      const seen = seenChange(context);
      if (seen !== undefined) return take({ what: 'settings/set', response: seen });
      const setting = await settable(context);
      const response = await context.given.accepted(set(context, [setting]), 'reseller.settings.set-applies');
      take({ what: 'settings/set', response });
    },
  },
  {
    ids: {
      form: 'envelope.reseller.success-error-false-premium',
      label: 'envelope.reseller.json-content-type-premium',
    },
    what: 'starting and stopping a subscription',
    options: BILLING,
    run: async (context, take) => {
      const shared = await servedOf(() => sharedSubscription(context, 'premium'));
      if (shared !== undefined) {
        take({ what: 'enable_premium', response: shared.done });
        take({ what: 'disable_premium', response: shared.undone });
        return;
      }
      const { given } = context;
      await withoutSubscription(context);
      const started = await given.accepted(upgrade(context, 'premium'), 'reseller.premium.enable');
      take({ what: 'enable_premium', response: started });
      const stopped = await given.accepted(downgrade(context), 'reseller.premium.disable-served');
      take({ what: 'disable_premium', response: stopped });
    },
  },
];
