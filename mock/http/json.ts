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

/** Numbers in this form may lose digits: only texts with one use the slower parser. One start for all forms keeps the search short. */
const INEXACT = /\d(?:[eE]|[\d.]{15})/;

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
    const character = text.charCodeAt(at);
    if (character === QUOTE) {
      const end = isPlain ? text.indexOf('"', at + 1) + 1 : endOfString(text, at);
      const own = names[names.length - 1];
      const isOfObject = own && isName(text, end);
      if (isOfObject || !isPlain) {
        const value = isPlain ? text.slice(at + 1, end - 1) : (JSON.parse(text.slice(at, end)) as string);
        if (!isPlain && !value.isWellFormed())
          refuse('malformed', 'The JSON holds half of a surrogate pair, which is not a character.');
        if (isOfObject && own.size === own.add(value).size)
          refuse('malformed', `The JSON names ${JSON.stringify(value)} twice in one object.`);
      }
      at = end;
      continue;
    }
    if (character === OPEN_OBJECT || character === OPEN_LIST) {
      names.push(character === OPEN_OBJECT ? new Set() : null);
      if (names.length > MAX_DEPTH_LEVELS) {
        refuse('malformed', `The JSON is nested more than ${MAX_DEPTH_LEVELS} levels deep.`);
      }
    } else if (character === CLOSE_OBJECT || character === CLOSE_LIST) {
      names.pop();
    }
    at += 1;
  }
}

const [QUOTE, OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = ['"', '{', '}', '[', ']'].map((character) =>
  character.charCodeAt(0),
);

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
