/**
 * Keys that were changed on their way to the code that signs: cut by a column, decoded or escaped once too often. They only explain a
 * digest that was received; no forged digest is sent for them, which would cost a request each.
 */
import type { Variant } from './digests.ts';

/** Lengths to which columns, settings and algorithms with keys of a fixed size cut a key. */
const CUT_LENGTHS = [8, 10, 12, 16, 20, 24, 30, 32, 36, 40, 48, 50, 56, 60, 63, 64, 72, 100, 128] as const;

/** A text as it is read from the value of a form. */
const formDecoded = (text: string): string => new URLSearchParams(`x=${text.replaceAll('&', '%26')}`).get('x') ?? '';
/** A text as it is written as the value of a form. */
const formEncoded = (text: string): string => new URLSearchParams([['x', text]]).toString().slice(2);

const escapedForHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The key after each such change that changes it. */
export function alteredKeys(key: string): Variant<Buffer>[] {
  const lengths = CUT_LENGTHS.filter((length) => length < key.length - 1);
  const altered: ReadonlyArray<readonly [id: string, says: string, text: string]> = [
    ...lengths.map(
      (length) =>
        [
          'key-cut-off',
          `the whole key were used instead of its first ${length} characters`,
          key.slice(0, length),
        ] as const,
    ),
    ['key-cut-off', 'the whole key were used instead of all but its last character', key.slice(0, -1)],
    ['key-cut-off', 'the whole key were used instead of all but its first character', key.slice(1)],
    ['key-encoded', 'the key were used as it is instead of percent-encoded', encodeURIComponent(key)],
    ['key-encoded', 'the key were used as it is instead of encoded like the value of a form', formEncoded(key)],
    ['key-decoded', 'the key were used as it is instead of decoded like the value of a form', formDecoded(key)],
    ['key-escaped', 'the key were used as it is instead of escaped for HTML', escapedForHtml(key)],
  ];
  return altered
    .filter(([, , text]) => text !== '' && text !== key)
    .map(([id, says, text]) => ({ id, says, value: Buffer.from(text, 'utf8') }));
}
