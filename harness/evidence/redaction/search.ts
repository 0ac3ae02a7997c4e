/**
 * Finds secrets in text: as they are, under any escapes, as base64 at each of its three offsets, as hexadecimal digits, and
 * as bytes that are written out as numbers.
 * One search over every level of escapes. Compared is without regard to case and to what encodings change: quotes,
 * backslashes, tabs, line breaks with the indentation behind them, and invisible characters are ignored, `+`, `-` and a space are one, and so are `/` and `_`.
 */
import { indexOf, type Needle, type NeedleIndex } from '../needle-index.ts';
import { newSpelledBytes, readSpelledBytes } from '../spelled-bytes.ts';
import { latin1Of, misread } from './charsets.ts';
import { type Compared, cutsIn } from './cuts.ts';
import { fillLevel, type Level, MAY_HOLD_ESCAPES, newLevel, removeEscapes } from './levels.ts';

export interface SecretText {
  readonly name: string;
  readonly value: string;
}

export interface Find {
  start: number;
  /** Where several occurrences of one secret overlap, the end of the last. */
  end: number;
  /** Of one occurrence: which of several secrets at one place is the longest. */
  readonly length: number;
  readonly label: string;
  /** The characters are those of this very secret, also where others read the same when compared. */
  readonly isExact: boolean;
}

/** Compared characters that a search needs at least; fewer would be found by chance. */
const MIN_NEEDLE_CHARS = 6;
/** Escapes in escapes; more than JSON in JSON in a URL in HTML is not met. */
const MAX_LEVELS = 5;
/** A long text is searched in pieces of this size, so that the room for levels stays small. */
const PIECE_CHARS = 1 << 18;
/** Pieces overlap, so that a secret on a border is found: four kilobytes with every character escaped twice. */
const OVERLAP_CHARS = 1 << 16;
/**
 * Needles that are added one by one are indexed apart, in tiers: a service that sets a new cookie with each response must not cost
 * a whole index each time. A tier that has more characters than this becomes part of the next, which takes eight times as many.
 */
const FIRST_TIER_CHARS = 2 * 1024;
const TIER_GROWTH = 8;
const TIERS = 4;

/** Names of headers and fields come again and again: what was found free of secrets is remembered within these limits. */
const REMEMBERED_CHARS = 64;
const REMEMBERED_TEXTS = 4_000;

/** 0: ignored. */
const FOLDED = Uint16Array.from({ length: 65536 }, (_, code) => code);
for (const char of '\\"\'\r\n\t\0') FOLDED[char.charCodeAt(0)] = 0;
// A browser does not show them: pages let long words break there.
for (const char of '\u00ad\u200b\u200c\u200d\u2060\ufeff') FOLDED[char.charCodeAt(0)] = 0;
for (const char of '- \u00a0') FOLDED[char.charCodeAt(0)] = '+'.charCodeAt(0);
FOLDED['_'.charCodeAt(0)] = '/'.charCodeAt(0);
for (let code = 65; code <= 90; code += 1) FOLDED[code] = code + 32;
const [LINE_FEED, CARRIAGE_RETURN] = [10, 13];

const room = newLevel(PIECE_CHARS + OVERLAP_CHARS);
const spelled = newSpelledBytes(PIECE_CHARS + OVERLAP_CHARS);
/** The compared characters of a level, and their places in it. */
const compared: Compared = {
  codes: new Uint16Array(room.codes.length),
  places: new Uint32Array(room.codes.length),
  length: 0,
};

/** A search that grows: secrets become known while a run is on. */
export interface Search {
  /** False: hardly anything of this value is compared, so that the search can't find it. */
  add(secret: SecretText): boolean;
  /** From now on the value is not found any more. */
  remove(value: string): void;
  /** Where the text contains secrets, in its order; finds may overlap. */
  find(text: string): Find[];
}

