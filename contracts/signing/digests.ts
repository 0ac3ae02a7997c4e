/**
 * Naming the mistake behind a wrong digest.
 *
 * A request signature and an install hash are both HMAC-SHA-256 over some message, with some key, written in some way. When one
 * is wrong, we look for the smallest change to message, key, algorithm or writing under which it would have been right.
 * Nothing here returns or prints the right digest or the key.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** A possible ingredient of a wrong digest. `says` is a clause that follows "it would be correct if …"; empty for the right one. */
export interface Variant<T> {
  readonly id: string;
  readonly says: string;
  readonly value: T;
}

export type Algorithm = (key: Buffer, message: Buffer) => Buffer;
/** A way to write a digest as text: true when `received` is `raw` written that way. */
export type DigestFormat = (received: string, raw: Buffer) => boolean;

/** HMAC-SHA-256, the one algorithm of the contract. */
export function hmacSha256(key: string | Buffer, message: string | Buffer): Buffer {
  return createHmac('sha256', key).update(message).digest();
}

/** Equality of two texts in a time that depends on their lengths only. */
export function equalInConstantTime(a: string, b: string): boolean {
  const left = Buffer.from(a, 'utf8');
  const right = Buffer.from(b, 'utf8');
  return left.length === right.length && timingSafeEqual(left, right);
}

const hash = (name: string, ...parts: Buffer[]): Buffer => {
  const digest = createHash(name);
  for (const part of parts) digest.update(part);
  return digest.digest();
};

/** `SHA-1` for `sha1`. */
const written = (name: string): string => name.toUpperCase().replace(/^SHA/, 'SHA-');

const ALGORITHMS: readonly Variant<Algorithm>[] = [
  { id: 'hmac-sha256', says: '', value: (key, message) => hmacSha256(key, message) },
  {
    id: 'key-and-message-swapped',
    says: 'key and message were swapped in the HMAC call',
    value: (key, message) => hmacSha256(message, key),
  },
  ...['sha1', 'sha512', 'md5', 'sha384'].map((name) => ({
    id: `hmac-${name}`,
    says: `the algorithm were HMAC with SHA-256 instead of ${written(name)}`,
    value: (key: Buffer, message: Buffer) => createHmac(name, key).update(message).digest(),
  })),
  {
    id: 'hash-without-key',
    says: 'it were an HMAC instead of a plain SHA-256 without the key',
    value: (_, m) => hash('sha256', m),
  },
  {
    id: 'hash-of-key-and-message',
    says: 'it were an HMAC instead of a plain SHA-256 over key and message',
    value: (key, message) => hash('sha256', key, message),
  },
  {
    id: 'hash-of-message-and-key',
    says: 'it were an HMAC instead of a plain SHA-256 over message and key',
    value: (key, message) => hash('sha256', message, key),
  },
  ...['md5', 'sha1'].flatMap((name) => [
    {
      id: `hash-${name}`,
      says: `it were an HMAC instead of a plain ${written(name)} over message and key`,
      value: (key: Buffer, message: Buffer) => hash(name, message, key),
    },
    {
      id: `hash-${name}`,
      says: `it were an HMAC instead of a plain ${written(name)} over key and message`,
      value: (key: Buffer, message: Buffer) => hash(name, key, message),
    },
  ]),
];

/** All but the right one. */
export const WRONG_ALGORITHMS = ALGORITHMS.slice(1);

/** What programs write between a key and a message; the empty text as well. */
const KEY_SEPARATORS = ['', '|', ':', '&', '.', ',', ';'] as const;

