/** The ways in which apps compute the hash wrongly, as hashes for an address: one that the app takes shows how it computes its own. */
import { ENCODING_NAMES, encodings, queryOf } from '../../../contracts/install-hash/index.ts';
import { queryVariants } from '../../../contracts/install-hash/mistakes.ts';
import {
  type Algorithm,
  hmacSha256,
  KEYED_DIGESTS,
  keyVariants,
  type Variant,
  WRONG_ALGORITHMS,
} from '../../../contracts/signing/digests.ts';
import type { AppContext } from '../session.ts';
import { parametersOf, withoutHash } from './address.ts';

/** So many are tried where the app refuses what is authentic: each is a page of the app. */
export const MAX_GUESSES = 90;

/** A way to compute the hash that may be the app's own. */
export interface Guess {
  readonly id: string;
  /** Ends a sentence that begins with "its own hash would be correct if"; empty for an encoding that is right. */
  readonly says: string;
  /** The text that would be hashed, and the result, for an address of this service. */
  readonly made: (url: string) => { readonly text: string; readonly hash: string };
}

/** The queries of all right encodings; the service's own first. */
export const rightQueries = (url: string): string[] =>
  ENCODING_NAMES.map((name) => encodings[name](withoutHash(parametersOf(url))));

/**
 * One guess for each mistake that a request of this service can show: in the writing, the key, the algorithm and the text, in this order,
 * and then the rarer ones. `url`: an address of that kind; by default of a first load.
 */
export function mistakesOf({ session }: AppContext, url = session.counterpart.beginInstall().url): Guess[] {
  const secret = session.app.secret?.reveal() ?? '';
  const hexOf = (text: string): string => hmacSha256(secret, text).toString('hex');
  const textOf = (address: string): string => rightQueries(address)[0] ?? '';
  const written = (id: string, says: string, hashFor: (text: string) => string): Guess => ({
    id,
    says,
    made: (address) => ({ text: textOf(address), hash: hashFor(textOf(address)) }),
  });
  const keys = keyVariants(secret, { 'the API key': session.app.apiKey.reveal() })
    .filter(({ says }) => says !== '')
    .map(({ id, says, value }) => written(id, says, (text) => hmacSha256(value, text).toString('hex')));
  const digested = (algorithms: readonly Variant<Algorithm>[]): Guess[] =>
    algorithms.map(({ id, says, value }) =>
      written(id, says, (text) => value(Buffer.from(secret), Buffer.from(text)).toString('hex')),
    );
  return [
    written('uppercase-hex', 'it were written in lower-case digits', (text) => hexOf(text).toUpperCase()),
    written('base64', 'it were written in hexadecimal digits', (text) => hmacSha256(secret, text).toString('base64')),
    written('base64url', 'it were written in hexadecimal digits instead of base64 for addresses', (text) =>
      hmacSha256(secret, text).toString('base64url'),
    ),
    written('base64-of-hex', 'it were not encoded in base64 once more', (text) =>
      Buffer.from(hexOf(text)).toString('base64'),
    ),
    ...keys,
    ...digested(WRONG_ALGORITHMS),
    ...wrongTexts(url, hexOf),
    ...digested(KEYED_DIGESTS),
  ];
}

/** The algorithms that are tried together with another mistake: the others are rare enough alone. */
const COMBINED_ALGORITHMS: ReadonlySet<string> = new Set(['hmac-sha1', 'hmac-sha512', 'hmac-md5']);

/** One guess for each wrong text that is also hashed under another key or by another algorithm, or written in another way. */
export function twoMistakesOf({ session }: AppContext): Guess[] {
  const { url } = session.counterpart.beginInstall();
  const secret = session.app.secret?.reveal() ?? '';
  const others: readonly (readonly [says: string, hashOf: (text: string) => string])[] = [
    [
      'it were keyed with the right key instead of the API key',
      (text) => hmacSha256(session.app.apiKey.reveal(), text).toString('hex'),
    ],
    ['it were written in hexadecimal digits', (text) => hmacSha256(secret, text).toString('base64')],
    ...WRONG_ALGORITHMS.filter(({ id }) => COMBINED_ALGORITHMS.has(id)).map(
      ({ says, value }) =>
        [says, (text: string) => value(Buffer.from(secret), Buffer.from(text)).toString('hex')] as const,
    ),
  ];
  return others.flatMap(([says, hashOf]) =>
    wrongTexts(url, hashOf).map((guess) => ({ ...guess, says: `${guess.says}, and if ${says}` })),
  );
}

/** One guess for each mistake in the text that is hashed. */
function wrongTexts(url: string, hexOf: (text: string) => string): Guess[] {
  const kinds = new Map<string, Guess>();
  for (const { id, says } of queryOf(url) === '' ? [] : queryVariants(url, rightQueries(url))) {
    const key = `${id} ${says}`;
    if (says === '' || id === 'parameter-moved' || kinds.has(key)) continue;
    const textFor = (address: string): string =>
      queryVariants(address, rightQueries(address)).find((variant) => variant.id === id && variant.says === says)
        ?.value ?? '';
    kinds.set(key, {
      id,
      says,
      made: (address) => ({ text: textFor(address), hash: hexOf(textFor(address)) }),
    });
  }
  return [...kinds.values()];
}
