/**
 * The install hash (spec: Apps interface, Authentication 3): with it an app verifies that an install or settings request comes
 * from the service. HMAC-SHA-256, keyed with `app_secret`, over the request's query string without `hash`, in received order
 * and re-encoded; written as lower-case hexadecimal. The parameters that the app's address had of its own are part of it.
 *
 * Re-encoding differs by language (see `install-hash/encodings.ts`), so a hash is judged under every conforming encoding.
 */
import { alteredKeys } from '../signing/altered-keys.ts';
import {
  equalInConstantTime,
  explainDigest,
  HEX_FORMATS,
  hmacSha256,
  keyVariants,
  mistakeSentence,
  type Variant,
} from '../signing/digests.ts';
import { ENCODING_NAMES, type EncodingName, encodings } from './encodings.ts';
import { queryVariants } from './mistakes.ts';
import { HASH_PARAMETER, pairsOf, queryOf, rawPartsWithoutHash } from './query.ts';

export {
  ENCODING_NAMES,
  type Encoding,
  type EncodingName,
  encodings,
  unambiguousValue,
} from './encodings.ts';
export { HASH_PARAMETER, INSTALL_PARAMETERS, type Pairs, pairsOf, queryOf } from './query.ts';

/**
 * The query string that is hashed: every parameter except `hash`, in received order, re-encoded.
 *
 * @param queryString the raw query, with or without a leading `?`
 * @param encoding how to write it; PHP's by default, and any gives the same for values that are `unambiguousValue`
 * @example hashedQuery('?b=2&hash=x&a=%31') // 'b=2&a=1'
 */
export function hashedQuery(queryString: string, encoding: EncodingName = 'php'): string {
  const query = queryString.startsWith('?') ? queryString.slice(1) : queryString;
  return encodings[encoding](pairsOf(query).filter(([name]) => name !== HASH_PARAMETER));
}

/**
 * The hash of an install or settings request: 64 lower-case hexadecimal digits.
 *
 * @param queryString the raw query, with or without a leading `?`; a `hash` in it is removed wherever it appears
 * @param secret the app's `app_secret`
 * @example installHash('appId=7&language=en', secret) === installHash('?appId=7&hash=anything&language=en', secret)
 */
export function installHash(queryString: string, secret: string, encoding: EncodingName = 'php'): string {
  return hmacSha256(secret, hashedQuery(queryString, encoding)).toString('hex');
}

/** `encoding` is the commonest under which the hash is right, `agreeing` all of them; see `verifyInstallHash`. */
export type InstallHashResult =
  | { readonly authentic: true; readonly encoding: string; readonly agreeing: readonly string[] }
  | { readonly authentic: false; readonly mistake: string; readonly diagnosis: string };

/**
 * Judges the `hash` of an install or settings request: authentic if it is correct under any conforming encoding. Besides the
 * names of `encodings`, `encoding` can be `as-received` (the raw query without `hash`; with its percent digits in upper or
 * lower case: `as-received-uppercase`, `as-received-lowercase`).
 * A wrong hash is explained by the mistake that would produce it; no secret is part of the diagnosis.
 *
 * @param address full address, path with query, or query, as received
 * @param otherSecrets other keys that may have been taken by mistake, by a name that may be shown
 * @example verifyInstallHash('https://app.example/?appId=7&hash=9F…', secret)
 * // { authentic: false, mistake: 'uppercase-hex', diagnosis: 'The hash is wrong; it would be correct if …' }
 */
export function verifyInstallHash(
  address: string,
  secret: string,
  otherSecrets: Readonly<Record<string, string>> = {},
): InstallHashResult {
  const query = queryOf(address);
  const received = pairsOf(query)
    .filter(([name]) => name === HASH_PARAMETER)
    .map(([, value]) => value);
  const [first] = received;
  if (first === undefined) return missing(query);
  if (received.some((value) => value !== first)) {
    return no('several-hashes', 'There are several `hash` parameters with different values; exactly one is expected.');
  }
  if (first === '') return no('empty', 'The `hash` parameter is empty.');
  const candidates = conformingQueries(query);
  const agreeing = candidates
    .filter(({ value }) => equalInConstantTime(first, hmacSha256(secret, value).toString('hex')))
    .map(({ id }) => id);
  const [encoding] = agreeing;
  if (encoding !== undefined) return { authentic: true, encoding, agreeing };

  // Every conforming encoding is tried as the right one, so that, say, upper-case digits are recognised under each of them.
  const keys = [...keyVariants(secret, otherSecrets), ...alteredKeys(secret)];
  const right = [...new Set(candidates.map(({ value }) => value))];
  for (const messages of [...right.map((value) => [{ id: 'query', says: '', value }]), queryVariants(address, right)]) {
    const mistakes = explainDigest(first, messages, keys, HEX_FORMATS);
    if (mistakes !== undefined) return no(mistakes.map(({ id }) => id).join('+'), mistakeSentence('hash', mistakes));
  }
  return unexplained(first);
}

/** Every query that a correct re-encoding can give, the most common first. `says` is unused here. */
function conformingQueries(query: string): Variant<string>[] {
  const raw = rawPartsWithoutHash(query).join('&');
  const pairs = pairsOf(query).filter(([name]) => name !== HASH_PARAMETER);
  const named = (id: string, value: string) => ({ id, says: '', value });
  return [
    ...ENCODING_NAMES.map((name) => named(name, encodings[name](pairs))),
    named('as-received', raw),
    named(
      'as-received-uppercase',
      raw.replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase()),
    ),
    named(
      'as-received-lowercase',
      raw.replace(/%[0-9a-f]{2}/gi, (code) => code.toLowerCase()),
    ),
  ];
}

function missing(query: string): InstallHashResult {
  const similar = pairsOf(query).find(([name]) => /^(hash|hmac|signature|sign|sig)$/i.test(name.trim()))?.[0];
  const hint =
    similar === undefined ? '' : ` The request has a parameter "${similar}" instead; the name must be \`hash\`.`;
  return no('missing', `The \`hash\` parameter is missing.${hint}`);
}

function unexplained(received: string): InstallHashResult {
  const shape = /^[0-9a-f]{64}$/.test(received)
    ? 'It has the form of a hash: another secret was used, or the query was changed after hashing.'
    : 'It does not have the form of a hash either: 64 lower-case hexadecimal digits.';
  return no('unexplained', `The hash is wrong, and no known mistake explains it. ${shape}`);
}

function no(mistake: string, diagnosis: string): InstallHashResult {
  return { authentic: false, mistake, diagnosis };
}
