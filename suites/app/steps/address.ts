/** Install and settings addresses taken apart and put together again: altered after hashing, or hashed again. */

import { createHmac, hash } from 'node:crypto';
import {
  type EncodingName,
  encodings,
  HASH_PARAMETER,
  INSTALL_PARAMETERS,
  type Pairs,
  pairsOf,
  queryOf,
} from '../../../contracts/install-hash/index.ts';
import { hmacSha256 } from '../../../contracts/signing/digests.ts';
import { FILTERED, withFullWidth, withInMiddle } from '../../../harness/target/near-miss.ts';
import type { Secret } from '../../../harness/target/secrets/secret.ts';

/** The parameters of an address, in order, decoded. */
export const parametersOf = (url: string): Pairs => pairsOf(queryOf(url));

export const parameterOf = (pairs: Pairs, name: string): string | undefined => pairs.find(([key]) => key === name)?.[1];

export const withoutHash = (pairs: Pairs): Pairs => pairs.filter(([name]) => name !== HASH_PARAMETER);

/** The address with other parameters, written in an encoding. */
export function withParameters(url: string, pairs: Pairs, encoding: EncodingName = 'php'): string {
  const [beforeFragment = '', ...fragment] = url.split('#');
  const [path = ''] = beforeFragment.split('?');
  const tail = fragment.length > 0 ? `#${fragment.join('#')}` : '';
  return `${path}?${encodings[encoding](pairs)}${tail}`;
}

/** The address without one of its parameters, however often it has it. */
export const withoutParameter = (url: string, name: string): string =>
  withParameters(
    url,
    parametersOf(url).filter(([other]) => other !== name),
  );

/** The address with another hash, or none. */
export function withHash(url: string, hash: string | undefined): string {
  const pairs = parametersOf(url);
  const changed =
    hash === undefined
      ? withoutHash(pairs)
      : pairs.map((pair) => (pair[0] === HASH_PARAMETER ? ([HASH_PARAMETER, hash] as const) : pair));
  return withParameters(url, changed);
}

export const hashOf = (url: string): string => parameterOf(parametersOf(url), HASH_PARAMETER) ?? '';

/** How an address is written, and what its hash is computed over: the app's own encoding, where it has another. */
export interface HashFormat {
  readonly sent?: EncodingName;
  readonly hashed?: EncodingName;
  /** Place of `hash` among the parameters; at the end by default. */
  readonly hashAt?: number;
}

/** The address with parameters of its own choice and the hash that belongs to them. */
export function withNewHash(url: string, pairs: Pairs, secret: Secret, writing: HashFormat = {}): string {
  const { sent = 'php', hashed = sent, hashAt = pairs.length } = writing;
  const hash = hmacSha256(secret.reveal(), encodings[hashed](pairs)).toString('hex');
  return withParameters(url, pairs.toSpliced(hashAt, 0, [HASH_PARAMETER, hash]), sent);
}

/**
 * The address with one more parameter, such that its right hash begins with a zero: comparisons as numbers take it for one
 * without that zero. One number in sixteen is such, so that it is soon found.
 */
export function withZeroInFront(url: string, secret: Secret, hashed: EncodingName): string {
  const pairs = withoutHash(parametersOf(url));
  for (let number = 1; ; number += 1) {
    const made = withNewHash(url, [...pairs, ['added', String(number)]], secret, { hashed });
    if (hashOf(made).startsWith('0')) return made;
  }
}

/** A hash under another secret, over what the address holds. */
export function hashUnder(url: string, secret: string, encoding: EncodingName): string {
  return hmacSha256(secret, encodings[encoding](withoutHash(parametersOf(url)))).toString('hex');
}

/** The digest of another kind, or in another alphabet, under the right secret. */
export const otherDigestOf = (
  url: string,
  secret: string,
  encoding: EncodingName,
  [algorithm, digits]: readonly ['md5' | 'sha1' | 'sha256' | 'sha512', 'hex' | 'base64'],
): string =>
  createHmac(algorithm, secret)
    .update(encodings[encoding](withoutHash(parametersOf(url))), 'utf8')
    .digest(digits);