/** Plain digests over both, where the key is on both sides, or something is written between them; rarer than the others. */
export const KEYED_DIGESTS: readonly Variant<Algorithm>[] = ['md5', 'sha1', 'sha256', 'sha512'].flatMap((name) =>
  KEY_SEPARATORS.flatMap((text) => {
    const between = Buffer.from(text);
    const separated = text === '' ? '' : `, with ${JSON.stringify(text)} between them`;
    const digest = (over: string, ...parts: ('key' | 'message')[]): Variant<Algorithm> => ({
      id: `hash-${name}`,
      says: `it were an HMAC instead of a plain ${written(name)} over ${over}${separated}`,
      value: (key, message) => {
        const bytes = { key, message };
        return hash(name, ...parts.flatMap((part, at) => (at === 0 ? [bytes[part]] : [between, bytes[part]])));
      },
    });
    // Without a separator these are among the others.
    const isKnown = text === '' && name !== 'sha512';
    return [
      ...(isKnown ? [] : [digest('key and message', 'key', 'message'), digest('message and key', 'message', 'key')]),
      digest('key, message and key', 'key', 'message', 'key'),
    ];
  }),
);

/** Shorter prefixes match by chance: 12 characters of base64 or hex are 48 bits and more. */
const MIN_PREFIX_CHARACTERS = 12;

const base64 = (raw: Buffer) => raw.toString('base64');
const hex = (raw: Buffer) => raw.toString('hex');
const fold = (text: string) => text.toLowerCase();

/** What can go wrong with either writing; `right` writes the digest as it should be. */
const commonFormats = (right: (raw: Buffer) => string): readonly Variant<DigestFormat>[] => [
  {
    id: 'surrounded',
    says: 'the spaces, line breaks or quotes around it were removed',
    value: (got, raw) =>
      got !== right(raw) &&
      got.length <= 4 * right(raw).length &&
      got.replace(/^[\s"']+|(?<![\s"'])[\s"']+$/g, '') === right(raw),
  },
  {
    id: 'labelled',
    says: 'the label before it (such as "sha256=") were removed',
    value: (got, raw) => /^[A-Za-z0-9_-]{1,16}[=:]\s*/.test(got) && got.endsWith(right(raw)) && got !== right(raw),
  },
  {
    id: 'percent-encoded',
    says: 'it were percent-encoded one time less: it was encoded twice or never decoded',
    value: (got, raw) => got.includes('%') && decodeLoosely(got) === right(raw),
  },
  {
    id: 'cut-off',
    says: 'it were not truncated: only its beginning was received',
    value: (got, raw) => got.length >= MIN_PREFIX_CHARACTERS && got !== right(raw) && right(raw).startsWith(got),
  },
  {
    id: 'prolonged',
    says: 'the additional characters at its end were removed',
    value: (got, raw) => got.length > right(raw).length && got.startsWith(right(raw)),
  },
  {
    id: 'one-character-differs',
    says: 'one of its characters were different',
    value: (got, raw) => got.length === right(raw).length && differences(got, right(raw)) === 1,
  },
];

/** Writings of a request signature: the first is the right one (base64 of the raw digest). */
export const BASE64_FORMATS: readonly Variant<DigestFormat>[] = [
  { id: 'base64', says: '', value: (got, raw) => got === base64(raw) },
  { id: 'hex', says: 'it were base64 of the raw digest instead of hexadecimal', value: (got, raw) => got === hex(raw) },
  {
    id: 'uppercase-hex',
    says: 'it were base64 of the raw digest instead of upper-case hexadecimal',
    value: (got, raw) => got === hex(raw).toUpperCase(),
  },
  {
    id: 'base64-of-hex',
    says: 'the raw digest were encoded instead of its hexadecimal text',
    value: (got, raw) => [hex(raw), hex(raw).toUpperCase()].some((text) => got === base64(Buffer.from(text))),
  },
  {
    id: 'no-padding',
    says: 'the padding "=" at its end were kept',
    value: (got, raw) => got === base64(raw).replace(/={1,2}$/, ''),
  },
  {
    id: 'base64url',
    says: 'it were in the ordinary base64 alphabet ("+" and "/") instead of the one for addresses ("-" and "_")',
    value: (got, raw) => got.replace(/={1,2}$/, '') === raw.toString('base64url'),
  },
  {
    id: 'plus-read-as-space',
    says: 'its "+" were percent-encoded on the way: an unencoded "+" in a query string is read as a space',
    value: (got, raw) => got.includes(' ') && got === base64(raw).replaceAll('+', ' '),
  },
  {
    id: 'case-changed',
    says: 'the case of its letters had not been changed',
    value: (got, raw) => got !== base64(raw) && fold(got) === fold(base64(raw)),
  },
  ...commonFormats(base64),
];

