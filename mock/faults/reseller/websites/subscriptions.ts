/** Faults of what a subscription changes beside the website that gets it. */
import type { Deviation } from '../../../types/deviation.ts';
import { API, afterwards } from '../interception.ts';

export const subscriptionFaults: readonly Deviation[] = [
  {
    id: 'reseller.higher-level-upgrades-all',
    clause: 'reseller.website.only-named-website-changes',
    about: 'Starting the level premiumplus starts it for all websites; premium starts for one.',
    http: afterwards(API.enablePremium, ({ service: { state }, parts }) => {
      if (parts[1] !== 'premiumplus') return;
      for (const { id } of state.websites.all()) state.websites.patch(String(id), { premium: 'premiumplus' });
    }),
  },
];
