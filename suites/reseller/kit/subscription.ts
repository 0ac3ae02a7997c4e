/** The subscription of the website that a run may use. */
import type { Context } from '../../../harness/context.ts';
import { GivenFailure, Inconclusive } from '../../../harness/failures.ts';
import { website } from './asking.ts';
import { isMissing } from './fields.ts';
import { ownRecord } from './records.ts';

/** Whether the website has a subscription now, by its record. */
export async function isPremium(context: Context): Promise<boolean> {
  const { websiteIsPremium } = await ownRecord(context);
  if (isMissing(websiteIsPremium)) {
    throw new Inconclusive(
      'the record of the website carries no websiteIsPremium, so that nothing can be seen',
      'target',
    );
  }
  if (typeof websiteIsPremium !== 'boolean') {
    throw new GivenFailure('websiteIsPremium is no boolean', 'reseller.website.booleans');
  }
  return websiteIsPremium;
}

/** Makes sure that the website has no subscription, and has one that is started stopped when the check ends. */
export async function withoutSubscription(context: Context): Promise<void> {
  if (await isPremium(context)) {
    throw new Inconclusive(
      `website ${website(context)} has a subscription, which a run must not touch: name one without in reseller.website`,
      'configuration',
    );
  }
  context.given.track({ kind: 'website-premium', website: website(context), old: 'none' });
}
