/** Signatures that are not the right one, as pure functions of the fields of a label request and its key. */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { hmacSha256 } from '../../../../contracts/signing/digests.ts';
import { type Fields, formEncode, sign, signedMessage } from '../../../../contracts/signing/index.ts';
import {
  caseSwapped,
  FILTERED,
  nearMissOf,
  withFullWidth,
  withInMiddle,
} from '../../../../harness/target/near-miss.ts';
import { parameterOf } from '../callbacks.ts';

export type Signature = string | undefined;
/** A signature for fields under the right key, or none. */
export type Forge = (fields: Fields, key: string) => Signature;

/** No signature at all. */
export const UNSIGNED: readonly (readonly [string, Forge])[] = [
  ['no signature', () => undefined],
  ['an empty signature', () => ''],
];

/** Signatures under keys that are not the integration's. */
export function otherKeys(key: string): (readonly [string, Forge])[] {
  const swapped = caseSwapped(key);
  const keys: (readonly [string, string])[] = [
    ['a signature under another key', randomBytes(24).toString('hex')],
    ['a signature under the key changed in one character', nearMissOf(key)],
    ['a signature under the key without its last character', key.slice(0, -1)],
    ...(swapped === undefined ? [] : [['a signature under the key in the other case', swapped] as const]),
    ...[key.toUpperCase(), key.toLowerCase()]
      .filter((other) => other !== key && other !== swapped)
      .map((other) => ['a signature under the key in the other letter case', other] as const),
    ['a signature under an empty key', ''],
  ];
  return keys.map(([change, other]) => [change, (fields) => sign(fields, other)]);
}

/** All differ from the right signature as bytes, or in their alphabet: other padding of the same bytes is not a forgery. */
export const NEAR_MISSES: readonly (readonly [string, (right: string, fields: Fields, key: string) => string])[] = [
  ['the first character of the signature changed', (right) => changed(right, 0)],
  ['a character in the middle of the signature changed', (right) => changed(right, 21)],
  ['one of the last characters of the signature changed', (right) => changed(right, 41)],
  ['the last character of the signature changed', (right) => right.replace(/.(?==)/, otherBits)],
  ['the signature in the other letter case', (right) => caseSwapped(right) ?? ''],
  ['the signature in lower case', (right) => right.toLowerCase()],
  ['the signature in upper case', (right) => right.toUpperCase()],
  ['half of the signature', (right) => right.slice(0, 22)],
  ['a character in front of the signature', (right) => `A${right}`],
  ['a character at the end of the signature', (right) => `${right}A`],
  ['the signature without the equals sign at its end', (right) => right.replace('=', '')],
  // Many decoders skip what is not base64, or end at the padding.
  ['a sign that base64 does not have at the end of the signature', (right) => `${right}!`],
  ['a space at the end of the signature', (right) => `${right} `],
  // In many languages the end of a pattern also matches in front of a line break.
  ['a line break at the end of the signature', (right) => `${right}\n`],
  // A form that was not percent-encoded brings spaces for plus signs, and some pages turn them back.
  ['spaces instead of the plus signs of the signature', (right) => right.replaceAll('+', ' ')],
  ['the signature of the fields in the order of their names', (_right, fields, key) => sign(sortedByName(fields), key)],
  ['the signature in hexadecimal digits', (_right, fields, key) => digest('sha256', fields, key).toString('hex')],
  ['the signature in base64url', (right) => Buffer.from(right, 'base64').toString('base64url')],
  ['the signature in padded base64url', (right) => right.replaceAll('+', '-').replaceAll('/', '_')],
  ['a signature under SHA-1', (_right, fields, key) => digest('sha1', fields, key).toString('base64')],
  [
    'the bare digest of the message, without a key',
    (_right, fields) => createHash('sha256').update(signedMessage(fields), 'utf8').digest('base64'),
  ],
  [
    'the bare digest of the key and the message',
    (_right, fields, key) =>
      createHash('sha256')
        .update(key + signedMessage(fields), 'utf8')
        .digest('base64'),
  ],
  ['any 32 bytes as the signature', () => randomBytes(32).toString('base64')],
  // What makes the comparison itself fail must not let the request pass.
  ['letters that base64 does not have as the signature', (right) => 'ž'.repeat(right.length)],
  // A slow page is not given all of the following. In some languages a text ends there.
  ['a null character and a letter at the end of the signature', (right) => `${right}\0A`],
  // Other services send their signatures so.
  ['"sha256=" in front of the signature', (right) => `sha256=${right}`],
  ['the signature in base64 once more', (right) => Buffer.from(right).toString('base64')],
  ...['true', '0', 'null'].map((word) => [`"${word}" as the signature`, () => word] as const),
  // Pages that take another message or another digest besides.
  [
    'the bare MD5 digest of the message, without a key',
    (_right, fields) => createHash('md5').update(signedMessage(fields), 'utf8').digest('hex'),
  ],
  [
    'the bare digest of the message in hexadecimal digits, without a key',
    (_right, fields) => createHash('sha256').update(signedMessage(fields), 'utf8').digest('hex'),
  ],
  // Comparisons of sums or of sets of characters take it for the right one.
  ['the characters of the signature in another order', (right) => [...right].sort().join('')],
  ['a signature under MD5', (_right, fields, key) => digest('md5', fields, key).toString('base64')],
  ['a signature under SHA-512', (_right, fields, key) => digest('sha512', fields, key).toString('base64')],
  ...['callback_url', 'cart', 'amount'].map(
    (left) =>
      [
        `the signature of all fields but ${left}`,
        (_right: string, fields: Fields, key: string) =>
          sign(
            fields.filter(([name]) => name !== left),
            key,
          ),
      ] as const,
  ),
  ['the signature of label_request_id alone', (_right, fields, key) => sign(fields.slice(0, 1), key)],
  [
    'the signature of the names and values as a query string',
    (_right, fields, key) => hmacSha256(key, formEncode(fields)).toString('base64'),
  ],
  [
    'the signature of the names and values as JSON',
    (_right, fields, key) => hmacSha256(key, JSON.stringify(Object.fromEntries(fields))).toString('base64'),
  ],
  // What a page receives with the request cannot be its key.
  ...['delivery_method_handle', 'label_request_id', 'order_uuid'].map(
    (name) =>
      [
        `a signature under the ${name}`,
        (_right: string, fields: Fields) => sign(fields, parameterOf(fields, name) ?? ''),
      ] as const,
  ),
  // Comparisons of normalized or filtered texts take it for the right one.
  ['a letter of the signature in full width', withFullWidth],
  ...FILTERED.map(
    ([added, what]) => [`${added} in the signature`, (right: string) => withInMiddle(right, what)] as const,
  ),
];

/** So many of them are tried on the slowest page. */
export const MIN_NEAR_MISSES = 1 + NEAR_MISSES.findIndex(([change]) => change.startsWith('letters that'));

const sortedByName = (fields: Fields): Fields => fields.toSorted(([one], [other]) => (one < other ? -1 : 1));

const digest = (algorithm: string, fields: Fields, key: string): Buffer =>
  createHmac(algorithm, key).update(signedMessage(fields), 'utf8').digest();

/** Base64 of 32 bytes leaves two bits of its last character unused: the replacement decodes to other bytes in any decoder. */
const otherBits = (old: string): string => (/[g-v]/.test(old) ? 'A' : 'g');

const changed = (text: string, at: number): string =>
  `${text.slice(0, at)}${text.charAt(at) === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;
