/**
 * Where a text was cut, and what may be left of a secret beside it. A cut can fall into the middle of an escape: `Zr8Kd2%5…`
 * still shows the characters before the half of `%5D`.
 */
import type { Compared } from './compared.ts';
import type { Level } from './levels.ts';

/** A mark of a cut, in compared characters. */
export interface Cut {
  /** Where a fragment before the mark may end: at the mark, before one character (`&#3` is read as one), and before half an escape. */
  readonly before: readonly number[];
  /** Where a fragment behind the mark may begin. */
  readonly behind: readonly number[];
}

const [FOLDED_SPACE, DOT, ELLIPSIS] = [43, 46, 0x2026];
/** `…` in UTF-8, where bytes are searched. */
const ELLIPSIS_BYTES = [0xe2, 0x80, 0xa6] as const;

const [PERCENT, AMPERSAND, EQUALS, BACKSLASH] = [37, 38, 61, 92];
/** `&#x1f41`, `\u{1f41`: no escape that is met is longer without its last character. */
const MAX_HALF_ESCAPE_CHARS = 7;

/** The marks in a text: `…` and three dots or more, each with a space on either side of it. */
export function* cutsIn(compared: Compared, level: Level): Generator<Cut> {
  const { codes, length } = compared;
  for (let at = 0; at < length; at += 1) {
    const mark = markAt(codes, length, at);
    if (mark === 0) continue;
    const begin = codes[at - 1] === FOLDED_SPACE ? at - 1 : at;
    at += mark;
    const end = codes[at] === FOLDED_SPACE ? at + 1 : at;
    yield {
      before: [begin, begin - 1, ...beforeHalfEscape(compared, level, begin)],
      behind: [end, ...behindHalfEscape(codes, length, end)],
    };
    at -= 1;
  }
}

/** Where the escape begins that `end` cuts in two; undefined if there is none. */
function beforeHalfEscape({ places, length }: Compared, { codes }: Level, end: number): number[] {
  if (end === 0) return [];
  const last = end < length ? places[end]! : places[end - 1]! + 1;
  for (let at = last - 1; at >= 0 && at >= last - MAX_HALF_ESCAPE_CHARS; at -= 1) {
    const code = codes[at]!;
    if (code !== PERCENT && code !== AMPERSAND && code !== EQUALS && code !== BACKSLASH) continue;
    let first = end;
    while (first > 0 && places[first - 1]! >= at) first -= 1;
    return first === end ? [] : [first];
  }
  return [];
}

/** Digits, the letters of escapes, and what closes them, behind a mark: each may be the end of half an escape. */
function behindHalfEscape(codes: Uint16Array, length: number, from: number): number[] {
  const found: number[] = [];
  for (let at = from; at < length && at - from < MAX_HALF_ESCAPE_CHARS && isOfEscape(codes[at]!); at += 1)
    found.push(at + 1);
  return found;
}

const isOfEscape = (folded: number): boolean => /[0-9a-fux#;{}]/.test(String.fromCharCode(folded));

/** The length of the mark of a cut. */
function markAt(codes: Uint16Array, length: number, at: number): number {
  const code = codes[at];
  if (code === ELLIPSIS) return 1;
  if (code === ELLIPSIS_BYTES[0])
    return codes[at + 1] === ELLIPSIS_BYTES[1] && codes[at + 2] === ELLIPSIS_BYTES[2] ? 3 : 0;
  if (code !== DOT) return 0;
  let end = at;
  while (end < length && codes[end] === DOT) end += 1;
  return end - at >= 3 ? end - at : 0;
}
