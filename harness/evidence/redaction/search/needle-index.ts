/**
 * Finds many texts in one pass over another (Aho and Corasick): the time does not depend on how many there are, nor on how
 * much they have in common, so that no target can slow the redaction down by what it hands out.
 */

/** A text to find. */
export interface Needle {
  /** What is written instead. */
  readonly label: string;
  /** The compared characters. */
  readonly codes: Uint16Array;
  /** The same characters as they are. */
  readonly exact: Uint16Array;
}

/** Characters of a text that are compared; only the first `length` of `codes` count. */
export interface ComparedText {
  readonly codes: Uint16Array;
  length: number;
}

/** Needles that read the same when compared, which no text needs more of. */
const MAX_NEEDLES_OF_ONE_READING = 8;
/** A fragment of a needle that is given away beside a cut. */
const MIN_FRAGMENT_CHARS = 8;
/** Needles that share one piece of that length; more of them only differ in the name. */
const MAX_NEEDLES_OF_ONE_PIECE = 4;

interface Piece {
  readonly needle: Needle;
  /** Where in the needle the piece appears for the first and for the last time. */
  readonly first: number;
  last: number;
}

export interface Fragment {
  readonly needle: Needle;
  readonly length: number;
}

export interface NeedleIndex {
  /** Calls back at the end of each needle in the text: the longest that ends there, and others that read the same. */
  scan(text: ComparedText, found: (first: number, last: number, needles: readonly Needle[]) => void): void;
  /** The longest piece of a needle that ends before `end` or, with `forwards`, begins at `end`. */
  fragmentAt(text: ComparedText, end: number, forwards: boolean): Fragment | undefined;
}

/** Builds the index in one pass over all needles. */
export function indexOf(needles: readonly Needle[]): NeedleIndex {
  const { symbols, count } = symbolsOf(needles);
  const goto = new Map<number, number>();
  const depths: number[] = [0];
  const parents: number[] = [0];
  const entered: number[] = [0];
  const endings: (Needle[] | undefined)[] = [undefined];
  const pairs = new Uint8Array(65536);
  for (const needle of needles) {
    pairs[pairKey(needle.codes[0]!, needle.codes[1]!)] = 1;
    let node = 0;
    for (const code of needle.codes) {
      const symbol = symbols[code]!;
      const key = node * count + symbol;
      let next = goto.get(key);
      if (next === undefined) {
        next = depths.length;
        goto.set(key, next);
        depths.push(depths[node]! + 1);
        parents.push(node);
        entered.push(symbol);
        endings.push(undefined);
      }
      node = next;
    }
    const same = endings[node] ?? [];
    if (same.length < MAX_NEEDLES_OF_ONE_READING) same.push(needle);
    endings[node] = same;
  }
  const { shorter, ending } = linksOf({ goto, count, depths, parents, entered }, endings);

  const scan: NeedleIndex['scan'] = ({ codes, length }, found) => {
    let node = 0;
    for (let at = 0; at < length; at += 1) {
      // Almost everywhere nothing begins: two characters say so.
      if (node === 0 && (at + 1 >= length || pairs[pairKey(codes[at]!, codes[at + 1]!)] === 0)) continue;
      const symbol = symbols[codes[at]!]!;
      let next = symbol === 0 ? 0 : goto.get(node * count + symbol);
      while (next === undefined) {
        if (node === 0) next = 0;
        else {
          node = shorter[node]!;
          next = goto.get(node * count + symbol);
        }
      }
      node = next;
      const end = ending[node]!;
      if (end !== 0) found(at + 1 - depths[end]!, at, endings[end]!);
    }
  };

  let pieces: ReadonlyMap<string, readonly Piece[]> | undefined;
  const fragmentAt: NeedleIndex['fragmentAt'] = (text, end, forwards) => {
    const from = forwards ? end : end - MIN_FRAGMENT_CHARS;
    if (from < 0 || from + MIN_FRAGMENT_CHARS > text.length) return undefined;
    pieces ??= piecesOf(needles);
    let best: Fragment | undefined;
    for (const piece of pieces.get(pieceKey(text.codes, from)) ?? []) {
      const length = lengthAt(piece, text, from, forwards);
      if (best === undefined || length > best.length) best = { needle: piece.needle, length };
    }
    return best;
  };

  return { scan, fragmentAt };
}

