/** A response as checks see it: bytes, text, and JSON with what is wrong about it. Text and JSON are read when asked for. */

import { isJsonContentType } from '../../../contracts/envelopes/index.ts';
import { parseRecords } from '../../../contracts/json/record-ids.ts';
import type { OutgoingRequest, ServiceResponse } from '../client/types.ts';

export interface ResponseParts {
  readonly status: number;
  readonly headers: ReadonlyArray<readonly [string, string]>;
  readonly bytes: Uint8Array;
  readonly durationMs: number;
  readonly exchange: number;
  readonly request: OutgoingRequest;
  readonly redact?: ((text: string) => string) | undefined;
}

/** The response that checks see, from what was received. */
export function responseOf(parts: ResponseParts): ServiceResponse {
  return new ReceivedResponse(parts);
}

class ReceivedResponse implements ServiceResponse {
  readonly status: number;
  readonly headers: ReadonlyArray<readonly [string, string]>;
  readonly bytes: Uint8Array;
  readonly durationMs: number;
  readonly exchange: number;
  readonly request: OutgoingRequest;
  readonly redact: (text: string) => string;
  #text: string | undefined;
  #json: JsonReading | undefined;

  constructor(parts: ResponseParts) {
    this.status = parts.status;
    this.headers = parts.headers;
    this.bytes = parts.bytes;
    this.durationMs = parts.durationMs;
    this.exchange = parts.exchange;
    this.request = parts.request;
    this.redact = parts.redact ?? ((text) => text);
  }

  header(name: string): string | undefined {
    const wanted = name.toLowerCase();
    return this.headers.find(([given]) => given.toLowerCase() === wanted)?.[1];
  }

  get contentType(): string {
    return (this.header('content-type') ?? '').split(';', 1)[0]!.trim().toLowerCase();
  }

  get text(): string {
    this.#text ??= decodeText(this.bytes, this.header('content-type'));
    return this.#text;
  }

  get json(): unknown {
    return this.#reading().json;
  }

  get jsonFault(): string | undefined {
    return this.#reading().fault;
  }

  #reading(): JsonReading {
    this.#json ??= readJson(this.bytes);
    return this.#json;
  }
}

const UTF8 = new TextDecoder();
const JSON_TEXT = new TextDecoder('utf-8', { fatal: true });

/**
 * Text in the charset that the content type names, UTF-8 without one; wrong bytes become U+FFFD. JSON is UTF-8 whatever its label says
 * (RFC 8259): some frameworks add the charset of their pages.
 */
function decodeText(bytes: Uint8Array, contentType: string | undefined): string {
  if (isJsonContentType(contentType)) {
    try {
      return JSON_TEXT.decode(bytes);
    } catch {
      // Another charset after all.
    }
  }
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1] ?? 'utf-8';
  if (charset.toLowerCase() === 'utf-8') return UTF8.decode(bytes);
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return UTF8.decode(bytes);
  }
}

export interface JsonReading {
  readonly json: unknown;
  /** The end of a sentence that begins with "The body"; `undefined` for good JSON. */
  readonly fault: string | undefined;
}

const BYTE_ORDER_MARK = '\uFEFF';
const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads bytes as JSON (RFC 8259). Not JSON at all: no value. JSON with a defect that some readers refuse and others pass
 * over (a byte order mark, a key twice): the value, and the defect as `fault`.
 */
export function readJson(bytes: Uint8Array): JsonReading {
  if (bytes.length === 0) return { json: undefined, fault: 'is empty' };
  let text: string;
  try {
    text = STRICT_UTF8.decode(bytes);
  } catch {
    return { json: undefined, fault: `is not UTF-8 (first wrong byte at offset ${firstNotUtf8(bytes)})` };
  }
  const defects: string[] = [];
  if (text.startsWith(BYTE_ORDER_MARK)) {
    text = text.slice(1);
    defects.push('begins with a byte order mark');
  }
  let json: unknown;
  try {
    json = parseRecords(text);
  } catch (error) {
    return { json: undefined, fault: whyNotJson(text, error as Error) };
  }
  const twice = keyTwice(text, json);
  if (twice !== undefined) defects.push(`has the key ${JSON.stringify(twice)} twice in one object`);
  return { json, fault: defects.length === 0 ? undefined : defects.join(' and ') };
}

function whyNotJson(text: string, error: Error): string {
  if (text.trim() === '') return 'is blank';
  if (/^\s*<(?:!doctype|html|\?xml|[a-z])/i.test(text)) return 'is markup, not JSON';
  // A text that is not closed goes to the end: looked for a second time from each of its quotes, it would take hours.
  const outsideStrings = text.replaceAll(/"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)/g, '""');
  const word = /(?<![\w$])(?:-?Infinity|-?NaN|undefined|None|True|False)(?![\w$])/.exec(outsideStrings)?.[0];
  if (word !== undefined) return `contains ${word}, which is not valid JSON`;
  // V8 quotes a piece of the text; the body is recorded beside it, so the position is enough.
  const position = /position \d+/.exec(error.message)?.[0];
  if (/end of JSON input/i.test(error.message)) return 'is truncated JSON';
  return position === undefined ? 'is not JSON' : `is not JSON (${position})`;
}

/** The length of the longest piece from the start that can begin a UTF-8 text. */
function firstNotUtf8(bytes: Uint8Array): number {
  const begins = (length: number): boolean => {
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length), { stream: true });
      return true;
    } catch {
      return false;
    }
  };
  let low = 0;
  let high = bytes.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (begins(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

const KEY_OR_STRING = /"((?:[^"\\]|\\.)*)"\s*(:?)/g;

/**
 * The first duplicate key in one object. `JSON.parse` keeps the last one in silence, so the keys written are
 * counted and compared with the keys kept; only where they differ the text is walked.
 */
function keyTwice(text: string, parsed: unknown): string | undefined {
  // Most answers are written as this writes them, which writes no key twice.
  if (isWrittenPlainly(text, parsed)) return undefined;
  let written = 0;
  for (const match of text.matchAll(KEY_OR_STRING)) if (match[2] === ':') written += 1;
  if (written === keptKeys(parsed)) return undefined;

  const open: (Set<string> | undefined)[] = [];
  const token = /"((?:[^"\\]|\\.)*)"\s*(:?)|[{}[\]]/g;
  for (const match of text.matchAll(token)) {
    if (match[0] === '{') open.push(new Set());
    else if (match[0] === '[') open.push(undefined);
    else if (match[0] === '}' || match[0] === ']') open.pop();
    else if (match[2] === ':') {
      const key = JSON.parse(`"${match[1]}"`) as string;
      const keys = open.at(-1);
      if (keys?.has(key)) return key;
      keys?.add(key);
    }
  }
  return undefined;
}

/** Whether a text is what `JSON.stringify` makes of its value; false for one that is nested too deep for it. */
function isWrittenPlainly(text: string, parsed: unknown): boolean {
  try {
    return JSON.stringify(parsed) === text;
  } catch {
    return false;
  }
}

/** Keys in a JSON value, at every depth; without recursion, since a response decides how deep it is. */
function keptKeys(value: unknown): number {
  let count = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next !== 'object' || next === null) continue;
    const inner = Object.values(next);
    if (!Array.isArray(next)) count += inner.length;
    for (const item of inner) if (typeof item === 'object' && item !== null) waiting.push(item);
  }
  return count;
}
