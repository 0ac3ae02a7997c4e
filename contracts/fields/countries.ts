/** Which codes of two letters are those of countries (ISO 3166-1), as far as this machine knows them. */
import { isCountryCode } from './scalars.ts';

const COUNTRIES = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
/** Names that are kept for other things than countries. */
const NO_COUNTRIES = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ']);

/**
 * Whether a country has this code of two letters today, as far as this machine knows them. Codes that others use in place of
 * ISO's, or that ISO has given up, are none.
 *
 * @example isCountryToday('GB') // true
 * @example isCountryToday('UK') // false
 */
export function isCurrentCountryCode(value: unknown): value is string {
  if (!isCountryCode(value)) return false;
  const upper = value.toUpperCase();
  const known = current.get(upper);
  if (known !== undefined) return known;
  const isCanonical = Intl.getCanonicalLocales(`und-${upper}`)[0] === `und-${upper}`;
  const isCurrent = isCanonical && !NO_COUNTRIES.has(upper) && COUNTRIES.of(upper) !== undefined;
  current.set(upper, isCurrent);
  return isCurrent;
}

/** Asking takes microseconds, and an upload names the country of each point; there are 676 codes at most. */
const current = new Map<string, boolean>();