/** Writings of an install hash: the first is the right one (lower-case hexadecimal). */
export const HEX_FORMATS: readonly Variant<DigestFormat>[] = [
  { id: 'hex', says: '', value: (got, raw) => got === hex(raw) },
  {
    id: 'uppercase-hex',
    says: 'its hexadecimal digits were lower-case',
    value: (got, raw) => got !== hex(raw) && got === hex(raw).toUpperCase(),
  },
  {
    id: 'case-changed',
    says: 'all of its hexadecimal digits were lower-case',
    value: (got, raw) => got !== hex(raw) && fold(got) === hex(raw),
  },
  {
    id: 'base64',
    says: 'it were lower-case hexadecimal instead of base64',
    value: (got, raw) => got.replaceAll(' ', '+').replace(/={1,2}$/, '') === base64(raw).replace(/={1,2}$/, ''),
  },
  {
    id: 'base64url',
    says: 'it were lower-case hexadecimal instead of base64 for addresses',
    value: (got, raw) => got.replace(/={1,2}$/, '') === raw.toString('base64url'),
  },
  {
    id: 'base64-of-hex',
    says: 'it were not encoded in base64 once more',
    value: (got, raw) => got === base64(Buffer.from(hex(raw))),
  },
  ...commonFormats(hex),
];

/** What people do to a key before they use it; the first is the right one. `others` are keys of other kinds, by name. */
export function keyVariants(key: string, others: Readonly<Record<string, string>> = {}): Variant<Buffer>[] {
  const right = Buffer.from(key, 'utf8');
  const variants: Variant<Buffer>[] = [{ id: 'key', says: '', value: right }];
  const add = (id: string, says: string, value: Buffer | string) => {
    const bytes = Buffer.isBuffer(value) ? value : Buffer.from(value, 'utf8');
    if (!bytes.equals(right)) variants.push({ id, says, value: bytes });
  };
  for (const [name, other] of Object.entries(others))
    add('another-key', `it were keyed with the right key instead of ${name}`, other);
  const whitespace = 'the key were used without the whitespace around it';
  for (const text of [`${key}\n`, `${key} `, ` ${key}`, `${key}\r\n`, `${key}\t`])
    add('key-with-whitespace', whitespace, text);
  add('key-trimmed', 'the whitespace around the key were kept', key.trim());
  add('key-with-scheme', 'the key were used without the word "ApiKey" before it', `ApiKey ${key}`);
  if (/^(?:[0-9a-f]{2})+$/i.test(key)) {
    add(
      'key-decoded-from-hex',
      'the key were used as text instead of decoded from hexadecimal',
      Buffer.from(key, 'hex'),
    );
  }
  if (/^[A-Za-z0-9+/_-]+=*$/.test(key) && key.length >= 2) {
    add(
      'key-decoded-from-base64',
      'the key were used as text instead of decoded from base64',
      Buffer.from(key, 'base64'),
    );
  }
  add('key-encoded-in-base64', 'the key were used as it is instead of encoded in base64', right.toString('base64'));
  add('key-encoded-in-hex', 'the key were used as it is instead of encoded in hexadecimal', right.toString('hex'));
  add('key-hashed', 'the key were used as it is instead of its SHA-256', hash('sha256', right));
  add(
    'key-hashed',
    'the key were used as it is instead of its SHA-256 in hexadecimal',
    hash('sha256', right).toString('hex'),
  );
  add('key-case-changed', 'the case of the letters of the key had not been changed', key.toLowerCase());
  add('key-case-changed', 'the case of the letters of the key had not been changed', key.toUpperCase());
  add('key-empty', 'the key were not empty', '');
  return variants;
}

