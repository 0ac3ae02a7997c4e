/**
 * The one place where secrets are taken out of whatever is written: by value, in every encoding that a report could hold.
 * Personal data of other people is masked beside it, by the names of fields (`personal-data.ts`).
 */
import {
  base64Patterns,
  ENTITY_CODES,
  ESCAPE_BEGINNINGS,
  hexPattern,
  type Pattern,
  textPattern,
} from './redaction-patterns.ts';

export { maskPersonal, maskPersonalText } from './personal-data.ts';

export interface Redaction {
  /** From now on this value is replaced by `$NAME`. Values shorter than 8 characters only where a field or header carries them. */
  add(secret: { readonly name: string; readonly value: string }): void;
  text(text: string): string;
  /** The same over bytes, whatever their encoding. */
  bytes(bytes: Uint8Array): Uint8Array;
  /** Deep over a JSON value: strings and keys; short secrets by the name of their field. */
  value<T>(value: T): T;
  /** The value of a header or form field of that name. */
  field(name: string, value: string): string;
}

/** Shorter values occur by chance in ordinary text, so they are replaced only in fields that carry credentials. */
export const SHORTEST_EVERYWHERE_CHARS = 8;
/** Single lines of a key file this long are secret on their own; shorter ones are not worth a search. */
const LINE_OF_KEY_FILE_CHARS = 16;

/** Names of fields and headers that carry credentials, in lower case without `-` and `_`. */
const CREDENTIAL_FIELDS = new Set([
  'apikey',
  'apitoken',
  'appsecret',
  'authcode',
  'authorization',
  'cookie',
  'email',
  'loginurl',
  'password',
  'proxyauthorization',
  'secret',
  'setcookie',
  'token',
  'xapikey',
]);

const isCredentialField = (name: string): boolean => CREDENTIAL_FIELDS.has(name.replaceAll(/[-_]/g, '').toLowerCase());

/** `password=abc`, `"apiToken": "abc"`, `Authorization: ApiKey abc`: a credential field in running text, up to its value. */
const CREDENTIAL_IN_TEXT =
  '((?:api[-_]?key|api[-_]?token|app[-_]?secret|auth[-_]?code|authorization|email|login[-_]?url|password|secret|token)' +
  '(?:%22|\\\\*["\'])?\\s*(?:=|:|%3[aA]|%3[dD])\\s*(?:%22|\\\\*["\'])?(?:(?:ApiKey|Basic|Bearer)(?:\\s|%20|\\+)+)?)';

/** Makes an empty redaction; secrets can be added at any time, also while a run is on. */
export function createRedaction(): Redaction {
  const known = new Set<string>();
  const patterns: Pattern[] = [];
  const short: { name: string; value: string }[] = [];
  let scanner: Scanner | undefined;
  let shortInText: RegExp | undefined;

  const add = ({ name, value }: { readonly name: string; readonly value: string }): void => {
    if (value === '' || known.has(value)) return;
    known.add(value);
    if (value.length < SHORTEST_EVERYWHERE_CHARS) {
      short.push({ name, value });
      short.sort((a, b) => b.value.length - a.value.length);
      shortInText = new RegExp(
        `${CREDENTIAL_IN_TEXT}(${short.map((one) => formsOfShort(one.value)).join('|')})(?![A-Za-z0-9_])`,
        'gi',
      );
      return;
    }
    patterns.push(...patternsOf(name, value));
    if (value.includes('\n')) {
      const lines = value.split(/\r?\n/).filter((line) => line.length >= LINE_OF_KEY_FILE_CHARS);
      for (const line of lines) if (!line.startsWith('-----')) patterns.push(...patternsOf(name, line));
    }
    scanner = undefined;
  };

  const everywhere = (text: string): string => {
    if (patterns.length === 0) return text;
    scanner ??= createScanner(patterns);
    return scanner(text);
  };

  const text = (input: string): string => {
    const output = everywhere(input);
    if (shortInText === undefined) return output;
    return output.replace(shortInText, (_all, before: string, found: string) => `${before}${nameOfShort(found)}`);
  };

  const nameOfShort = (found: string): string => {
    const match = short.find(({ value }) => new RegExp(`^(?:${formsOfShort(value)})$`, 'i').test(found));
    return match === undefined ? '$SECRET' : `$${match.name}`;
  };

  const field = (name: string, input: string): string => {
    let output = text(input);
    if (!isCredentialField(name)) return output;
    for (const one of short) output = output.replaceAll(one.value, () => `$${one.name}`);
    return output;
  };

  const value = <T>(input: T): T => deep(input, '') as T;
  const deep = (input: unknown, name: string): unknown => {
    if (typeof input === 'string') return field(name, input);
    if (typeof input !== 'object' || input === null) return input;
    if (input instanceof Uint8Array) return bytes(input);
    if (Array.isArray(input)) return input.map((item) => deep(item, name));
    if ('toJSON' in input && typeof input.toJSON === 'function') return deep(input.toJSON(), name);
    const pairs = Object.entries(input).map(([key, item]) => [text(key), deep(item, key)] as const);
    return Object.fromEntries(pairs);
  };

  const bytes = (input: Uint8Array): Uint8Array => {
    const before = Buffer.from(input.buffer, input.byteOffset, input.byteLength).toString('latin1');
    const after = text(before);
    return after === before ? input : Buffer.from(after, 'latin1');
  };

  return { add, text, bytes, value, field };
}

function patternsOf(name: string, value: string): Pattern[] {
  return [
    textPattern(value, `$${name}`),
    ...base64Patterns(value, `$${name}(base64)`),
    hexPattern(value, `$${name}(hex)`),
  ];
}

