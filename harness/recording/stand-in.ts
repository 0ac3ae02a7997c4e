/**
 * Values that replace a secret or personal data in a recording: of the same make, so that a check treats
 * them alike, and worth nothing.
 */
import { createHmac } from 'node:crypto';
import { MIN_EVERYWHERE_CHARS } from '../evidence/redaction/index.ts';
import { caseSwapped } from '../target/near-miss.ts';

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
/** Long enough that no two are alike and none occurs in a text by chance. */
const LENGTH_CHARS = 24;
/** In an address, shorter words without digits are its path (`login`, `token`), not what makes it secret. */
const MIN_SECRET_WORD_CHARS = 8;

/** Makes stand-ins; `key` decides them, and is written nowhere. */
export class StandIns {
  readonly #key: Uint8Array;
  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /**
   * For a secret of the profile: nothing of it shows, not its length. Kept is what near misses of it rest on: whether it
   * has letters, whether it is an e-mail address, and whether it is one of the short ones that are only looked for in fields.
   */
  opaque(value: string): string {
    const bytes = createHmac('sha256', this.#key).update(`opaque ${value}`).digest();
    const alphabet = caseSwapped(value) === undefined ? DIGITS : LOWER + DIGITS;
    const text = [...bytes].map((byte) => alphabet[byte % alphabet.length]).join('');
    const hasLetters = alphabet !== DIGITS;
    const isShort = value.length < MIN_EVERYWHERE_CHARS;
    // A text of up to three characters has fewer near misses; all others have as many as each other.
    const length = isShort ? Math.min(value.length, 4) : LENGTH_CHARS;
    if (!isShort && /^[^@\s]+@[^@\s]+$/.test(value)) return `p${text.slice(0, 12)}@proofmark.invalid`;
    return `${hasLetters ? 'p' : ''}${text}`.slice(0, length);
  }

  /**
   * For what the target handed out (a token, a login link) and for the data of a person: each word becomes another of the
   * same length, letter for letter and digit for digit; what is between the words stays.
   */
  alike(value: string): string {
    const origin = /^https?:\/\/[^/?#]*/i.exec(value)?.[0] ?? '';
    const isAddress = origin !== '' || value.startsWith('/');
    const rest = value.slice(origin.length);
    const isSecret = (word: string): boolean => word.length >= MIN_SECRET_WORD_CHARS || /\d/.test(word);
    const words = rest.match(/[\p{L}\p{N}]+/gu) ?? [];
    const some = isAddress && words.some(isSecret);
    return origin + rest.replaceAll(/[\p{L}\p{N}]+/gu, (word) => (some && !isSecret(word) ? word : this.#word(word)));
  }

  #word(word: string): string {
    let bytes = Buffer.alloc(0);
    for (let block = 0; bytes.length < word.length; block += 1) {
      const more = createHmac('sha256', this.#key).update(`word ${block} ${word}`).digest();
      bytes = Buffer.concat([bytes, more]);
    }
    const changed = [...word].map((char, at) => {
      const byte = bytes[at % bytes.length] ?? 0;
      if (/\d/.test(char)) return DIGITS[byte % 10];
      // Hexadecimal digits stay such.
      const letters = /^[0-9a-f]+$/i.test(word) ? 'abcdef' : LOWER;
      const letter = letters[byte % letters.length] ?? 'x';
      return char === char.toLowerCase() ? letter : letter.toUpperCase();
    });
    return changed.join('');
  }
}
