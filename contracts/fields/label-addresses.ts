/** When two addresses are the same text, or differ only in how letters beyond ASCII are written. */

/**
 * Whether an address that is read is the one that was sent. Letters beyond ASCII are not part of a URL, so a service that takes them may
 * write them as escapes, and those of a host in the form of domain names.
 *
 * @example isSameAddress('https://a.example/Rīga', 'https://a.example/R%C4%ABga') // true
 * @example isSameAddress('https://a.example/Rīga', 'https://a.example/Rga') // false
 * @example isSameAddress('https://a.example', 'https://a.example/') // false
 */
export function isSameAddress(sent: unknown, read: unknown): boolean {
  if (sent === read) return true;
  if (typeof sent !== 'string' || typeof read !== 'string' || isAscii(sent)) return false;
  return URL.canParse(sent) && URL.canParse(read) && new URL(sent).href === new URL(read).href;
}

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);
