/**
 * Finds secrets in text: as they are, under any escapes, as base64 at each of its three offsets, as hexadecimal digits, and
 * as bytes that are written out as numbers. One search over every level of escapes.
 */
import { type Compared, compare } from './compared.ts';
import { cutsIn } from './cuts.ts';
import { fillLevel, type Level, MAX_LEVELS, MAY_HOLD_ESCAPES, newLevel, removeEscapes } from './levels.ts';
import type { Needle, NeedleIndex } from './needle-index.ts';
import { NeedleTiers } from './needle-tiers.ts';
import { isCompared, type SecretText } from './needles.ts';
import { newSpelledBytes, readSpelledBytes } from './spelled-bytes.ts';

export type { SecretText } from './needles.ts';

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

/** A long text is searched in pieces of this size, so that the room for levels stays small. */
const PIECE_CHARS = 1 << 18;
/** Pieces overlap, so that a secret on a border is found: four kilobytes with every character escaped twice. */
const OVERLAP_CHARS = 1 << 16;

/** Names of headers and fields come again and again: what was found free of secrets is remembered within these limits. */
const REMEMBERED_CHARS = 64;
const REMEMBERED_TEXTS = 4_000;

const room = newLevel(PIECE_CHARS + OVERLAP_CHARS);
const spelled = newSpelledBytes(PIECE_CHARS + OVERLAP_CHARS);
/** The compared characters of a level, and their places in it. */
const compared: Compared = {
  codes: new Uint16Array(room.codes.length),
  places: new Uint32Array(room.codes.length),
  length: 0,
};

/** A search that grows: secrets become known while a run is on. */
export class SecretSearch {
  readonly #needles = new NeedleTiers();
  readonly #fragments: boolean;
  /** Short texts in which nothing was found; a new secret may be in each of them. */
  readonly #clean = new Set<string>();

  /** With `fragments`, eight characters of a secret and more are found beside `…` and `...`. */
  constructor({ fragments = false }: { readonly fragments?: boolean } = {}) {
    this.#fragments = fragments;
  }

  /** False: hardly anything of this value is compared, so that the search can't find it. */
  add(secret: SecretText): boolean {
    this.#needles.add(secret);
    this.#clean.clear();
    return isCompared(secret);
  }

  /** From now on the value is not found any more. */
  remove(value: string): void {
    this.#needles.remove(value);
  }

