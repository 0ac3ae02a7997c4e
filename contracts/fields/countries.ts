/** Which codes of two letters are those of countries (ISO 3166-1), as far as this machine knows them. */
import { isCountryCode } from './scalars.ts';

/** Made with the first code: it loads the names of all countries. */
let names: Intl.DisplayNames | undefined;
/** Codes that are reserved for other purposes than countries. */
const NO_COUNTRIES = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ']);

/**
 * Whether this is the two-letter code of a country today, as far as this machine knows. Unofficial codes, and codes that ISO has
 * withdrawn, do not count.
 *
 * @example isCurrentCountryCode('GB') // true
 * @example isCurrentCountryCode('UK') // false
 */
export function isCurrentCountryCode(value: unknown): value is string {
  if (!isCountryCode(value)) return false;
  const upper = value.toUpperCase();
  const known = current.get(upper);
  if (known !== undefined) return known;
  const isCanonical = Intl.getCanonicalLocales(`und-${upper}`)[0] === `und-${upper}`;
  names ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const isCurrent = isCanonical && !NO_COUNTRIES.has(upper) && names.of(upper) !== undefined;
  current.set(upper, isCurrent);
  return isCurrent;
}

/** Asking takes microseconds, and an upload names the country of each point; there are 676 codes at most. */
const current = new Map<string, boolean>();
