/** Options of most Delivery checks: the store's key, and methods that the check creates and deletes. */
import type { CheckOptions } from '../../../harness/check/facts.ts';

type Shared = Pick<CheckOptions, 'needs' | 'effects' | 'part' | 'takesProvider'>;

/** Uses its own methods with the store's key. */
export const OWN_METHODS: Shared = { needs: ['delivery.private.apiKey'], effects: 'write', part: 'delivery' };

/** The same for texts in the languages of the website. */
export const OWN_TEXTS: Shared = {
  needs: ['delivery.private.apiKey', 'website.languages'],
  effects: 'write',
  part: 'delivery',
};

/** Two stores. */
export const TWO_STORES: Shared = {
  needs: ['delivery.private.apiKey', 'delivery.private.otherApiKey'],
  effects: 'write',
  part: 'delivery.private',
};

/** A store, and another owner that must not reach its methods: a second store, or else a delivery provider. */
export const TWO_OWNERS: Shared = { ...TWO_STORES, takesProvider: true };

/** Methods of a delivery provider. */
export const OF_PROVIDER: Shared = { needs: ['delivery.public.apiKey'], effects: 'write', part: 'delivery.public' };
