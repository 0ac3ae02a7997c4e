/**
 * Parses untrusted JSON: a value that would not survive storage is refused, not changed silently.
 */
import { Refusal, refuse } from './refusal.ts';

/** Deeper than any real attributes or data, and far below the depth that exhausts the stack when it is serialized. */
export const MAX_DEPTH_LEVELS = 100;

/**
 * Parses the text of a request body. Refuses malformed JSON, more than 100 levels, the same name twice in an object, and
 * lone surrogates (they can't be written as UTF-8). A number that JavaScript can't hold keeps the digits it was sent with.
 */
export function parseSent(text: string): unknown {
  const value = parseOrRefuse(text);
  scan(text);
  return value;
}

/** Parses what `JSON.stringify` wrote of such a value. */
export function parseStored(text: string): unknown {
  return INEXACT.test(text)
    ? JSON.parse(text, exactNumber as (key: string, value: unknown) => unknown)
    : JSON.parse(text);
}

function parseOrRefuse(text: string): unknown {
  try {
    return parseStored(text);
  } catch (error) {
    if (error instanceof RangeError)
      refuse('malformed', `The JSON is nested more than ${MAX_DEPTH_LEVELS} levels deep.`);
    throw new Refusal('malformed', 'The body is not valid JSON.');
  }
}

/** Numbers in this form may lose digits: only texts with one use the slower parser. */
const INEXACT = /\d{16}|[\d.]{17}|\d[eE]/;

function exactNumber(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  return String(value) === context.source ? value : rawJson(context.source);
}

const { rawJSON: rawJson } = JSON as unknown as { rawJSON: (text: string) => unknown };

/** Scans well-formed JSON text and refuses what the parser accepted. */
function scan(text: string): void {
  const names: (Set<string> | null)[] = [];
  // Only an escape can write half of a character where the text itself holds none.
  const isPlain = !text.includes('\\') && text.isWellFormed();
  let at = 0;
  while (at < text.length) {
    const character = text[at];
    if (character === '"') {
      const end = endOfString(text, at);
      const own = names.at(-1);
      const isOfObject = own && isName(text, end);
      if (isPlain && !isOfObject) {
        at = end;
        continue;
      }
      const written = text.slice(at, end);
      const value = written.includes('\\') ? (JSON.parse(written) as string) : written.slice(1, -1);
      if (!value.isWellFormed())
        refuse('malformed', 'The JSON holds half of a surrogate pair, which is not a character.');
      if (isOfObject) {
        if (own.has(value)) refuse('malformed', `The JSON names ${JSON.stringify(value)} twice in one object.`);
        own.add(value);
      }
      at = end;
      continue;
    }
    if (character === '{' || character === '[') {
      names.push(character === '{' ? new Set() : null);
      if (names.length > MAX_DEPTH_LEVELS) {
        refuse('malformed', `The JSON is nested more than ${MAX_DEPTH_LEVELS} levels deep.`);
      }
    } else if (character === '}' || character === ']') {
      names.pop();
    }
    at += 1;
  }
}

/** Behind the first quote that an even number of backslashes precedes. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end + 1;
  }
}

function isName(text: string, after: number): boolean {
  let at = after;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1;
  return text[at] === ':';
}
