/**
 * What becomes of a secret with letters outside ASCII where two sides do not agree on a charset. Percent escapes and byte strings
 * give UTF-8 bytes, not characters; a header carries bytes of Latin-1, for which a reader of UTF-8 puts U+FFFD; a writer of ASCII or
 * Latin-1 puts a question mark for what it does not have.
 */

/** Letters that must be left; what has fewer would be found in any damaged text. */
const MIN_LEFT_CHARS = 6;

/** How the text reads in another charset; nothing for ASCII, which is the same in all of them. */
export function misread(value: string): string[] {
  if (isAscii(value)) return [];
  const latin1 = Buffer.from(value, 'latin1');
  const lossy = [
    latin1.toString('utf8'),
    value.replaceAll(BEYOND_ASCII, '\ufffd'),
    value.replaceAll(BEYOND_ASCII, '?'),
    value.replaceAll(/[^\0-\xff]/gu, '?'),
    latin1.toString('latin1'),
  ];
  const isLeft = value.replaceAll(BEYOND_ASCII, '').length >= MIN_LEFT_CHARS;
  return [value, utf8AsLatin1(value), ...(isLeft ? lossy : [])].flatMap((text) => [text, utf8AsLatin1(text)]).slice(1);
}

/** The bytes of a text in Latin-1, where they are not those of UTF-8. */
export const latin1Of = (text: string): Buffer[] =>
  !isAscii(text) && /^[\0-\xff]*$/.test(text) ? [Buffer.from(text, 'latin1')] : [];

const BEYOND_ASCII = /[^\0-\x7f]/gu;

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

const utf8AsLatin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
