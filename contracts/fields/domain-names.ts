/** Domain names that are written in several ways and name the same domain. */

/** What no domain name contains: such a text is an address, or no name at all. */
const NOT_IN_NAMES = /[\s/:@?#\\%]/;

/**
 * A domain name in the one form in which names are compared: lower case, in ASCII, without the dot of the root at its end. How a
 * service writes the name that it was sent is not stated.
 *
 * @example comparedName('Žagars.example.') // 'xn--agars-tib.example'
 */
export function comparedName(name: string): string {
  const text = name.toLowerCase().replace(/\.$/, '');
  if (/^[\x21-\x7e]*$/.test(text) || NOT_IN_NAMES.test(text)) return text;
  const address = `http://${text}/`;
  return URL.canParse(address) ? new URL(address).hostname.replace(/\.$/, '') : text;
}

/** Whether two texts name the same domain. */
export const isSameDomain = (one: string, other: string): boolean => comparedName(one) === comparedName(other);