/** A short secret is looked for as it is and URL-encoded. */
function formsOfShort(value: string): string {
  const forms = new Set([value, encodeURIComponent(value.toWellFormed()), JSON.stringify(value).slice(1, -1)]);
  return [...forms].map((form) => form.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|');
}

type Scanner = (text: string) => string;

/**
 * One pass over the text. A table of the first two characters rules out nearly every position; the few that are left, and
 * the positions where an escape begins, are tried with the patterns that can start there. Ten megabytes take about 0.1 s.
 */
function createScanner(patterns: readonly Pattern[]): Scanner {
  const byFirst = new Map<number, Pattern[]>();
  const pairs = new Uint8Array(65536);
  const escapes = new Set<number>(ESCAPE_BEGINNINGS.map((char) => char.charCodeAt(0)));
  const pairKey = (first: number, second: number): number => ((first * 257) ^ second) & 0xffff;

  for (const pattern of patterns) {
    for (const form of pattern.first) {
      const first = form.charCodeAt(0);
      const bucket = byFirst.get(first) ?? [];
      if (!bucket.includes(pattern)) bucket.push(pattern);
      byFirst.set(first, bucket);
      const seconds = form.length > 1 ? [form.slice(1)] : [...pattern.second, ...ESCAPE_BEGINNINGS];
      for (const second of seconds) pairs[pairKey(first, second.charCodeAt(0))] = 1;
    }
  }
  const beyondAscii = patterns.filter((pattern) => pattern.first.some((form) => form.charCodeAt(0) > 127));

  const candidatesAt = (text: string, at: number, code: number, next: number): readonly Pattern[] => {
    const plain = pairs[pairKey(code, next)] === 1 ? (byFirst.get(code) ?? []) : [];
    if (!escapes.has(code)) return plain;
    const found = new Set(plain);
    for (const decoded of firstOfEscape(text, at)) {
      for (const pattern of decoded > 127 ? beyondAscii : (byFirst.get(decoded) ?? [])) found.add(pattern);
    }
    return [...found];
  };

  return (text) => {
    const found: { start: number; end: number; label: string }[] = [];
    const last = text.length - 1;
    for (let at = 0; at <= last; at += 1) {
      const code = text.charCodeAt(at);
      const next = at < last ? text.charCodeAt(at + 1) : 0;
      if (pairs[((code * 257) ^ next) & 0xffff] === 0 && code !== 37 && code !== 38 && code !== 61 && code !== 92)
        continue;
      for (const pattern of candidatesAt(text, at, code, next)) {
        const regex = pattern.regex();
        regex.lastIndex = at;
        if (regex.test(text)) found.push({ start: at, end: regex.lastIndex, label: pattern.label });
      }
    }
    return found.length === 0 ? text : replaced(text, found);
  };
}

/** Overlapping finds are one: nothing of either stays, and the longer one gives the name. */
function replaced(text: string, found: readonly { start: number; end: number; label: string }[]): string {
  let output = '';
  let at = 0;
  for (let i = 0; i < found.length; ) {
    let longest = found[i]!;
    let end = longest.end;
    const start = longest.start;
    for (i += 1; i < found.length && found[i]!.start < end; i += 1) {
      const other = found[i]!;
      end = Math.max(end, other.end);
      if (other.end - other.start > longest.end - longest.start) longest = other;
    }
    output += text.slice(at, start) + longest.label;
    at = end;
  }
  return output + text.slice(at);
}

const NOTHING: readonly number[] = [];
const [BACKSLASH_CODE, PERCENT_CODE, AMPERSAND_CODE] = [92, 37, 38];

const ESCAPE =
  /(?:\\|%(?:25){0,3}5[cC])+(?:u\{?0{0,4}([0-9a-fA-F]{1,6})|x([0-9a-fA-F]{2})|([nrtbf])|(["'/`$])|%(?:25){0,3}(2[2-7fF]))|%(?:25){0,3}([0-9a-fA-F]{2})|&(?:amp;){0,3}(?:#0{0,6}(\d{1,7})|#[xX]0{0,6}([0-9a-fA-F]{1,6})|([a-z]{2,6});)|=([0-9a-fA-F]{2})/y;

const SHORT_ESCAPE_CODES: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, b: 8, f: 12 };

/** The characters that the escape at this position may stand for; an escape of an escape has several readings. */
function firstOfEscape(text: string, at: number): readonly number[] {
  const begin = text.charCodeAt(at);
  if (begin === PERCENT_CODE) {
    const simple = Number.parseInt(text.slice(at + 1, at + 3), 16);
    if (simple !== PERCENT_CODE && simple !== BACKSLASH_CODE) return Number.isNaN(simple) ? NOTHING : [simple];
  }
  ESCAPE.lastIndex = at;
  const match = ESCAPE.exec(text);
  if (match === null) return begin === BACKSLASH_CODE ? [BACKSLASH_CODE] : NOTHING;
  const [, unicode, x, short, marked, markedEncoded, percent, decimal, hexadecimal, name, quoted] = match;
  const hex = unicode ?? x ?? markedEncoded ?? percent ?? hexadecimal ?? quoted;
  let code = hex === undefined ? Number(decimal ?? 0) : Number.parseInt(hex, 16);
  if (short !== undefined) code = SHORT_ESCAPE_CODES[short] ?? 0;
  if (marked !== undefined) code = marked.charCodeAt(0);
  if (name !== undefined) code = ENTITY_CODES.get(name) ?? 0;
  // What stands first in the escape may also be meant as itself: `%2541` is `A` encoded twice, or `%41` encoded once.
  const itself = begin === AMPERSAND_CODE || begin === BACKSLASH_CODE ? begin : PERCENT_CODE;
  return /^%(?:25)*5[cC]/.test(match[0]) ? [code, BACKSLASH_CODE, PERCENT_CODE] : [code, itself];
}
