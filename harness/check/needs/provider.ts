/** Where a delivery provider takes the place of a store that the profile lacks. */
import { isAbsent } from '../../target/profile/index.ts';
import type { Profile } from '../../target/profile/types.ts';
import type { CheckFacts } from '../facts.ts';

export const STORE_KEY = 'delivery.private.apiKey';
export const SECOND_STORE_KEY = 'delivery.private.otherApiKey';
export const PROVIDER_KEY = 'delivery.public.apiKey';

type Facts = Pick<CheckFacts, 'needs' | 'partList' | 'takesProvider'>;
type Owners = Pick<Profile, 'absent' | 'delivery'>;

/**
 * Why a check of a store's methods can't judge those of a provider instead; undefined if it can, or if it needs no store. `website` in
 * the profile is that of the store: which languages a provider's texts may have is not stated (spec: Multilanguage text).
 */
export function storeNeeded({ needs }: Facts): string | undefined {
  if (!needs.includes(STORE_KEY)) return undefined;
  if (needs.some((need) => need.startsWith('delivery.public.'))) {
    return 'the check compares a store with a delivery provider';
  }
  return needs.includes('website.languages') ? 'the check needs a website, whose languages are known' : undefined;
}

/** Whether a check of a store's methods judges those of the provider: the target has no stores with keys, or the profile names none. */
export function actsForProvider(check: Facts, profile: Owners): boolean {
  if (!check.needs.includes(STORE_KEY) || storeNeeded(check) !== undefined) return false;
  if (isAbsent(profile, 'delivery.private')) return true;
  if (isAbsent(profile, 'delivery.public')) return false;
  const { private: store, public: provider } = profile.delivery ?? {};
  return store?.apiKey === undefined && provider?.apiKey !== undefined && !check.partList.includes('delivery.private');
}

/** Whether the provider is the owner that must not reach a store's methods, because the profile names no second store. */
export function isProviderSecond({ needs, takesProvider }: Facts, profile: Owners): boolean {
  if (takesProvider !== true || !needs.includes(SECOND_STORE_KEY) || isAbsent(profile, 'delivery.public')) return false;
  const { private: stores, public: provider } = profile.delivery ?? {};
  return stores?.otherApiKey === undefined && provider?.apiKey !== undefined;
}
