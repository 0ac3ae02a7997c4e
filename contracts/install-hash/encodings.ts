/**
 * The ways in which languages write parameters as a URL query string.
 *
 * The contract says only that the remaining parameters are re-encoded as a URL query string. Standard libraries differ in what
 * a space becomes, in which of `~ * ! ' ( )` stay bare, and in the case of the percent digits. All of these are correct.
 */
import type { Pairs } from './query.ts';

/** Writes parameters as a query string, in their order. */
export type Encoding = (pairs: Pairs) => string;

interface Style {
  readonly space: '+' | '%20';
  /** Characters besides letters, digits, `-`, `_` and `.` that stay bare. */
  readonly bare: string;
  readonly digits: 'upper' | 'lower';
}

const STYLES = {
  /** PHP `http_build_query` and `urlencode`. */
  php: { space: '+', bare: '', digits: 'upper' },
  /** JavaScript `URLSearchParams`; also Java `URLEncoder` and Ruby `URI.encode_www_form`. */
  javascript: { space: '+', bare: '*', digits: 'upper' },
  /** Python `urllib.parse.urlencode`; also Go `url.QueryEscape`. */
  python: { space: '+', bare: '~', digits: 'upper' },
  /** RFC 3986: PHP with `PHP_QUERY_RFC3986`, `rawurlencode`, Python with `quote_via=quote`, .NET `Uri.EscapeDataString`. */
  rfc3986: { space: '%20', bare: '~', digits: 'upper' },
  /** JavaScript `encodeURIComponent` and Node's `querystring`. */
  encodeURIComponent: { space: '%20', bare: "~*!'()", digits: 'upper' },
  /** .NET `HttpUtility.UrlEncode`, which writes lower-case percent digits. */
  dotnet: { space: '+', bare: '*!()', digits: 'lower' },
  'php-lowercase': { space: '+', bare: '', digits: 'lower' },
  'javascript-lowercase': { space: '+', bare: '*', digits: 'lower' },
  'python-lowercase': { space: '+', bare: '~', digits: 'lower' },
  'rfc3986-lowercase': { space: '%20', bare: '~', digits: 'lower' },
  'encodeURIComponent-lowercase': { space: '%20', bare: "~*!'()", digits: 'lower' },
} as const satisfies Record<string, Style>;

export type EncodingName = keyof typeof STYLES;

/**
 * Every conforming encoding by its name, the most common first.
 *
 * @example encodings.php([['q', 'a b~*']])        // 'q=a+b%7E%2A'
 * @example encodings.javascript([['q', 'a b~*']]) // 'q=a+b%7E*'
 * @example encodings.python([['q', 'a b~*']])     // 'q=a+b~%2A'
 * @example encodings.rfc3986([['q', 'a b~*']])    // 'q=a%20b~%2A'
 */
export const encodings: Readonly<Record<EncodingName, Encoding>> = Object.fromEntries(
  Object.entries(STYLES).map(([name, style]) => [name, (pairs: Pairs) => encodeAs(pairs, style)]),
) as Record<EncodingName, Encoding>;

/** The names of `encodings`, the most common first. */
export const ENCODING_NAMES = Object.keys(STYLES) as readonly EncodingName[];

/**
 * True when an app in any language verifies a query that holds this value (or name): all encodings that write upper-case
 * percent digits, as nearly every library does, agree on it.
 * The case of the digits is not considered on purpose: every `callback` address contains a percent sign.
 *
 * @example unambiguousValue('https://store.example/back?step=2&ü') // true
 * @example unambiguousValue('a b')  // false: '+' or '%20'
 * @example unambiguousValue('~x')   // false: bare or '%7E'
 */
export function unambiguousValue(text: string): boolean {
  if (!text.isWellFormed()) return false;
  const written = ENCODING_NAMES.filter((name) => STYLES[name].digits === 'upper').map((name) =>
    encodings[name]([['', text]]),
  );
  return new Set(written).size === 1;
}

function encodeAs(pairs: Pairs, style: Style): string {
  return pairs.map(([name, value]) => `${encodeText(name, style)}=${encodeText(value, style)}`).join('&');
}

function encodeText(text: string, style: Style): string {
  const strict = encodeURIComponent(text.toWellFormed()).replace(/[~*!'()]/g, (character) =>
    style.bare.includes(character) ? character : `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const spaced = style.space === '+' ? strict.replaceAll('%20', '+') : strict;
  return style.digits === 'lower' ? spaced.replace(/%../g, (code) => code.toLowerCase()) : spaced;
}