/** A digest over what the address holds, without a secret or with one written in front of it, as others sign. */
export const bareDigestOf = (
  url: string,
  encoding: EncodingName,
  secret = '',
  algorithm: 'md5' | 'sha1' | 'sha256' = 'sha256',
): string => hash(algorithm, secret + encodings[encoding](withoutHash(parametersOf(url))));

/** A hash over the values alone, as the requests of delivery are signed. */
export const hashOfValues = (url: string, secret: string): string =>
  hmacSha256(
    secret,
    withoutHash(parametersOf(url))
      .map(([, value]) => value)
      .join(''),
  ).toString('hex');

/** A hash over names and values as JSON, as many other services sign. */
export const hashOfJson = (url: string, secret: string): string =>
  hmacSha256(secret, JSON.stringify(Object.fromEntries(withoutHash(parametersOf(url))))).toString('hex');

/** Languages of scripts and directions of their own; the service names the user's, whatever languages the app has. */
export const OTHER_LANGUAGES = ['zh', 'ar', 'lv'] as const;

/** What is known of an app that authentic requests are made for. */
interface Hashing {
  readonly app: { readonly secret: Secret | undefined };
  readonly dialect: EncodingName;
}

/** The authentic request of a user of another language, for the report the end of "the app must redirect …". */
export const inLanguage = (
  session: Hashing,
  language: string,
): { readonly change: string; readonly alter: (url: string) => string } => ({
  change: `an authentic request in the language ${language}`,
  alter: (url) => authenticWith(session, url, 'language', () => language),
});

/** The authentic requests of a service whose frontend has been updated since: a little, and by so much that its number has two digits. */
export const inLaterVersions = (
  session: Hashing,
): readonly { readonly change: string; readonly alter: (url: string) => string }[] => [
  {
    change: 'an authentic request with the next platformVersion',
    alter: (url) => authenticWith(session, url, 'platformVersion', (version) => withHigher(version, 'last', 1)),
  },
  {
    change: 'an authentic request with a platformVersion that is ten higher',
    alter: (url) => authenticWith(session, url, 'platformVersion', (version) => withHigher(version, 'first', 10)),
  },
];

/** The authentic request of a service whose addresses end with a slash. */
export const withSlashInCallback = (
  session: Hashing,
): { readonly change: string; readonly alter: (url: string) => string } => ({
  change: 'an authentic request whose callback ends with a slash',
  alter: (url) => authenticWith(session, url, 'callback', (callback) => `${callback}/`),
});

/** The version with one of its numbers higher by so much. */
function withHigher(version: string, place: 'first' | 'last', by: number): string {
  const found = [...version.matchAll(/\d+/g)].at(place === 'first' ? 0 : -1);
  if (found === undefined) return version;
  const [number] = found;
  return `${version.slice(0, found.index)}${Number(number) + by}${version.slice(found.index + number.length)}`;
}

/** The address with another value of a parameter, hashed again. */
function authenticWith(
  { app, dialect }: Hashing,
  url: string,
  parameter: string,
  change: (value: string) => string,
): string {
  const pairs = withoutHash(parametersOf(url)).map(([name, value]) =>
    name === parameter ? ([name, change(value)] as const) : ([name, value] as const),
  );
  return app.secret === undefined ? url : withNewHash(url, pairs, app.secret, { hashed: dialect });
}

/** What is put behind the value of a parameter to change it. */
export const ALTERED_SUFFIX = '0';

/** Parameters without which an app can still send the user back. */
const REMOVABLE = ['platformVersion', 'language', 'appId'];

const withValue = (url: string, parameter: string, change: (value: string) => string): string =>
  reshaped(url, (pairs) =>
    pairs.map(([name, value]) => (name === parameter ? ([name, change(value)] as const) : ([name, value] as const))),
  );

const withLanguage = (url: string, change: (language: string) => string): string => withValue(url, 'language', change);

