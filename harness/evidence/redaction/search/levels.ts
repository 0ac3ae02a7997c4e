/**
 * A text with its escapes taken off, one level after the other, each character with its original position in the text.
 * A secret may be written with any escapes, in any nesting (JSON in a URL in HTML): once they are off, it reads as itself.
 */

/** Characters (UTF-16 units; decoded bytes as they are) with the stretch of the original that each of them represents. */
export interface Level {
  readonly codes: Uint16Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  length: number;
}

/** Escapes in escapes; more than JSON in JSON in a URL in HTML is not met. */
export const MAX_LEVELS = 5;

/** Room for one level; the same room is used for every text. */
export function newLevel(room: number): Level {
  return { codes: new Uint16Array(room), starts: new Uint32Array(room), ends: new Uint32Array(room), length: 0 };
}

/** Puts a piece of text into the level as it is. */
export function fillLevel(level: Level, text: string, from: number, to: number): void {
  for (let at = from, i = 0; at < to; at += 1, i += 1) {
    level.codes[i] = text.charCodeAt(at);
    level.starts[i] = at;
    level.ends[i] = at + 1;
  }
  level.length = to - from;
}

/** Whether a text can hold an escape at all; most texts do not, and need no further look. */
export const MAY_HOLD_ESCAPES = /%[0-9a-fu]|&[#a-z]|<wbr|\\[nrtbfux0-7]|=[0-9a-f\r\n]/i;

const [PERCENT, AMPERSAND, BACKSLASH, EQUALS, HASH, SEMICOLON, LESS, GREATER] = [37, 38, 92, 61, 35, 59, 60, 62];
const [LOWER_U, UPPER_U, LOWER_X, UPPER_X, OPEN_BRACE, CLOSE_BRACE, CR, LF] = [117, 85, 120, 88, 123, 125, 13, 10];

/** 1: an escape may begin with it. */
const MARKS = tableOf([PERCENT, BACKSLASH, AMPERSAND, LESS]);
const MAIL_MARKS = tableOf([EQUALS]);

function tableOf(codes: readonly (number | undefined)[]): Uint8Array {
  return Uint8Array.from({ length: 65536 }, (_, code) => (codes.includes(code) ? 1 : 0));
}

const [ZERO, SEVEN] = [48, 55];
const OCTAL_DIGITS = 3;

const CONTROLS = new Map([...'nrtbf'].map((letter, i) => [letter.charCodeAt(0), [10, 13, 9, 8, 12][i] ?? 0]));

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  bsol: '\\',
  colon: ':',
  comma: ',',
  commat: '@',
  dollar: '$',
  equals: '=',
  excl: '!',
  gt: '>',
  lt: '<',
  lowbar: '_',
  nbsp: '\u00a0',
  newline: '\n',
  num: '#',
  percnt: '%',
  period: '.',
  plus: '+',
  quot: '"',
  semi: ';',
  shy: '\u00ad',
  sol: '/',
  tab: '\t',
};
const MAX_ENTITY_CHARS = 8;
/** Decimal digits of the highest code point, and a reasonable number of leading zeros. */
const MAX_CODE_DIGITS = 10;

/**
 * Takes one level of percent, HTML and backslash escapes off, in place; a level only gets shorter. Of mail
 * (quoted-printable) escapes instead, when `mail` is true: `=41` is an escape there and an ordinary parameter elsewhere.
 * Returns whether anything was taken off.
 */
export function removeEscapes(level: Level, mail: boolean): boolean {
  const { codes, starts, ends } = level;
  const first = firstEscape(level, mail);
  let to = first;
  let changed = false;
  for (let at = first; at < level.length; ) {
    const code = codes[at]!;
    let read: Escape | undefined;
    if (mail) {
      if (code === EQUALS) read = mailEscape(level, at);
    } else if (code === PERCENT) {
      read = percentEscape(level, at);
    } else if (code === BACKSLASH) {
      read = backslashEscape(level, at);
    } else if (code === AMPERSAND) {
      read = entity(level, at);
    } else if (code === LESS) {
      read = breakTag(level, at);
    }
    if (read === undefined) {
      // A run of backslashes that escapes nothing is read once, not from each of them.
      const end = code === BACKSLASH ? endOfRun(level, at) : at + 1;
      // Up to the first escape everything is in its place.
      if (!changed) {
        at = end;
        to = end;
        continue;
      }
      for (; at < end; at += 1) {
        codes[to] = codes[at]!;
        starts[to] = starts[at]!;
        ends[to] = ends[at]!;
        to += 1;
      }
      continue;
    }
    changed = true;
    const [start, end] = [starts[at]!, ends[at + read.length - 1]!];
    for (const unit of read.units) {
      codes[to] = unit;
      starts[to] = start;
      ends[to] = end;
      to += 1;
    }
    at += read.length;
  }
  level.length = to;
  return changed;
}

/** Where the first escape could begin; the length of the level where none can. */
function firstEscape({ codes, length }: Level, mail: boolean): number {
  const marks = mail ? MAIL_MARKS : MARKS;
  let at = 0;
  while (at < length && marks[codes[at]!] === 0) at += 1;
  return at;
}

/** What an escape represents, and how many characters of the level it takes. */
interface Escape {
  readonly units: readonly number[];
  readonly length: number;
}