/** Makes a search. With `fragments`, eight characters of a secret and more are found beside `…` and `...`. */
export function createSearch({ fragments = false }: { readonly fragments?: boolean } = {}): Search {
  const tiers = Array.from({ length: TIERS }, (): Tier => ({ needles: new Map(), chars: 0, index: undefined }));
  /** Not searched for yet: what to look for is worked out when something is searched. */
  const added = new Map<string, SecretText>();
  /** Short texts in which nothing was found; a new secret may be in each of them. */
  const clean = new Set<string>();

  const add = (secret: SecretText): boolean => {
    added.set(secret.value, secret);
    clean.clear();
    return isCompared(secret);
  };

  const remove = (value: string): void => {
    added.delete(value);
    for (const tier of tiers) {
      const needles = tier.needles.get(value);
      if (needles === undefined) continue;
      tier.needles.delete(value);
      tier.chars -= charsOf(needles);
      tier.index = undefined;
    }
  };

  const indexes = (): NeedleIndex[] => {
    for (const secret of added.values()) put(tiers[0]!, secret.value, needlesOf(secret));
    added.clear();
    for (const [at, next] of tiers.slice(1).entries()) {
      const tier = tiers[at]!;
      if (tier.chars <= FIRST_TIER_CHARS * TIER_GROWTH ** at) continue;
      for (const [value, needles] of tier.needles) put(next, value, needles);
      tier.needles.clear();
      tier.chars = 0;
      tier.index = undefined;
    }
    return tiers.flatMap((tier) => {
      if (tier.needles.size === 0) return [];
      tier.index ??= indexOf([...tier.needles.values()].flat());
      return [tier.index];
    });
  };

  const searchLevel = (level: Level, finds: Find[], all: readonly NeedleIndex[], named = asItIs): void => {
    compare(level);
    const { places } = compared;
    const cuts = fragments ? [...cutsIn(compared, level)] : [];
    const report = (first: number, last: number, label: string, isExact: boolean): Find => {
      const [start, end] = [level.starts[places[first]!]!, level.ends[places[last]!]!];
      const find = { start, end, length: end - start, label: named(label, places[first]!), isExact };
      finds.push(find);
      return find;
    };
    for (const index of all) {
      // A secret of one repeated part is found at each place of a text of that part: only where it does not overlap is it compared.
      const latest = new Map<readonly Needle[], { readonly find: Find; last: number }>();
      index.scan(compared, (first, last, needles) => {
        const before = latest.get(needles);
        if (before !== undefined && first <= before.last) {
          before.last = last;
          before.find.end = level.ends[places[last]!]!;
          return;
        }
        const exact = needles.find((needle) => isAt(level, first, needle.exact));
        latest.set(needles, { find: report(first, last, (exact ?? needles[0]!).label, exact !== undefined), last });
      });
      for (const { before, behind } of cuts) {
        for (const end of before) {
          const found = index.fragmentAt(compared, end, false);
          if (found !== undefined) report(end - found.length, before[0]! - 1, partOf(found.needle), false);
        }
        for (const from of behind) {
          const found = index.fragmentAt(compared, from, true);
          if (found !== undefined) report(behind[0]!, from + found.length - 1, partOf(found.needle), false);
        }
      }
    }
  };

  const searchSpelled = (level: Level, finds: Find[], all: readonly NeedleIndex[]): void => {
    for (const spelling of ['decimal', 'hex'] as const) {
      if (!readSpelledBytes(level, spelled, spelling)) continue;
      const form = spelling === 'hex' ? '(hex)' : '(bytes)';
      searchLevel(spelled, finds, all, (label, place) => {
        const name = `${label.replace(/\(.*/, '')}${form}`;
        // A list of numbers stays a list that JSON readers can read.
        return spelled.inList[place] === 1 ? `"${name}"` : name;
      });
    }
  };

  const searchPiece = (text: string, from: number, to: number, finds: Find[], all: readonly NeedleIndex[]): void => {
    fillLevel(room, text, from, to);
    searchLevel(room, finds, all);
    searchSpelled(room, finds, all);
    if (!MAY_HOLD_ESCAPES.test(to - from === text.length ? text : text.slice(from, to))) return;
    for (const mail of [false, true, true]) {
      const isMail = mail && removeEscapes(room, true);
      if (isMail) searchLevel(room, finds, all);
      let changed = false;
      for (let level = 0; level < MAX_LEVELS && removeEscapes(room, false); level += 1) {
        changed = true;
        searchLevel(room, finds, all);
      }
      if (changed) searchSpelled(room, finds, all);
      // Looking once more would change nothing, either.
      if (mail && !isMail && !changed) return;
    }
  };

  const find = (text: string): Find[] => {
    const finds: Find[] = [];
    if (clean.has(text)) return finds;
    const all = indexes();
    if (all.length === 0) return finds;
    for (let from = 0; from === 0 || from < text.length; from += PIECE_CHARS) {
      searchPiece(text, from, Math.min(text.length, from + PIECE_CHARS + OVERLAP_CHARS), finds, all);
    }
    if (finds.length === 0 && text.length <= REMEMBERED_CHARS && clean.size < REMEMBERED_TEXTS) clean.add(text);
    finds.sort((x, y) => x.start - y.start || y.end - x.end);
    // Many finds may begin at one place, behind one long run.
    let last = { at: -1, run: 0 };
    for (const one of finds) {
      if (last.at !== one.start) last = { at: one.start, run: escapingBackslashes(text, one.start) };
      one.start -= last.run;
    }
    return finds.sort((x, y) => x.start - y.start || y.end - x.end);
  };

  return { add, remove, find };
}

