/** What most checks of Delivery have in common: the store's own key, and methods that the check makes and takes away. */
import type { CheckOptions } from '../../../harness/check/facts.ts';

type Shared = Pick<CheckOptions, 'needs' | 'effects' | 'part'>;

/** Works on methods of its own, under the store's key. */
export const OWN_METHODS: Shared = { needs: ['delivery.private.apiKey'], effects: 'write', part: 'delivery' };

/** As above, for texts in the languages of the website. */
export const OWN_TEXTS: Shared = {
  needs: ['delivery.private.apiKey', 'website.languages'],
  effects: 'write',
  part: 'delivery',
};

/** Two stores that must not get at each other's methods. */
export const TWO_STORES: Shared = {
  needs: ['delivery.private.apiKey', 'delivery.private.otherApiKey'],
  effects: 'write',
  part: 'delivery.private',
};