function percentEscape(level: Level, at: number): Escape | undefined {
  const byte = hexAt(level, at + 1, 2);
  if (byte >= 0) return { units: [byte], length: 3 };
  const isUnit = level.codes[at + 1] === LOWER_U || level.codes[at + 1] === UPPER_U;
  const unit = isUnit ? hexAt(level, at + 2, 4) : -1;
  return unit >= 0 ? { units: [unit], length: 6 } : undefined;
}

/** Where a run of backslashes ends. */
function endOfRun(level: Level, at: number): number {
  let end = at;
  while (end < level.length && level.codes[end] === BACKSLASH) end += 1;
  return end;
}

/** A run of backslashes belongs to the letter behind it, however often it was escaped. */
function backslashEscape(level: Level, at: number): Escape | undefined {
  const letter = endOfRun(level, at);
  if (letter >= level.length) return undefined;
  const before = letter - at;
  const kind = level.codes[letter]!;
  if (kind === LOWER_U || kind === UPPER_U) {
    const unit = hexAt(level, letter + 1, 4);
    return unit >= 0 ? { units: [unit], length: before + 5 } : bracedEscape(level, at, letter);
  }
  if (kind === LOWER_X) {
    const byte = hexAt(level, letter + 1, 2);
    return byte >= 0 ? { units: [byte], length: before + 3 } : bracedEscape(level, at, letter);
  }
  if (kind >= ZERO && kind <= SEVEN) return octalEscape(level, at, letter);
  const control = CONTROLS.get(kind);
  return control === undefined ? undefined : { units: [control], length: before + 1 };
}

/** `\u{1f41d}` and `\x{e9}`. */
function bracedEscape(level: Level, at: number, letter: number): Escape | undefined {
  if (level.codes[letter + 1] !== OPEN_BRACE) return undefined;
  const { value, digits } = numberAt(level, letter + 2, 16);
  const closing = letter + 2 + digits;
  const closed = digits > 0 && closing < level.length && level.codes[closing] === CLOSE_BRACE;
  return closed ? { units: unitsOf(value), length: closing + 1 - at } : undefined;
}

/** `\163`: a byte in one to three octal digits. */
function octalEscape(level: Level, at: number, from: number): Escape | undefined {
  let value = 0;
  let end = from;
  while (end < level.length && end - from < OCTAL_DIGITS) {
    const digit = level.codes[end]! - ZERO;
    if (digit < 0 || digit > 7 || value * 8 + digit > 0xff) break;
    value = value * 8 + digit;
    end += 1;
  }
  return { units: [value], length: end - at };
}

function entity(level: Level, at: number): Escape | undefined {
  const { codes } = level;
  if (codes[at + 1] === HASH) {
    const isHex = codes[at + 2] === LOWER_X || codes[at + 2] === UPPER_X;
    const from = at + (isHex ? 3 : 2);
    const { value, digits } = numberAt(level, from, isHex ? 16 : 10);
    if (digits === 0) return undefined;
    const closed = from + digits < level.length && codes[from + digits] === SEMICOLON;
    return { units: unitsOf(value), length: from + digits + (closed ? 1 : 0) - at };
  }
  let name = '';
  for (let i = at + 1; i < level.length && name.length <= MAX_ENTITY_CHARS; i += 1) {
    if (codes[i] === SEMICOLON) {
      const char = Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined;
      return char === undefined ? undefined : { units: [char.charCodeAt(0)], length: i + 1 - at };
    }
    name += String.fromCharCode(codes[i]!).toLowerCase();
  }
  return undefined;
}

const WBR = [119, 98, 114];
const [SPACE, SLASH] = [32, 47];

/** `<wbr>`, `<wbr/>`, `<wbr />`: where a page lets a long word break. */
function breakTag({ codes, length }: Level, at: number): Escape | undefined {
  if (WBR.some((code, i) => (codes[at + 1 + i]! | 32) !== code)) return undefined;
  let end = at + 1 + WBR.length;
  if (codes[end] === SPACE) end += 1;
  if (codes[end] === SLASH) end += 1;
  return end < length && codes[end] === GREATER ? { units: [], length: end + 1 - at } : undefined;
}

function mailEscape(level: Level, at: number): Escape | undefined {
  const byte = hexAt(level, at + 1, 2);
  if (byte >= 0) return { units: [byte], length: 3 };
  if (at + 1 < level.length && level.codes[at + 1] === LF) return { units: [], length: 2 };
  const crlf = at + 2 < level.length && level.codes[at + 1] === CR && level.codes[at + 2] === LF;
  return crlf ? { units: [], length: 3 } : undefined;
}

/** The number that exactly so many hexadecimal digits write, or -1. */
function hexAt(level: Level, at: number, digits: number): number {
  if (at + digits > level.length) return -1;
  let value = 0;
  for (let i = at; i < at + digits; i += 1) {
    const digit = digitOf(level.codes[i]!, 16);
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

function numberAt(level: Level, at: number, base: 10 | 16): { value: number; digits: number } {
  let value = 0;
  let digits = 0;
  while (at + digits < level.length && digits < MAX_CODE_DIGITS) {
    const digit = digitOf(level.codes[at + digits]!, base);
    if (digit < 0) break;
    value = value * base + digit;
    digits += 1;
  }
  return { value, digits };
}

function digitOf(code: number, base: 10 | 16): number {
  if (code >= 48 && code <= 57) return code - 48;
  if (base === 10) return -1;
  const lower = code | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

function unitsOf(codePoint: number): number[] {
  if (codePoint > 0x10ffff) return [0xfffd];
  return String.fromCodePoint(codePoint)
    .split('')
    .map((unit) => unit.charCodeAt(0));
}