/** Secrets whose needles share an index. */
interface Tier {
  readonly needles: Map<string, readonly Needle[]>;
  chars: number;
  /** Undefined until it is needed, and after each change. */
  index: NeedleIndex | undefined;
}

function put(tier: Tier, value: string, needles: readonly Needle[]): void {
  tier.chars += charsOf(needles) - charsOf(tier.needles.get(value) ?? []);
  tier.needles.set(value, needles);
  tier.index = undefined;
}

const charsOf = (needles: readonly Needle[]): number => needles.reduce((sum, { codes }) => sum + codes.length, 0);

type Naming = (label: string, place: number) => string;
const asItIs: Naming = (label) => label;

const partOf = ({ label }: Needle): string => `${label.replace(/\(.*/, '')}(part)`;

/** An odd run of backslashes escapes what follows it; left alone it would spoil the JSON around the name. */
function escapingBackslashes(text: string, at: number): number {
  let run = 0;
  while (text.charCodeAt(at - run - 1) === 92) run += 1;
  return run % 2 === 1 ? run : 0;
}

/** Characters at the beginning of a line that indent it. */
const isIndent = (code: number): boolean => code === 0x20 || code === 0x09 || code === 0xa0;

function compare(level: Level): void {
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

const isAt = (level: Level, first: number, exact: Uint16Array): boolean =>
  exact.every((code, i) => level.codes[compared.places[first + i]!] === code);

/** Whether enough of the value is compared, as it is or without what looks like escapes in it. */
function isCompared(secret: SecretText): boolean {
  if (comparedOf(secret.value).length >= MIN_NEEDLE_CHARS) return true;
  return needlesOf(secret).some(({ label }) => label === `$${secret.name}`);
}

/** Everything to look for; empty when all of it is too short. */
function needlesOf({ name, value }: SecretText): Needle[] {
  const written = new Set([value, ...misread(value)]);
  const texts = new Set(
    [...written].flatMap((text) => [text, withoutEscapes(text, false), withoutEscapes(text, true)]),
  );
  const wrapped = new Set([value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value.toWellFormed())]);
  const bytes = [...[...wrapped].map((text) => Buffer.from(text, 'utf8')), ...latin1Of(value)];
  const encoded = bytes.flatMap((each) => [0, 1, 2].map((offset) => base64Core(each, offset)));
  const rows: [string, string][] = [
    ...[...texts].map((text): [string, string] => [text, `$${name}`]),
    ...encoded.map((text): [string, string] => [text, `$${name}(base64)`]),
    ...[Buffer.from(value, 'utf8'), ...latin1Of(value)].map((each): [string, string] => [
      each.toString('hex'),
      `$${name}(hex)`,
    ]),
  ];
  const needles = new Map<string, Needle>();
  for (const [text, label] of rows) {
    const codes = comparedOf(text);
    if (codes.length >= MIN_NEEDLE_CHARS && !needles.has(codes.join()))
      needles.set(codes.join(), { label, codes, exact: exactOf(text) });
  }
  return [...needles.values()];
}

/** A secret may itself look like an escape (`50%25off`): what it becomes when the text around it is unescaped. */
function withoutEscapes(value: string, mail: boolean): string {
  const level = newLevel(value.length);
  fillLevel(level, value, 0, value.length);
  for (const again of [false, true, true]) {
    if (again && mail) removeEscapes(level, true);
    for (let i = 0; i < MAX_LEVELS && removeEscapes(level, false); i += 1);
  }
  return String.fromCharCode(...level.codes.subarray(0, level.length));
}

function comparedOf(text: string): Uint16Array {
  const units = withoutIndents(text).split('');
  return Uint16Array.from(units.map((unit) => FOLDED[unit.charCodeAt(0)]!)).filter((code) => code !== 0);
}

const withoutIndents = (text: string): string => text.replace(/([\r\n])[ \t\u00a0]+/g, '$1');

/** The characters of a text that are compared, as they are. */
const exactOf = (text: string): Uint16Array =>
  Uint16Array.from(
    withoutIndents(text)
      .split('')
      .map((unit) => unit.charCodeAt(0)),
  ).filter((code) => FOLDED[code] !== 0);

/** The part of a base64 text that a secret alone decides, when `offset` bytes (0, 1 or 2) precede it in its group. */
function base64Core(text: Buffer, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), text]);
  const encoded = bytes.toString('base64').replace(/={1,2}$/, '');
  const undecidedBefore = Math.ceil((offset * 8) / 6);
  return encoded.slice(undecidedBefore, Math.floor((bytes.length * 8) / 6));
}
