/**
 * How texts are compared: without regard to case and to what encodings change. Quotes, backslashes, tabs, line breaks with the indentation
 * behind them, and invisible characters are ignored; `+`, `-` and a space are one, and so are `/` and `_`.
 */
import type { Level } from './levels.ts';

/** The characters of a level that are compared, folded, and their places in the level. */
export interface Compared {
  readonly codes: Uint16Array;
  readonly places: Uint32Array;
  length: number;
}

/** 0: ignored. */
const FOLDED = Uint16Array.from({ length: 65536 }, (_, code) => code);
for (const char of '\\"\'\r\n\t\0') FOLDED[char.charCodeAt(0)] = 0;
// A browser does not show them: pages let long words break there.
for (const char of '\u00ad\u200b\u200c\u200d\u2060\ufeff') FOLDED[char.charCodeAt(0)] = 0;
for (const char of '- \u00a0') FOLDED[char.charCodeAt(0)] = '+'.charCodeAt(0);
FOLDED['_'.charCodeAt(0)] = '/'.charCodeAt(0);
for (let code = 65; code <= 90; code += 1) FOLDED[code] = code + 32;
const [LINE_FEED, CARRIAGE_RETURN] = [10, 13];

/** Characters at the beginning of a line that indent it. */
const isIndent = (code: number): boolean => code === 0x20 || code === 0x09 || code === 0xa0;

/** Puts the compared characters of a level into the room for them. */
export function compare(level: Level, compared: Compared): void {
  let to = 0;
  let isLineBegun = true;
  for (let at = 0; at < level.length; at += 1) {
    const code = level.codes[at]!;
    if (!isLineBegun && isIndent(code)) continue;
    isLineBegun = code !== LINE_FEED && code !== CARRIAGE_RETURN;
    const folded = FOLDED[code]!;
    if (folded === 0) continue;
    compared.codes[to] = folded;
    compared.places[to] = at;
    to += 1;
  }
  compared.length = to;
}

/** The compared characters of a text. */
export function comparedOf(text: string): Uint16Array {
  const units = withoutIndents(text).split('');
  return Uint16Array.from(units.map((unit) => FOLDED[unit.charCodeAt(0)]!)).filter((code) => code !== 0);
}

const withoutIndents = (text: string): string => text.replace(/([\r\n])[ \t\u00a0]+/g, '$1');

/** The characters of a text that are compared, as they are. */
export const exactOf = (text: string): Uint16Array =>
  Uint16Array.from(
    withoutIndents(text)
      .split('')
      .map((unit) => unit.charCodeAt(0)),
  ).filter((code) => FOLDED[code] !== 0);
