/**
 * JSON text laid out for reading, with the JSON pointer of every line. It works on the text as it was sent: numbers keep
 * their digits, duplicate keys stay, and a body that was cut off is laid out as far as it goes.
 */
import { jsonIn } from '../../../contracts/json/parse.ts';

export interface JsonLine {
  readonly text: string;
  /** Pointer of the value that begins on this line; closing brackets carry that of what they close. */
  readonly pointer: string;
}

/** Deeper text is mostly indentation; it is shown as it came. */
const MAX_DEPTH = 60;
const TOKEN = /\s*(?:("(?:[^"\\]|\\.)*")|([{}[\],:])|([^\s{}[\],:"]+))/sy;

interface Level {
  readonly close: '}' | ']';
  readonly pointer: string;
  items: number;
  key: string | undefined;
}

/** The lines of a JSON text; `undefined` when it isn't one (or is not an object or list, or too deep to be read). */
export function jsonLines(json: string, cutOff = false): JsonLine[] | undefined {
  if (!/^\s*[{[]/.test(json) || (!cutOff && jsonIn(json) === undefined)) return undefined;
  const lines: JsonLine[] = [];
  const levels: Level[] = [];
  let line = '';
  let linePointer = '';
  const indent = (): string => '  '.repeat(levels.length);
  const newLine = (pointer: string): void => {
    if (line !== '') lines.push({ text: line, pointer: linePointer });
    line = indent();
    linePointer = pointer;
  };
  /** The position of the next value of the innermost level. */
  const pointerOfNext = (): string => {
    const level = levels.at(-1);
    if (level === undefined) return '';
    return `${level.pointer}/${level.key ?? String(level.items)}`;
  };
  const place = (): void => {
    const level = levels.at(-1);
    if (level?.close === ']') newLine(pointerOfNext());
  };

  let end = 0;
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(json); found !== null; found = TOKEN.exec(json)) {
    const [, text, mark, literal] = found;
    end = TOKEN.lastIndex;
    const level = levels.at(-1);
    if (mark === '{' || mark === '[') {
      place();
      const pointer = pointerOfNext();
      line += mark;
      levels.push({ close: mark === '{' ? '}' : ']', pointer, items: 0, key: undefined });
      if (levels.length > MAX_DEPTH) return undefined;
    } else if (mark === '}' || mark === ']') {
      if (level === undefined) return undefined;
      const empty = /[{[]$/.test(line) && level.items === 0 && level.key === undefined;
      levels.pop();
      if (!empty) newLine(level.pointer);
      line += mark;
    } else if (mark === ',') {
      line += ',';
      if (level !== undefined) {
        level.items += 1;
        level.key = undefined;
      }
    } else if (mark === ':') {
      line += ': ';
    } else if (text !== undefined && level?.close === '}' && level.key === undefined) {
      level.key = keyOf(text);
      newLine(`${level.pointer}/${level.key}`);
      line += text;
    } else {
      place();
      line += text ?? literal ?? '';
    }
  }
  // The half of a string at which a body was cut off.
  line += json.slice(end).trim();
  if (line !== '') lines.push({ text: line, pointer: linePointer });
  return lines;
}

/** A member's name as a step of a JSON pointer. */
function keyOf(text: string): string {
  let name = text.slice(1, -1);
  try {
    name = String(JSON.parse(text));
  } catch {
    // Only in a body that was cut off.
  }
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The indexes of the lines that show the value at `pointer`; none when the text does not have it. */
export function linesAt(lines: readonly JsonLine[], pointer: string): number[] {
  if (pointer === '') return [];
  return lines.flatMap((line, index) =>
    line.pointer === pointer || line.pointer.startsWith(`${pointer}/`) ? [index] : [],
  );
}
