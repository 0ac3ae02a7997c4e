/** What a driver may enter for the buyers of orders. */
import type { Context } from '../../../harness/check/context.ts';
import type { BuyerEntries } from '../../../harness/target/driver/target-driver.ts';

interface Buyer extends Omit<BuyerEntries, 'zip'> {
  /** By country of the store. */
  readonly zips: Readonly<Record<string, string>>;
}

/** Names and an address that every checkout takes, with what careless software changes: quotes, signs, letters outside ASCII, zeros. */
const FIRST: Buyer = {
  firstName: 'Zoë Anna',
  lastName: "O'Neil-Bērziņa",
  company: 'Bērziņa & "Jūras Vējš" SIA',
  email: 'zoe.oneil@buyer.example',
  phone: '+37120000009',
  street: 'Brīvības iela 007 k-2, dz. 15',
  city: 'Rīga',
  zips: { LV: 'LV-1011', EE: '10111', LT: 'LT-01103', FI: '00100' },
};

/** Another person, whose names have small first letters and capitals inside, with a company of more than 50 characters. */
const SECOND: Buyer = {
  firstName: 'Jean-françois',
  lastName: 'van der MacKenzie',
  company: 'Ķekavas būvmateriālu un dārza tehnikas noliktava SIA',
  email: 'info.2@orders.buyer.example',
  phone: '+37126000010',
  street: 'Krišjāņa Barona iela 12/14-3A',
  city: 'Ventspils',
  zips: { LV: 'LV-3601', EE: '51003', LT: 'LT-44255', FI: '02100' },
};

/** What a driver may enter for the buyer, in a store of the profile's country; another one, so that orders can't be confused. */
export function buyerOf({ profile }: Context, isOther: boolean): BuyerEntries {
  const { zips, ...entries } = isOther ? SECOND : FIRST;
  const zip = zips[profile.website?.country ?? ''];
  return { ...entries, ...(zip === undefined ? {} : { zip }) };
}
