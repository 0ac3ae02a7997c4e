/** What a driver may enter for the buyer of an order. */
import type { Context } from '../../../harness/check/context.ts';
import type { BuyerEntries } from '../../../harness/target/driver/target-driver.ts';

/** Names and an address that every checkout takes, with what careless software changes: quotes, signs, letters outside ASCII, zeros. */
const BUYER = {
  firstName: 'Zoë Anna',
  lastName: "O'Neil-Bērziņa",
  company: 'Bērziņa & "Jūras Vējš" SIA',
  email: 'zoe.oneil@buyer.example',
  phone: '+37120000009',
  street: 'Brīvības iela 007 k-2, dz. 15',
  city: 'Rīga',
} as const;
const ZIPS: Readonly<Record<string, string>> = { LV: 'LV-1011', EE: '10111', LT: 'LT-01103', FI: '00100' };

/** What a driver may enter for the buyer, in a store of the profile's country. */
export function buyerOf({ profile }: Context): BuyerEntries {
  const zip = ZIPS[profile.website?.country ?? ''];
  return { ...BUYER, ...(zip === undefined ? {} : { zip }) };
}