/** Alterations of what was hashed, with the hash as it was; those of a parameter that is not there change nothing. */
export const AFTER_HASHING: readonly { readonly change: string; readonly alter: (url: string) => string }[] = [
  {
    change: 'a parameter added at the end',
    alter: (url) => reshaped(url, (pairs) => [...pairs, ['added', 'later']]),
  },
  {
    change: 'a parameter added in front',
    alter: (url) => reshaped(url, (pairs) => [['added', 'later'], ...pairs]),
  },
  // What counts visitors comes and goes, so that some leave it out before they hash; what protects a database takes other names away.
  ...['utm_source', 'gclid', 'fbclid', '_ga', '$where', 'user.name', 'filter[name]'].map((name) => ({
    change: `the parameter ${name} added`,
    alter: (url: string) => reshaped(url, (pairs) => [...pairs, [name, 'later']]),
  })),
  ...REMOVABLE.map((removed) => ({
    change: `the parameter ${removed} removed`,
    alter: (url: string) => reshaped(url, (pairs) => pairs.filter(([name]) => name !== removed)),
  })),
  ...REMOVABLE.map((emptied) => ({
    change: `the value of ${emptied} removed`,
    alter: (url: string) => withValue(url, emptied, () => ''),
  })),
  {
    // What the app knows may be taken for right: its users change the language by a link.
    change: 'another language',
    alter: (url) => withLanguage(url, (language) => (language === 'lv' ? 'en' : 'lv')),
  },
  {
    // Versions that sent no hash yet may be taken at their word.
    change: 'an earlier platformVersion',
    alter: (url) => withValue(url, 'platformVersion', () => '1.0.0'),
  },
  {
    // Frameworks trim what they read, and hash it afterwards.
    change: 'a space behind the value of language',
    alter: (url) => withLanguage(url, (language) => `${language} `),
  },
  {
    change: 'the value of language in capitals',
    alter: (url) => withLanguage(url, (language) => language.toUpperCase()),
  },
  // What normalizes or filters all input may do so before it hashes.
  {
    change: 'a letter of the value of language in full width',
    alter: (url) => withLanguage(url, withFullWidth),
  },
  ...FILTERED.map(([added, what]) => ({
    change: `${added} in the value of language`,
    alter: (url: string) => withLanguage(url, (language) => withInMiddle(language, what)),
  })),
  ...INSTALL_PARAMETERS.map((name) => ({
    change: `another value of ${name}`,
    alter: (url: string) =>
      reshaped(url, (pairs) =>
        pairs.map((pair) => (pair[0] === name ? ([name, pair[1] + ALTERED_SUFFIX] as const) : pair)),
      ),
  })),
  {
    change: 'the parameters language and platformVersion swapped',
    alter: (url) =>
      reshaped(url, (pairs) => {
        const one = pairs.findIndex(([name]) => name === 'language');
        const other = pairs.findIndex(([name]) => name === 'platformVersion');
        return one < 0 || other < 0 ? pairs.toReversed() : pairs.with(one, pairs[other]!).with(other, pairs[one]!);
      }),
  },
  {
    // Hashed after decoding, the encoded value is the text that was hashed: what separates parameters could be hidden in values.
    change: 'each value percent-encoded once more',
    alter: (url) => reshaped(url, (pairs) => pairs.map(([name, value]) => [name, encodedOnce(name, value)] as const)),
  },
];

const encodedOnce = (name: string, value: string): string =>
  name === HASH_PARAMETER ? value : encodings.php([[name, value]]).slice(name.length + 1);

/** The address with the hash of its parameters in the order of their names, another one than theirs. */
export function withSortedHash(url: string, secret: string, encoding: EncodingName): string {
  const sorted = parametersOf(url).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return withHash(url, hashUnder(withParameters(url, sorted), secret, encoding));
}

function reshaped(url: string, change: (pairs: Pairs) => Pairs): string {
  return withParameters(url, change(parametersOf(url)));
}