/** Bytes hashed in search of a mistake, at most: some 50 ms, so that hostile traffic can't keep us busy. */
const MAX_HASHED_BYTES = 16 * 1024 * 1024;
/** Digests tried in search of a mistake, at most; for the same reason. */
const MAX_DIGESTS = 4_000;

/**
 * The fewest mistakes (one, else two) under which `received` would be right; undefined when none of those known explains it.
 * The first of `messages`, `keys` and `writings` is the right one.
 */
export function explainDigest(
  received: string,
  messages: readonly Variant<string | Buffer>[],
  keys: readonly Variant<Buffer>[],
  writings: readonly Variant<DigestFormat>[],
): readonly Variant<unknown>[] | undefined {
  let bytesLeft = MAX_HASHED_BYTES;
  let digestsLeft = MAX_DIGESTS;
  for (const [message, key, algorithm, written] of trials(messages, keys, writings)) {
    const bytes = typeof message.value === 'string' ? Buffer.from(message.value, 'utf8') : message.value;
    bytesLeft -= bytes.length;
    digestsLeft -= 1;
    if (bytesLeft < 0 || digestsLeft < 0) return undefined;
    const raw = algorithm.value(key.value, bytes);
    const writing = written.find((candidate) => candidate.value(received, raw));
    if (writing) return [message, key, algorithm, writing].filter((part) => part.says !== '');
  }
  return undefined;
}

type Trial = readonly [
  message: Variant<string | Buffer>,
  key: Variant<Buffer>,
  algorithm: Variant<Algorithm>,
  writings: readonly Variant<DigestFormat>[],
];

/** Every combination with one mistake, the likeliest first, then every combination with two. */
function* trials(
  messages: readonly Variant<string | Buffer>[],
  keys: readonly Variant<Buffer>[],
  writings: readonly Variant<DigestFormat>[],
): Generator<Trial> {
  const [message, ...wrongMessages] = messages as [Variant<string>, ...Variant<string>[]];
  const [key, ...wrongKeys] = keys as [Variant<Buffer>, ...Variant<Buffer>[]];
  const [algorithm, ...wrongAlgorithms] = ALGORITHMS as [Variant<Algorithm>, ...Variant<Algorithm>[]];
  const right = writings.slice(0, 1);
  const wrong = writings.slice(1);

  yield [message, key, algorithm, wrong];
  for (const m of wrongMessages) yield [m, key, algorithm, right];
  for (const k of wrongKeys) yield [message, k, algorithm, right];
  for (const a of [...wrongAlgorithms, ...KEYED_DIGESTS]) yield [message, key, a, right];

  for (const k of wrongKeys) yield [message, k, algorithm, wrong];
  for (const a of KEYED_DIGESTS) yield [message, key, a, wrong];
  for (const a of wrongAlgorithms) yield [message, key, a, wrong];
  for (const m of wrongMessages) yield [m, key, algorithm, wrong];
  for (const k of wrongKeys) for (const a of wrongAlgorithms) yield [message, k, a, right];
  for (const m of wrongMessages) {
    for (const k of wrongKeys) yield [m, k, algorithm, right];
    for (const a of wrongAlgorithms) yield [m, key, a, right];
  }
}

/** One sentence from the mistakes that `explainDigest` found. */
export function mistakeSentence(what: string, mistakes: readonly Variant<unknown>[]): string {
  return `The ${what} is wrong; it would be correct if ${mistakes.map((mistake) => mistake.says).join(', and if ')}.`;
}

function decodeLoosely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function differences(a: string, b: string): number {
  let count = 0;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) count++;
  return count;
}