  /** Where the text contains secrets, in its order; finds may overlap. */
  find(text: string): Find[] {
    if (this.#clean.has(text)) return [];
    const indexes = this.#needles.indexes();
    if (indexes.length === 0) return [];
    const scan = new Scan(indexes, this.#fragments);
    for (let from = 0; from === 0 || from < text.length; from += PIECE_CHARS) {
      scan.piece(text, from, Math.min(text.length, from + PIECE_CHARS + OVERLAP_CHARS));
    }
    const { finds } = scan;
    if (finds.length === 0 && text.length <= REMEMBERED_CHARS && this.#clean.size < REMEMBERED_TEXTS)
      this.#clean.add(text);
    finds.sort(byPlace);
    withEscapingBackslashes(finds, text);
    return finds.sort(byPlace);
  }
}

const byPlace = (one: Find, other: Find): number => one.start - other.start || other.end - one.end;

/** Lets finds begin with the backslashes that escape them. */
function withEscapingBackslashes(finds: readonly Find[], text: string): void {
  // Many finds may begin at one place, behind one long run.
  let last = { at: -1, run: 0 };
  for (const one of finds) {
    if (last.at !== one.start) last = { at: one.start, run: escapingBackslashes(text, one.start) };
    one.start -= last.run;
  }
}

/** An odd run of backslashes escapes what follows it; left alone it would spoil the JSON around the name. */
function escapingBackslashes(text: string, at: number): number {
  let run = 0;
  while (text.charCodeAt(at - run - 1) === 92) run += 1;
  return run % 2 === 1 ? run : 0;
}

type Naming = (label: string, place: number) => string;
const asItIs: Naming = (label) => label;

/** The search of one text, piece by piece. */
class Scan {
  readonly finds: Find[] = [];
  readonly #indexes: readonly NeedleIndex[];
  readonly #fragments: boolean;

  constructor(indexes: readonly NeedleIndex[], fragments: boolean) {
    this.#indexes = indexes;
    this.#fragments = fragments;
  }

  /** Searches the characters `from` to `to` of a text, on each level of escapes. */
  piece(text: string, from: number, to: number): void {
    fillLevel(room, text, from, to);
    this.#level(room);
    this.#spelled(room);
    if (!MAY_HOLD_ESCAPES.test(to - from === text.length ? text : text.slice(from, to))) return;
    for (const mail of [false, true, true]) {
      const isMail = mail && removeEscapes(room, true);
      if (isMail) this.#level(room);
      let changed = false;
      for (let level = 0; level < MAX_LEVELS && removeEscapes(room, false); level += 1) {
        changed = true;
        this.#level(room);
      }
      if (changed) this.#spelled(room);
      // Looking once more would change nothing, either.
      if (mail && !isMail && !changed) return;
    }
  }

  #level(level: Level, named = asItIs): void {
    compare(level, compared);
    for (const index of this.#indexes) this.#wholes(level, index, named);
    if (this.#fragments) this.#parts(level, named);
  }

  #wholes(level: Level, index: NeedleIndex, named: Naming): void {
    // A secret of one repeated part is found at each place of a text of that part: only where it does not overlap is it compared.
    const latest = new Map<readonly Needle[], { readonly find: Find; last: number }>();
    index.scan(compared, (first, last, needles) => {
      const before = latest.get(needles);
      if (before !== undefined && first <= before.last) {
        before.last = last;
        before.find.end = level.ends[compared.places[last]!]!;
        return;
      }
      const exact = needles.find((needle) => isAt(level, first, needle.exact));
      const { label } = exact ?? needles[0]!;
      const find = this.#report(level, first, last, {
        label: named(label, compared.places[first]!),
        isExact: exact !== undefined,
      });
      latest.set(needles, { find, last });
    });
  }

  /** What is left of a secret beside the mark of a cut. */
  #parts(level: Level, named: Naming): void {
    const found = (first: number, last: number, needle: Needle): void => {
      this.#report(level, first, last, { label: named(partOf(needle), compared.places[first]!), isExact: false });
    };
    for (const { before, behind } of cutsIn(compared, level)) {
      for (const index of this.#indexes) {
        for (const end of before) {
          const part = index.fragmentAt(compared, end, false);
          if (part !== undefined) found(end - part.length, before[0]! - 1, part.needle);
        }
        for (const from of behind) {
          const part = index.fragmentAt(compared, from, true);
          if (part !== undefined) found(behind[0]!, from + part.length - 1, part.needle);
        }
      }
    }
  }

  #report(level: Level, first: number, last: number, named: Pick<Find, 'label' | 'isExact'>): Find {
    const [start, end] = [level.starts[compared.places[first]!]!, level.ends[compared.places[last]!]!];
    const find: Find = { start, end, length: end - start, ...named };
    this.finds.push(find);
    return find;
  }

  #spelled(level: Level): void {
    for (const spelling of ['decimal', 'hex'] as const) {
      if (!readSpelledBytes(level, spelled, spelling)) continue;
      const form = spelling === 'hex' ? '(hex)' : '(bytes)';
      this.#level(spelled, (label, place) => {
        const name = `${label.replace(/\(.*/, '')}${form}`;
        // A list of numbers stays a list that JSON readers can read.
        return spelled.inList[place] === 1 ? `"${name}"` : name;
      });
    }
  }
}

const partOf = ({ label }: Needle): string => `${label.replace(/\(.*/, '')}(part)`;

const isAt = (level: Level, first: number, exact: Uint16Array): boolean =>
  exact.every((code, i) => level.codes[compared.places[first + i]!] === code);
