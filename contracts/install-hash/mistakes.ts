/** The wrong query strings that people hash, so that a wrong install hash can be explained to its author. */
import type { Variant } from '../signing/digests.ts';
import { jsonTexts, namedTexts, SEPARATORS } from '../signing/wrong-texts.ts';
import { ENCODING_NAMES, type Encoding, type EncodingName, encodings } from './encodings.ts';
import {
  decodePart,
  HASH_PARAMETER,
  INSTALL_PARAMETERS,
  type Pairs,
  pairsOf,
  queryOf,
  rawPartsOf,
  rawPartsWithoutHash,
} from './query.ts';

/** Up to this many parameters each omission and each exchange of neighbours is tried; an install request has about six. */
const MAX_PARAMETERS = 40;

/** Up to this many parameters every selection of them is tried; an install request without a code has four. */
const MAX_EXHAUSTIVE_PARAMETERS = 6;

type Wrong = readonly [id: string, says: string, query: string];

/**
 * The right query first (as received), then every known wrong one that differs from all right ones and from those before it.
 *
 * @param address the address, path or query as received, `hash` included
 * @param right the queries of all conforming encodings
 */
export function queryVariants(address: string, right: readonly string[]): Variant<string>[] {
  const query = queryOf(address);
  const raw = rawPartsWithoutHash(query);
  const pairs = raw.map(decodePart);
  const seen = new Set(right);
  const variants: Variant<string>[] = [{ id: 'query', says: '', value: right[0] ?? raw.join('&') }];
  const add = ([id, says, message]: Wrong) => {
    if (seen.has(message)) return;
    seen.add(message);
    variants.push({ id, says, value: message });
  };
  for (const wrong of notEncoded(pairs)) add(wrong);
  for (const wrong of hashKept(query)) add(wrong);
  for (const wrong of otherParameters(pairs)) add(wrong);
  for (const wrong of otherOrders(pairs)) add(wrong);
  for (const wrong of framed(address, raw, pairs)) add(wrong);
  for (const wrong of parts(pairs)) add(wrong);
  return variants;
}

/** A change of the parameters, written in every encoding and raw. */
function* inEveryEncoding(id: string, says: string, pairs: Pairs): Generator<Wrong> {
  for (const name of ENCODING_NAMES) yield [id, says, encodings[name](pairs)];
}

function* notEncoded(pairs: Pairs): Generator<Wrong> {
  const decoded = (separator: string) => pairs.map(([name, value]) => `${name}=${value}`).join(separator);
  yield ['decoded-values', 'it were computed over the encoded query instead of over decoded values', decoded('&')];
  yield [
    'values-only',
    'it were computed over the query instead of over the bare values',
    pairs.map(([, value]) => value).join(''),
  ];
  yield ['values-only', 'names and values were joined by "=" and "&"', pairs.map(([n, v]) => n + v).join('')];
  yield ['values-only', 'the pairs were joined by "&"', decoded('')];
  yield ['wrong-separator', 'the parameters were joined by "&" instead of line breaks', decoded('\n')];
  const reserved: Encoding = (list) => list.map(([n, v]) => `${encodeSparingly(n)}=${encodeSparingly(v)}`).join('&');
  const says = 'every reserved character (such as ":" and "/") were percent-encoded, as PHP, JavaScript and Python do';
  yield ['reserved-characters-bare', says, reserved(pairs)];
  yield ['reserved-characters-bare', says, reserved(pairs).replaceAll('%20', '+')];
  const slashes = 'every "/" were percent-encoded: Python\'s quote leaves it bare unless safe="" is given';
  for (const name of ENCODING_NAMES) {
    yield ['slash-left-bare', slashes, encodings[name](pairs).replaceAll(/%2f/gi, '/')];
  }
  for (const name of ['php', 'rfc3986'] as const satisfies EncodingName[]) {
    const twice = pairs.map(([n, v]): readonly [string, string] => [n, encodings[name]([['', v]]).slice(1)]);
    yield ['encoded-twice', 'the values were encoded once instead of twice', encodings[name](twice)];
    yield [
      'wrong-separator',
      'the parameters were joined by "&" instead of "&amp;"',
      encodings[name](pairs).replaceAll('&', '&amp;'),
    ];
    yield [
      'wrong-separator',
      'the parameters were joined by "&" instead of ";"',
      encodings[name](pairs).replaceAll('&', ';'),
    ];
  }
  for (const { how, text } of namedTexts(pairs))
    yield ['wrong-separator', `it were computed over the query instead of over decoded parameters (${how})`, text];
  for (const { how, text } of jsonTexts(pairs))
    yield ['json', `it were computed over the query instead of over JSON${how}`, text];
  for (const separator of SEPARATORS) {
    const says = `it were computed over the query instead of over values joined by ${JSON.stringify(separator)}`;
    yield ['values-only', says, pairs.map(([, value]) => value).join(separator)];
  }
}

