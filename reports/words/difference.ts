/** Where two JSON values part: for people who have to see it at once. Pure. */
import { pretty, visible } from './text.ts';

export interface Line {
  readonly text: string;
  readonly kind: 'same' | 'differs' | 'left-out';
  /** Within a differing line that has a counterpart: where the difference begins and ends, in characters of `text`. */
  readonly mark?: readonly [number, number];
}

export interface Difference {
  readonly expected: readonly Line[];
  readonly actual: readonly Line[];
}

/** Lines beyond this are not shown; a reader skips them in a report, and the events have them. */
const MAX_LINES = 400;
const MAX_LINE_CHARACTERS = 2000;
/** Beyond this the two texts are not aligned line by line: all between the first and the last difference counts as different. */
const MAX_ALIGNED_CELLS = 250_000;
/** Equal lines that stay around a difference. */
const CONTEXT_LINES = 3;

/** Both values line by line, with the lines that differ marked and long equal stretches left out. */
export function differenceOf(expected: unknown, actual: unknown): Difference {
  const left = linesOf(expected);
  const right = linesOf(actual);
  const pairs = align(left.map(withoutComma), right.map(withoutComma));
  const sameLeft = new Map(pairs);
  const sameRight = new Map(pairs.map(([a, b]) => [b, a]));
  const marks = counterparts(left, right, sameLeft, sameRight);
  return {
    expected: folded(left, (index) => sameLeft.has(index), marks.left),
    actual: folded(right, (index) => sameRight.has(index), marks.right),
  };
}

/** Whether an expected or actual value is in words: that nothing was there is one. */
export const isDescription = (value: unknown): value is string =>
  typeof value === 'string' && (value.trim().includes(' ') || value === 'nothing');

/** Whether a difference of two values means something: a description in words has none with the value that it describes. */
export function isComparable(expected: unknown, actual: unknown): boolean {
  const isWords = (value: unknown): boolean => typeof value === 'string' && value.trim().includes(' ');
  if (typeof expected === 'string' && typeof actual === 'string') {
    return !isWords(expected) || similarity(expected, actual) > MIN_SIMILARITY;
  }
  if (typeof expected === 'object' && typeof actual === 'object' && expected !== null && actual !== null) {
    return Array.isArray(expected) === Array.isArray(actual);
  }
  return typeof expected === typeof actual && (expected === null) === (actual === null);
}

/** Of two texts so much has to be equal at the ends, for one to be the other with a change. */
const MIN_SIMILARITY = 0.3;

function similarity(a: string, b: string): number {
  const [from, to] = middle(a, b);
  return (from + a.length - to) / Math.max(a.length, b.length, 1);
}

/** A comma means that another member follows, not that this one differs. */
function withoutComma(line: string): string {
  return line.endsWith(',') ? line.slice(0, -1) : line;
}

function linesOf(value: unknown): string[] {
  return visible(pretty(value))
    .split('\n')
    .map((line) =>
      line.length > MAX_LINE_CHARACTERS ? `${line.slice(0, MAX_LINE_CHARACTERS)}… (${line.length} characters)` : line,
    );
}

/** Pairs of indexes of equal lines: the longest common subsequence, ends first because most values differ in one place. */
function align(left: readonly string[], right: readonly string[]): [number, number][] {
  const pairs: [number, number][] = [];
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) {
    pairs.push([start, start]);
    start += 1;
  }
  let tail = 0;
  while (
    tail < left.length - start &&
    tail < right.length - start &&
    left[left.length - 1 - tail] === right[right.length - 1 - tail]
  ) {
    tail += 1;
  }
  const rows = left.length - start - tail;
  const columns = right.length - start - tail;
  if (rows * columns <= MAX_ALIGNED_CELLS) pairs.push(...subsequence(left, right, start, rows, columns));
  for (let index = tail; index > 0; index -= 1) pairs.push([left.length - index, right.length - index]);
  return pairs;
}

