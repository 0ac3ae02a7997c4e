/** What changes of domains leave alone although it belongs to the same website: its subscription. */
import { type Check, check } from '../../../harness/check/check.ts';
import { ATTACHES, add, idOf, remove, reserve } from '../steps/domains.ts';
import { BILLING, DOMAINS } from '../steps/options.ts';
import { sharedKept } from '../steps/shared-changes.ts';
import { NOTHING_ELSE_CHANGES } from '../steps/website/other-websites.ts';
import { expectSubscription, givenSubscription } from '../steps/website/subscription.ts';

export const checks: readonly Check[] = [
  check(
    'reseller.domain.changes-keep-subscription',
    'MUST keep the subscription of a website whose domains change',
    { clauses: [NOTHING_ELSE_CHANGES], ...BILLING, ...DOMAINS, effects: ['billing', 'domains'] },
    async (context) => {
      const isKept = (await sharedKept(context))?.premiumAfterDomain;
      if (isKept !== undefined) return context.expect.that(isKept, 'the subscription must stay when domains change');
      await givenSubscription(context);
      await reserve(context);
      await context.given.accepted(add(context), ATTACHES);
      await remove(context, await idOf(context));
      await expectSubscription(context, 'a domain is added and removed');
    },
  ),
];
