/** What calls for the domains of a website leave alone although it belongs to the same website, and what keeps its domains. */
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { Skipped } from '../../../harness/check/failures.ts';
import { ATTACHES, add, attached, idOf, recordsNamed, remove, reserve, runDomain } from '../steps/domains.ts';
import { needsSubscription } from '../steps/domains-with-subscription.ts';
import { BILLING, DOMAINS } from '../steps/options.ts';
import { ownRecord } from '../steps/records.ts';
import { sharedKept } from '../steps/shared-changes.ts';
import { NOTHING_ELSE_CHANGES } from '../steps/website/other-websites.ts';
import { expectSubscription, givenSubscription } from '../steps/website/subscription.ts';
import { expectNotDisabled, givenStatusShown } from '../steps/website/switched-status.ts';

/** The websiteStatus with the domain of the run, and after its removal. */
async function domainStatuses(context: Context): Promise<readonly [attached: unknown, removed: unknown]> {
  const kept = await sharedKept(context);
  if (kept !== undefined) return kept.statuses;
  const id = await attached(context);
  const { websiteStatus: withDomain } = await ownRecord(context);
  await context.given.accepted(remove(context, id), 'reseller.domain.remove-detaches');
  return [withDomain, (await ownRecord(context)).websiteStatus];
}

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
  // What is left when a subscription stops is not stated: a service may sell domains with it.
  check(
    'reseller.domain.kept-by-upgrade',
    'MUST list the domains of a website after a subscription was started',
    { clauses: [NOTHING_ELSE_CHANGES], ...BILLING, ...DOMAINS, effects: ['billing', 'domains'] },
    async (context) => {
      const name = runDomain(context);
      const message = `${name} must stay with the website when a subscription starts`;
      const kept = await sharedKept(context);
      if (needsSubscription(context) || (kept !== undefined && kept.domainAfterStart === undefined))
        throw new Skipped('a domain can be attached only once a subscription has started');
      if (kept !== undefined) return context.expect.that(kept.domainAfterStart === true, message);
      await attached(context);
      await givenSubscription(context);
      const { found, response } = await recordsNamed(context);
      context.expect.that(found.length > 0, message, {
        expected: `a record of ${name}`,
        pointer: '/domains',
        response,
      });
    },
  ),
  check(
    'reseller.domain.stays-enabled',
    'SHOULD keep a website enabled when its domains change',
    { clauses: ['reseller.domain.stays-enabled'], ...DOMAINS, effects: ['domains', 'site-status'] },
    async (context) => {
      const statuses = await givenStatusShown(context);
      const [withDomain, removed] = await domainStatuses(context);
      expectNotDisabled(context, statuses, [
        ['a domain was added', withDomain],
        ['a domain was removed', removed],
      ]);
    },
  ),
];