function* hashKept(query: string): Generator<Wrong> {
  const says = 'the `hash` parameter were removed before hashing instead of kept';
  const all = pairsOf(query);
  const emptied = all.map(([name, value]): readonly [string, string] =>
    name === HASH_PARAMETER ? [name, ''] : [name, value],
  );
  yield* inEveryEncoding('hash-included', says, emptied);
  yield ['hash-included', says, rawPartsOf(query).join('&')];
  for (const name of ENCODING_NAMES) {
    yield ['hash-included', says, encodings[name](emptied).replace(/(^|&)hash=(?=&|$)/, '$1hash')];
  }
}

function* otherParameters(pairs: Pairs): Generator<Wrong> {
  const known = pairs.filter(([name]) => (INSTALL_PARAMETERS as readonly string[]).includes(name));
  const asPhp =
    "parameters with unusual or repeated names were hashed as received instead of as PHP's $_GET shows them";
  yield* inEveryEncoding('php-names', asPhp, asPhpReads(pairs));
  yield* inEveryEncoding(
    'own-parameters-left-out',
    "the address's own parameters were part of the hashed query",
    known,
  );
  const saysAuthCode = 'the parameter `authCode` were part of the hashed query';
  yield* inEveryEncoding(
    'authcode-left-out',
    saysAuthCode,
    pairs.filter(([name]) => name !== 'authCode'),
  );
  if (!pairs.some(([name]) => name === 'authCode')) {
    const says = 'an `authCode` that was not sent were not part of the hashed query';
    yield* inEveryEncoding('authcode-added', says, [['authCode', ''], ...pairs]);
    yield* inEveryEncoding('authcode-added', says, [...pairs, ['authCode', '']]);
  }
  if (pairs.length > MAX_PARAMETERS) return;
  for (const i of pairs.keys()) {
    const says = `the parameter ${JSON.stringify(pairs[i]![0])} were part of the hashed query`;
    yield* inEveryEncoding(
      'parameter-left-out',
      says,
      pairs.filter((_, k) => k !== i),
    );
  }
  const filled = pairs.filter(([, value]) => value !== '');
  yield* inEveryEncoding(
    'empty-parameters-left-out',
    'parameters with empty values were part of the hashed query',
    filled,
  );
  const lower = pairs.map(([name, value]): readonly [string, string] => [name.toLowerCase(), value]);
  yield* inEveryEncoding('names-lower-cased', 'the case of the letters in the names were kept', lower);
  const trimmed = pairs.map(([name, value]): readonly [string, string] => [name, value.trim()]);
  yield* inEveryEncoding('values-trimmed', 'the whitespace around the values were kept', trimmed);
}

