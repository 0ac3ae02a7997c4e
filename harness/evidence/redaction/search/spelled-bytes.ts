/**
 * Bytes that are written out number by number: `[115, 101]`, `<Buffer 73 65>`, `73:65`, `0x73,0x65`, `7365 6372`. Only what
 * is long enough to hold a secret is read.
 */
import { type Level, newLevel } from './levels.ts';

/** Bytes as a level; each knows whether its numbers began behind a `[`, as a list does. */
export interface SpelledBytes extends Level {
  readonly inList: Uint8Array;
}

export type Spelling = 'decimal' | 'hex';

/** Room for the bytes of one text. */
export function newSpelledBytes(room: number): SpelledBytes {
  return Object.assign(newLevel(room), { inList: new Uint8Array(room) });
}

/** Fewer numbers in a row hold no secret that is looked for. */
const MIN_BYTES_IN_A_ROW = 6;
/** Between two numbers: `, `, ` : `, a line break with an indent. */
const MAX_SEPARATOR_CHARS = 24;
/** Separates two rows, so that nothing is found across them. */
const BREAK = 0xffff;

const [LF, CR, TAB, SPACE, OPEN_LIST, ZERO, X] = [10, 13, 9, 32, 91, 48, 120];
const SEPARATORS: ReadonlySet<number> = new Set([...' \t\r\n,;:|-_'].map((char) => char.charCodeAt(0)));
/** Two digits to a byte; tools group them by two, four or eight. */
const HEX_DIGITS: ReadonlySet<number> = new Set([2, 4, 8]);
const MAX_DECIMAL_DIGITS = 3;

/** Reads the bytes of one spelling into `to`; false when there are too few of them anywhere. */
export function readSpelledBytes(from: Level, to: SpelledBytes, spelling: Spelling): boolean {
  const { codes, length } = from;
  const isHex = spelling === 'hex';
  to.length = 0;
  let rowFrom = 0;
  let rowEnd = -1;
  let inList = 0;
  const endRow = (): void => {
    if (to.length - rowFrom < MIN_BYTES_IN_A_ROW) to.length = rowFrom;
    else push(to, BREAK, 0, 0, 0);
    rowFrom = to.length;
  };
  for (let at = 0; at < length; ) {
    if (!isWord(codes[at]!)) {
      at += 1;
      continue;
    }
    const first = at;
    let digits = at;
    if (isHex && codes[at] === ZERO && (codes[at + 1]! | 32) === X) digits += 2;
    at = digits;
    while (at < length && isWord(codes[at]!)) at += 1;
    if (!isByteWord(codes, digits, at, isHex)) {
      endRow();
      rowEnd = -1;
      continue;
    }
    if (rowEnd < 0 || !isSeparated(codes, rowEnd, first)) {
      endRow();
      inList = isBehindBracket(codes, first) ? 1 : 0;
    }
    if (isHex) {
      for (let i = digits; i < at; i += 2) {
        const start = i === digits ? first : i;
        push(to, numberIn(codes, i, i + 2, 16), from.starts[start]!, from.ends[i + 1]!, inList);
      }
    } else push(to, numberIn(codes, digits, at, 10), from.starts[first]!, from.ends[at - 1]!, inList);
    rowEnd = at;
  }
  endRow();
  return to.length > 0;
}

function push(to: SpelledBytes, code: number, start: number, end: number, inList: number): void {
  to.codes[to.length] = code;
  to.starts[to.length] = start;
  to.ends[to.length] = end;
  to.inList[to.length] = inList;
  to.length += 1;
}

/** Letters and digits: a number ends where something else begins. */
const isWord = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);

function isByteWord(codes: Uint16Array, from: number, to: number, isHex: boolean): boolean {
  const digits = to - from;
  if (isHex ? !HEX_DIGITS.has(digits) : digits < 1 || digits > MAX_DECIMAL_DIGITS) return false;
  for (let at = from; at < to; at += 1) if (digitOf(codes[at]!) >= (isHex ? 16 : 10)) return false;
  return isHex || numberIn(codes, from, to, 10) <= 0xff;
}

function isSeparated(codes: Uint16Array, from: number, to: number): boolean {
  if (to - from > MAX_SEPARATOR_CHARS) return false;
  for (let at = from; at < to; at += 1) if (!SEPARATORS.has(codes[at]!)) return false;
  return true;
}

function isBehindBracket(codes: Uint16Array, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && at - before <= MAX_SEPARATOR_CHARS && isBlank(codes[before]!)) before -= 1;
  return before >= 0 && codes[before] === OPEN_LIST;
}

const isBlank = (code: number): boolean => code === SPACE || code === LF || code === CR || code === TAB;

function numberIn(codes: Uint16Array, from: number, to: number, base: number): number {
  let value = 0;
  for (let at = from; at < to; at += 1) value = value * base + digitOf(codes[at]!);
  return value;
}

/** The value of a hexadecimal digit; at least 16 for any other letter. */
function digitOf(code: number): number {
  return code <= 57 ? code - 48 : (code | 32) - 87;
}