const pairKey = (first: number, second: number): number => ((first * 257) ^ second) & 0xffff;

/** Numbers the characters that needles have; all others are 0. */
function symbolsOf(needles: readonly Needle[]): { symbols: Uint16Array; count: number } {
  const symbols = new Uint16Array(65536);
  let count = 1;
  for (const { codes } of needles) {
    for (const code of codes) {
      if (symbols[code] === 0 && count < 65535) {
        symbols[code] = count;
        count += 1;
      }
    }
  }
  return { symbols, count };
}

/** The beginnings of all needles: a node for each, and the empty one is 0. */
interface Trie {
  /** The node that `node * count + symbol` leads to. */
  readonly goto: ReadonlyMap<number, number>;
  readonly count: number;
  readonly depths: readonly number[];
  readonly parents: readonly number[];
  /** The symbol that leads from its parent to the node. */
  readonly entered: readonly number[];
}

/** For each node the longest shorter beginning that it ends with, and the longest needle that ends there (0: none). */
function linksOf(
  { goto, count, depths, parents, entered }: Trie,
  endings: readonly (readonly Needle[] | undefined)[],
): { shorter: Int32Array; ending: Int32Array } {
  const shorter = new Int32Array(depths.length);
  const ending = new Int32Array(depths.length);
  for (const node of byDepth(depths)) {
    const parent = parents[node]!;
    if (parent !== 0) {
      const symbol = entered[node]!;
      let link = shorter[parent]!;
      let next = goto.get(link * count + symbol);
      while (next === undefined && link !== 0) {
        link = shorter[link]!;
        next = goto.get(link * count + symbol);
      }
      shorter[node] = next ?? 0;
    }
    ending[node] = endings[node] === undefined ? ending[shorter[node]!]! : node;
  }
  return { shorter, ending };
}

/** All nodes but the empty one, the shortest beginnings first. */
function byDepth(depths: readonly number[]): Int32Array {
  const places: number[] = [];
  for (const depth of depths) places[depth] = (places[depth] ?? 0) + 1;
  let before = -1;
  for (const [depth, own] of places.entries()) {
    places[depth] = before;
    before += own;
  }
  const order = new Int32Array(depths.length - 1);
  for (let node = 1; node < depths.length; node += 1) {
    const depth = depths[node]!;
    order[places[depth]!] = node;
    places[depth] = places[depth]! + 1;
  }
  return order;
}

const pieceKey = (codes: Uint16Array, from: number): string =>
  String.fromCharCode(...codes.subarray(from, from + MIN_FRAGMENT_CHARS));

function piecesOf(needles: readonly Needle[]): ReadonlyMap<string, readonly Piece[]> {
  const all = new Map<string, Piece[]>();
  for (const needle of needles) {
    for (let at = 0; at + MIN_FRAGMENT_CHARS <= needle.codes.length; at += 1) {
      const key = pieceKey(needle.codes, at);
      const known = all.get(key) ?? [];
      const own = known.find((piece) => piece.needle === needle);
      if (own !== undefined) own.last = at;
      else if (known.length < MAX_NEEDLES_OF_ONE_PIECE) known.push({ needle, first: at, last: at });
      all.set(key, known);
    }
  }
  return all;
}

/** How far the needle and the text agree around a piece that they share, away from the cut. */
function lengthAt({ needle, first, last }: Piece, text: ComparedText, from: number, forwards: boolean): number {
  let length = MIN_FRAGMENT_CHARS;
  if (forwards) {
    while (
      first + length < needle.codes.length &&
      from + length < text.length &&
      needle.codes[first + length] === text.codes[from + length]
    )
      length += 1;
    return length;
  }
  for (let back = 1; back <= Math.min(last, from); back += 1) {
    if (needle.codes[last - back] !== text.codes[from - back]) break;
    length += 1;
  }
  return length;
}