function* otherOrders(pairs: Pairs): Generator<Wrong> {
  const says = (order: string) => `the parameters were hashed in their received order instead of ${order}`;
  const sorted = [...pairs].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  yield* inEveryEncoding('parameters-sorted', says('sorted by name'), sorted);
  const folded = [...pairs].sort(([a], [b]) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
  yield* inEveryEncoding('parameters-sorted', says('sorted by name without regard to case'), folded);
  yield* inEveryEncoding('parameters-reversed', says('reversed'), pairs.toReversed());
  const isKnown = ([name]: readonly [string, string]) => (INSTALL_PARAMETERS as readonly string[]).includes(name);
  const own = pairs.filter((pair) => !isKnown(pair));
  const known = pairs.filter(isKnown);
  yield* inEveryEncoding('own-parameters-moved', says("with the address's own ones at the end"), [...known, ...own]);
  yield* inEveryEncoding('own-parameters-moved', says("with the address's own ones at the front"), [...own, ...known]);
  const rank = ([name]: readonly [string, string]) => (INSTALL_PARAMETERS as readonly string[]).indexOf(name);
  const documented = [...known].sort((a, b) => rank(a) - rank(b));
  yield* inEveryEncoding('documented-order', says('in the documented one'), [...own, ...documented]);
  yield* inEveryEncoding('documented-order', says('in the documented one'), [...documented, ...own]);
  if (pairs.length > MAX_PARAMETERS) return;
  for (const i of pairs.keys()) {
    for (const k of pairs.keys()) {
      if (i === k) continue;
      const rest = pairs.filter((_, at) => at !== i);
      const moved = rest.toSpliced(k, 0, pairs[i]!);
      const message = says(`with ${JSON.stringify(pairs[i]![0])} at another place`);
      yield ['parameter-moved', message, encodings.php(moved)];
      yield ['parameter-moved', message, encodings.rfc3986(moved)];
    }
  }
}

function* framed(address: string, raw: readonly string[], pairs: Pairs): Generator<Wrong> {
  const beforeQuery = address.includes('?') ? address.slice(0, address.indexOf('?')) : '';
  const path = beforeQuery.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '');
  for (const query of [raw.join('&'), encodings.php(pairs), encodings.rfc3986(pairs)]) {
    const says = (what: string) => `it were computed over the query alone instead of over ${what}`;
    yield ['question-mark-included', 'the "?" were not part of it', `?${query}`];
    yield ['full-address', says('the whole address'), `${beforeQuery}?${query}`];
    yield ['full-address', says('the address and the query without "?"'), beforeQuery + query];
    yield ['full-address', says('path and query'), `${path}?${query}`];
    yield ['dangling-separator', 'no "&" were at its end', `${query}&`];
    yield ['dangling-separator', 'no "&" were at its beginning', `&${query}`];
    yield ['trailing-line-break', 'no line break were at its end', `${query}\n`];
  }
  yield ['path-only', 'it were computed over the query instead of over the address without it', beforeQuery];
  for (const [name, value] of pairs) {
    yield [
      'one-value-only',
      `it were computed over the whole query instead of over the value of ${JSON.stringify(name)}`,
      value,
    ];
  }
}

/** The parameters without several of them, as a query and as bare values. */
function* parts(pairs: Pairs): Generator<Wrong> {
  if (pairs.length > MAX_EXHAUSTIVE_PARAMETERS) return;
  const named = (some: Pairs): string => some.map(([name]) => JSON.stringify(name)).join(', ');
  for (let bits = 1; bits < (1 << pairs.length) - 1; bits++) {
    const left = pairs.filter((_, at) => bits & (1 << at));
    const kept = pairs.filter((_, at) => !(bits & (1 << at)));
    const says = `the parameters ${named(left)} were part of the hashed query`;
    yield* inEveryEncoding('parameters-left-out', says, kept);
    const bare = `it were computed over the query instead of over the bare values of ${named(kept)}`;
    yield ['values-only', bare, kept.map(([, value]) => value).join('')];
  }
}

/** Percent-encodes only what a query string could not hold otherwise. */
function encodeSparingly(text: string): string {
  return encodeURI(text.toWellFormed()).replace(/[&=+#]/g, (character) => encodeURIComponent(character));
}

/**
 * The parameters as PHP's `$_GET` shows them to an app: dots and spaces in names become `_`, of several parameters with one
 * name the last value counts at the first one's place. Names with brackets (lists) are left as they are.
 */
function asPhpReads(pairs: Pairs): Pairs {
  const read = new Map<string, string>();
  for (const [name, value] of pairs) {
    const phpName = name.includes('[') ? name : name.replace(/^ +/, '').replace(/[. ]/g, '_');
    if (phpName !== '') read.set(phpName, value);
  }
  return [...read];
}
