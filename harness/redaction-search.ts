/**
 * Finds secrets in text: as they are, under any escapes, as base64 at each of its three offsets, as hexadecimal digits.
 * One search over every level of escapes. Compared is without regard to case and to what encodings change: quotes,
 * backslashes and line breaks are passed over, `+`, `-` and a space are one, and so are `/` and `_`.
 */
import { fillLevel, type Level, MAY_HOLD_ESCAPES, newLevel, takeEscapesOff } from './redaction-levels.ts';

export interface SecretText {
  readonly name: string;
  readonly value: string;
}

export interface Find {
  start: number;
  readonly end: number;
  readonly label: string;
}

/** Compared characters that a search needs at least; fewer would be found by chance. */
export const SHORTEST_NEEDLE_CHARS = 6;
/** Escapes in escapes; more than JSON in JSON in a URL in HTML is not met. */
const MOST_LEVELS = 5;
/** A long text is searched in pieces of this size, so that the room for levels stays small. */
const PIECE_CHARS = 1 << 18;
/** Pieces overlap, so that a secret on a border is found: four kilobytes with every character escaped twice. */
const OVERLAP_CHARS = 1 << 16;

interface Needle {
  readonly label: string;
  readonly codes: Uint16Array;
}

/** 0: passed over. */
const FOLDED = Uint16Array.from({ length: 65536 }, (_, code) => code);
for (const char of '\\"\'\r\n\0') FOLDED[char.charCodeAt(0)] = 0;
for (const char of '- \u00a0') FOLDED[char.charCodeAt(0)] = '+'.charCodeAt(0);
FOLDED['_'.charCodeAt(0)] = '/'.charCodeAt(0);
for (let code = 65; code <= 90; code += 1) FOLDED[code] = code + 32;

const room = newLevel(PIECE_CHARS + OVERLAP_CHARS);
/** The compared characters of a level, and their places in it. */
const compared = { codes: new Uint16Array(room.codes.length), places: new Uint32Array(room.codes.length), length: 0 };

/** A search that grows: secrets become known while a run is on. */
export interface Search {
  /** False: hardly anything of this value is compared, so that the search can't find it. */
  add(secret: SecretText): boolean;
  /** Where secrets stand, in the order of the text; finds may overlap. */
  find(text: string): Find[];
}

export function createSearch(): Search {
  const pairs = new Uint8Array(65536);
  const byPair = new Map<number, Needle[]>();

  const add = (secret: SecretText): boolean => {
    const needles = needlesOf(secret);
    for (const needle of needles) {
      const key = pairKey(needle.codes[0]!, needle.codes[1]!);
      pairs[key] = 1;
      byPair.set(key, [...(byPair.get(key) ?? []), needle]);
    }
    return needles.some(({ label }) => label === `$${secret.name}`);
  };

  const searchLevel = (finds: Find[]): void => {
    compare(room);
    const { codes, places, length } = compared;
    for (let at = 0; at + 1 < length; at += 1) {
      const key = ((codes[at]! * 257) ^ codes[at + 1]!) & 0xffff;
      if (pairs[key] === 0) continue;
      for (const needle of byPair.get(key) ?? []) {
        if (!standsAt(needle.codes, at)) continue;
        const last = places[at + needle.codes.length - 1]!;
        finds.push({ start: room.starts[places[at]!]!, end: room.ends[last]!, label: needle.label });
      }
    }
  };

  const searchPiece = (text: string, from: number, to: number, finds: Find[]): void => {
    fillLevel(room, text, from, to);
    searchLevel(finds);
    if (!MAY_HOLD_ESCAPES.test(to - from === text.length ? text : text.slice(from, to))) return;
    for (const mail of [false, true, true]) {
      if (mail && takeEscapesOff(room, true)) searchLevel(finds);
      for (let level = 0; level < MOST_LEVELS && takeEscapesOff(room, false); level += 1) searchLevel(finds);
    }
  };

  const find = (text: string): Find[] => {
    const finds: Find[] = [];
    if (byPair.size === 0) return finds;
    for (let from = 0; from === 0 || from < text.length; from += PIECE_CHARS) {
      searchPiece(text, from, Math.min(text.length, from + PIECE_CHARS + OVERLAP_CHARS), finds);
    }
    for (const one of finds) one.start -= escapingBackslashes(text, one.start);
    return finds.sort((x, y) => x.start - y.start || y.end - x.end);
  };

  return { add, find };
}

/** An odd run of backslashes escapes what follows it; left alone it would spoil the JSON around the name. */
function escapingBackslashes(text: string, at: number): number {
  let run = 0;
  while (text.charCodeAt(at - run - 1) === 92) run += 1;
  return run % 2 === 1 ? run : 0;
}

const pairKey = (first: number, second: number): number => ((first * 257) ^ second) & 0xffff;

function compare(level: Level): void {
  let to = 0;
  for (let at = 0; at < level.length; at += 1) {
    const folded = FOLDED[level.codes[at]!]!;
    if (folded === 0) continue;
    compared.codes[to] = folded;
    compared.places[to] = at;
    to += 1;
  }
  compared.length = to;
}

function standsAt(needle: Uint16Array, at: number): boolean {
  if (at + needle.length > compared.length) return false;
  for (let i = 2; i < needle.length; i += 1) if (compared.codes[at + i] !== needle[i]) return false;
  return true;
}

/** Everything to look for; empty when all of it is too short. */
function needlesOf({ name, value }: SecretText): Needle[] {
  // Percent escapes and byte strings give UTF-8 bytes, not characters.
  const written = [value, Buffer.from(value, 'utf8').toString('latin1')];
  const texts = new Set(written.flatMap((text) => [text, withoutEscapes(text, false), withoutEscapes(text, true)]));
  const wrapped = new Set([value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value.toWellFormed())]);
  const encoded = [...wrapped].flatMap((text) => [0, 1, 2].map((offset) => base64Core(text, offset)));
  const rows: [string, string][] = [
    ...[...texts].map((text): [string, string] => [text, `$${name}`]),
    ...encoded.map((text): [string, string] => [text, `$${name}(base64)`]),
    [Buffer.from(value, 'utf8').toString('hex'), `$${name}(hex)`],
  ];
  const needles = new Map<string, Needle>();
  for (const [text, label] of rows) {
    const codes = comparedOf(text);
    if (codes.length >= SHORTEST_NEEDLE_CHARS && !needles.has(codes.join()))
      needles.set(codes.join(), { label, codes });
  }
  return [...needles.values()];
}

/** A secret may itself look like an escape (`50%25off`): what it becomes when the text around it is unescaped. */
function withoutEscapes(value: string, mail: boolean): string {
  const level = newLevel(value.length);
  fillLevel(level, value, 0, value.length);
  for (const again of [false, true, true]) {
    if (again && mail) takeEscapesOff(level, true);
    for (let i = 0; i < MOST_LEVELS && takeEscapesOff(level, false); i += 1);
  }
  return String.fromCharCode(...level.codes.subarray(0, level.length));
}

function comparedOf(text: string): Uint16Array {
  return Uint16Array.from(text.split('').map((unit) => FOLDED[unit.charCodeAt(0)]!)).filter((code) => code !== 0);
}

/** The part of a base64 text that a secret alone decides, when `offset` bytes (0, 1 or 2) stand before it in its group. */
function base64Core(text: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(text, 'utf8')]);
  const encoded = bytes.toString('base64').replace(/=+$/, '');
  const undecidedBefore = Math.ceil((offset * 8) / 6);
  return encoded.slice(undecidedBefore, Math.floor((bytes.length * 8) / 6));
}