function subsequence(
  left: readonly string[],
  right: readonly string[],
  start: number,
  rows: number,
  columns: number,
): [number, number][] {
  const width = columns + 1;
  const lengths = new Uint32Array((rows + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column] as number;
  for (let row = rows - 1; row >= 0; row -= 1) {
    for (let column = columns - 1; column >= 0; column -= 1) {
      const equal = left[start + row] === right[start + column];
      lengths[row * width + column] = equal
        ? at(row + 1, column + 1) + 1
        : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const pairs: [number, number][] = [];
  let row = 0;
  let column = 0;
  while (row < rows && column < columns) {
    if (left[start + row] === right[start + column]) pairs.push([start + row++, start + column++]);
    else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return pairs;
}

type Marks = Map<number, readonly [number, number]>;

/** A removed and an added line of the same member with another value: only their middle is marked. */
function counterparts(
  left: readonly string[],
  right: readonly string[],
  sameLeft: ReadonlyMap<number, number>,
  sameRight: ReadonlyMap<number, number>,
): { left: Marks; right: Marks } {
  const marks = { left: new Map() as Marks, right: new Map() as Marks };
  let a = 0;
  let b = 0;
  while (a < left.length && b < right.length) {
    if (sameLeft.get(a) === b) {
      a += 1;
      b += 1;
    } else if (sameLeft.has(a)) b += 1;
    else if (sameRight.has(b)) a += 1;
    else {
      const [from, toLeft, toRight] = middle(withoutComma(left[a] as string), withoutComma(right[b] as string));
      marks.left.set(a++, [from, toLeft]);
      marks.right.set(b++, [from, toRight]);
    }
  }
  return marks;
}

function middle(a: string, b: string): [number, number, number] {
  let from = 0;
  while (from < a.length && from < b.length && a[from] === b[from]) from += 1;
  let tail = 0;
  while (tail < a.length - from && tail < b.length - from && a[a.length - 1 - tail] === b[b.length - 1 - tail])
    tail += 1;
  return [from, a.length - tail, b.length - tail];
}

function folded(texts: readonly string[], same: (index: number) => boolean, marks: Marks): Line[] {
  const near = (index: number): boolean => {
    for (let other = index - CONTEXT_LINES; other <= index + CONTEXT_LINES; other += 1) {
      if (other >= 0 && other < texts.length && !same(other)) return true;
    }
    return false;
  };
  const lines: Line[] = [];
  let leftOut = 0;
  const flush = (): void => {
    if (leftOut > 0) lines.push({ kind: 'left-out', text: `… ${leftOut} equal line${leftOut === 1 ? '' : 's'} …` });
    leftOut = 0;
  };
  const short = texts.length <= 12;
  for (const [index, text] of texts.entries()) {
    if (same(index) && !short && !near(index)) {
      leftOut += 1;
      continue;
    }
    flush();
    if (lines.length >= MAX_LINES) {
      lines.push({ kind: 'left-out', text: `… ${texts.length - index} more lines, see events.ndjson …` });
      return lines;
    }
    const mark = marks.get(index);
    if (same(index)) lines.push({ kind: 'same', text });
    else lines.push(mark === undefined ? { kind: 'differs', text } : { kind: 'differs', text, mark });
  }
  flush();
  return lines;
}

export interface Spot {
  /** JSON pointer of the first place where the two differ; empty at the root. */
  readonly pointer: string;
  readonly expected: unknown;
  /** `undefined` where the member is missing on that side. */
  readonly actual: unknown;
}

/** The first place where two JSON values differ; `undefined` when they don't. Member order does not count. */
export function firstDifference(expected: unknown, actual: unknown): Spot | undefined {
  return spot(expected, actual, '', 0);
}

/** Deeper values are compared as a whole: a report must not overflow on a hostile response. */
const MAX_DEPTH = 200;

function spot(expected: unknown, actual: unknown, pointer: string, depth: number): Spot | undefined {
  if (expected === actual) return undefined;
  const here: Spot = { pointer, expected, actual };
  const bothObjects =
    isObjectOrList(expected) && isObjectOrList(actual) && Array.isArray(expected) === Array.isArray(actual);
  if (!bothObjects || depth >= MAX_DEPTH) return Object.is(expected, actual) ? undefined : here;
  for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    const [a, b] = [ownMember(expected, key), ownMember(actual, key)];
    const found = spot(a, b, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, depth + 1);
    if (found === undefined) continue;
    const isItem = Array.isArray(expected) && Array.isArray(actual) && !isObjectOrList(a) && !isObjectOrList(b);
    return isItem ? { ...found, ...itemOnOneSide(expected, actual, [a, b]) } : found;
  }
  return undefined;
}

/** Of two items at one place, the one that the other list lacks altogether: the rest of that list has only moved up. */
function itemOnOneSide(
  expected: readonly unknown[],
  actual: readonly unknown[],
  [a, b]: readonly [unknown, unknown],
): Partial<Spot> {
  const [isMissing, isAdded] = [!actual.includes(a), !expected.includes(b)];
  if (isMissing === isAdded) return {};
  return isMissing ? { actual: undefined } : { expected: undefined };
}

function isObjectOrList(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Own members only: `__proto__` of a hostile response is a key like any other. */
function ownMember(value: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
