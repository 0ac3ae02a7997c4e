/** JSON with positions: every value and key has its position, so that a message can name line and column. */

export interface JsonString {
  readonly kind: 'string';
  readonly value: string;
  readonly at: number;
}
export interface JsonNumber {
  readonly kind: 'number';
  readonly value: number;
  /** As it is written: a large integer has more digits than the value. */
  readonly text: string;
  readonly at: number;
}
export interface JsonOther {
  readonly kind: 'boolean' | 'null';
  readonly value: boolean | null;
  readonly at: number;
}
export interface JsonList {
  readonly kind: 'array';
  readonly items: readonly JsonNode[];
  readonly at: number;
}
export interface JsonObject {
  readonly kind: 'object';
  readonly entries: ReadonlyArray<{ readonly key: string; readonly at: number; readonly value: JsonNode }>;
  readonly at: number;
}
export type JsonNode = JsonString | JsonNumber | JsonOther | JsonList | JsonObject;

/** The text is not JSON; `at` is the offset of the first wrong character, the message a sentence without position. */
export class JsonTextError extends Error {
  readonly at: number;
  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

/** Deeper nesting than any configuration needs; keeps the recursion off the end of the stack. */
const MAX_LEVEL = 100;

/** `jsonc` also takes comments and a comma after the last entry, as editors know it. */
export type JsonDialect = 'json' | 'jsonc';

/** Reads JSON text. Throws `JsonTextError`; a duplicate key in one object is an error too. */
export function parseJsonText(text: string, dialect: JsonDialect = 'json'): JsonNode {
  const reader = { text, at: 0, isCommented: dialect === 'jsonc' };
  skipSpace(reader);
  const node = readValue(reader, 0);
  skipSpace(reader);
  if (reader.at < text.length) throw new JsonTextError('There is text after the end of the JSON value.', reader.at);
  return node;
}

/** Line and column, both from 1, of an offset. */
export function positionOf(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: at - lineStart + 1 };
}

interface Reader {
  readonly text: string;
  readonly isCommented: boolean;
  at: number;
}

function skipSpace(reader: Reader): void {
  const { text, isCommented } = reader;
  for (;;) {
    const space = /[ \t\r\n]*/y;
    space.lastIndex = reader.at;
    space.test(text);
    reader.at = space.lastIndex;
    const next = text.slice(reader.at, reader.at + 2);
    if (next !== '//' && next !== '/*' && next[0] !== '#') return;
    if (!isCommented) throw new JsonTextError('JSON has no comments: remove this one.', reader.at);
    if (next[0] === '#') throw new JsonTextError('A comment begins with //, not with #.', reader.at);
    const [mark, length] = next === '//' ? ['\n', 1] : ['*/', 2];
    const end = text.indexOf(mark, reader.at + 2);
    if (end < 0 && next === '/*')
      throw new JsonTextError('This comment is not closed: write */ at its end.', reader.at);
    reader.at = end < 0 ? text.length : end + length;
  }
}

function readValue(reader: Reader, level: number): JsonNode {
  const { text, at } = reader;
  if (level > MAX_LEVEL) throw new JsonTextError(`It is nested deeper than ${MAX_LEVEL} levels.`, at);
  const char = text[at];
  if (char === '{') return readObject(reader, level);
  if (char === '[') return readList(reader, level);
  if (char === '"') return { kind: 'string', value: readString(reader), at };
  for (const [word, value] of [
    ['true', true],
    ['false', false],
    ['null', null],
  ] as const) {
    if (!text.startsWith(word, at)) continue;
    reader.at += word.length;
    return { kind: value === null ? 'null' : 'boolean', value, at };
  }
  const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
  number.lastIndex = at;
  const match = number.exec(text);
  if (match === null) throw new JsonTextError(unexpected(text, at, 'a value'), at);
  reader.at = number.lastIndex;
  return { kind: 'number', value: Number(match[0]), text: match[0], at };
}

function readObject(reader: Reader, level: number): JsonObject {
  const at = reader.at;
  const entries: { key: string; at: number; value: JsonNode }[] = [];
  reader.at += 1;
  skipSpace(reader);
  if (reader.text[reader.at] === '}') {
    reader.at += 1;
    return { kind: 'object', entries, at };
  }
  for (;;) {
    const keyAt = reader.at;
    if (reader.text[keyAt] !== '"')
      throw new JsonTextError(unexpected(reader.text, keyAt, 'a key in double quotes'), keyAt);
    const key = readString(reader);
    if (entries.some((entry) => entry.key === key))
      throw new JsonTextError(`Duplicate key "${key}": remove one.`, keyAt);
    skipSpace(reader);
    expectChar(reader, ':');
    skipSpace(reader);
    entries.push({ key, at: keyAt, value: readValue(reader, level + 1) });
    skipSpace(reader);
    if (expectOneOf(reader, ',', '}') === '}') return { kind: 'object', entries, at };
    skipSpace(reader);
    if (endsAfterComma(reader, '}')) return { kind: 'object', entries, at };
  }
}

function readList(reader: Reader, level: number): JsonList {
  const at = reader.at;
  const items: JsonNode[] = [];
  reader.at += 1;
  skipSpace(reader);
  if (reader.text[reader.at] === ']') {
    reader.at += 1;
    return { kind: 'array', items, at };
  }
  for (;;) {
    items.push(readValue(reader, level + 1));
    skipSpace(reader);
    if (expectOneOf(reader, ',', ']') === ']') return { kind: 'array', items, at };
    skipSpace(reader);
    if (endsAfterComma(reader, ']')) return { kind: 'array', items, at };
  }
}

function endsAfterComma(reader: Reader, bracket: string): boolean {
  if (!reader.isCommented || reader.text[reader.at] !== bracket) return false;
  reader.at += 1;
  return true;
}

function readString(reader: Reader): string {
  const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
  string.lastIndex = reader.at;
  const match = string.exec(reader.text);
  if (match === null) throw stringFault(reader);
  reader.at = string.lastIndex;
  return JSON.parse(match[0]) as string;
}

/** What is wrong with the string that begins here: paths of Windows are the usual case of an invalid escape. */
function stringFault({ text, at }: Reader): JsonTextError {
  const good = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;
  good.lastIndex = at;
  good.test(text);
  const end = good.lastIndex;
  if (text[end] !== '\\') return new JsonTextError('This string is not closed on its line: write " at its end.', at);
  const found = text.slice(end, end + 2);
  return new JsonTextError(`${found} is an invalid escape: write \\\\ for a backslash, or / in a path.`, end);
}

function expectChar(reader: Reader, char: string): void {
  expectOneOf(reader, char, char);
}

function expectOneOf(reader: Reader, one: string, other: string): string {
  const char = reader.text[reader.at];
  if (char !== one && char !== other) {
    const wanted = one === other ? `"${one}"` : `"${one}" or "${other}"`;
    throw new JsonTextError(unexpected(reader.text, reader.at, wanted), reader.at);
  }
  reader.at += 1;
  return char;
}

function unexpected(text: string, at: number, wanted: string): string {
  if (at >= text.length) return `The text ends where ${wanted} is expected.`;
  if (text[at] === '}' || text[at] === ']') return `Expected ${wanted}, found "${text[at]}": is there an extra comma?`;
  return `Expected ${wanted}, found ${JSON.stringify(text[at])}.`;
}
