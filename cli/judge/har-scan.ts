/**
 * Finds the entries of a HAR file (`log.entries`) one by one without reading the file as a whole: a recording of an afternoon
 * has a gigabyte. Only brackets and strings are scanned; the consumer parses each entry.
 */

/** Why a file is not a HAR file; the message is the end of a sentence that begins with the name of the file. */
export class HarError extends Error {
  override readonly name = 'HarError';
}

export interface HarEntryText {
  /** From 1. */
  readonly number: number;
  /** Of its first byte, from 0. */
  readonly offset: number;
  readonly line: number;
  /** Undefined for an entry that is larger than what is taken into memory. */
  readonly text: string | undefined;
  readonly bytes: number;
}

/** An entry with bodies of this size is read; a larger one is skipped and reported. */
const MAX_ENTRY_BYTES = 64 * 1024 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const COMMA = 0x2c;
const COLON = 0x3a;
const NEWLINE = 0x0a;
const SPACE = 0x20;
const SPACES = new Set([SPACE, 0x09, 0x0a, 0x0d]);
/** Names of members that decide where the entries are; longer ones are others. */
const MAX_NAME_BYTES = 16;
/** The place of the entries: in the array `entries` of the object `log`. */
const ENTRIES_DEPTH = 3;

/** Hands out the entries in their order. Throws a `HarError` for anything that is not a whole HAR. */
export async function readHarEntries(
  chunks: AsyncIterable<Buffer>,
  take: (entry: HarEntryText) => void,
  maxBytes: number = MAX_ENTRY_BYTES,
): Promise<void> {
  const scan = new HarScan(maxBytes, take);
  for await (const chunk of chunks) scan.feed(chunk);
  scan.end();
}

class HarScan {
  readonly #maxBytes: number;
  readonly #take: (entry: HarEntryText) => void;
  #depth = 0;
  #offset = 0;
  #line = 1;
  #inString = false;
  /** The last chunk ended with a backslash within a string: the first byte of the next one can't end it. */
  #beginsEscaped = false;
  /** The member names that lead to where we are, of the two outer objects. */
  readonly #names: [string, string] = ['', ''];
  #awaitsName = false;
  #name: number[] | undefined;
  #inEntries = false;
  #hasEntries = false;
  #done = false;
  #count = 0;
  #entry: { offset: number; line: number; parts: Buffer[]; bytes: number } | undefined;

  constructor(maxBytes: number, take: (entry: HarEntryText) => void) {
    this.#maxBytes = maxBytes;
    this.#take = take;
  }

  feed(given: Buffer): void {
    const chunk = this.#offset === 0 ? withoutMark(given) : given;
    let entryStart = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      if (this.#inString) {
        at = this.#throughString(chunk, at);
        continue;
      }
      if (this.#entry !== undefined) {
        at = this.#throughEntry(chunk, at);
        if (at === chunk.length) break;
      }
      const byte = chunk[at] as number;
      if (byte === NEWLINE) this.#line += 1;
      else if (byte === QUOTE) this.#beginString(at);
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        if (this.#opened(byte, at)) entryStart = at;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        const ended = this.#closed(chunk, entryStart, at);
        if (ended !== undefined) this.#take(ended);
      } else if (byte === COMMA) this.#awaitsName = this.#depth === 1 || this.#depth === 2;
      else if (byte === COLON) this.#awaitsName = false;
      else if (!SPACES.has(byte)) this.#other(at, byte);
    }
    this.#keep(chunk, entryStart, chunk.length);
    this.#offset += chunk.length;
  }

  end(): void {
    if (this.#offset === 0) throw new HarError('is empty');
    if (!this.#done)
      throw new HarError(`ends in the middle${this.#where(0)}: the recording was cut off, so export it again`);
    if (!this.#hasEntries) throw new HarError('is not a HAR file: it has no array "entries" in an object "log"');
  }

  #where(at: number): string {
    return ` at byte ${this.#offset + at} (line ${this.#line})`;
  }

  #beginString(at: number): void {
    if (this.#done || this.#depth === 0 || (this.#inEntries && this.#depth === ENTRIES_DEPTH)) this.#other(at);
    this.#inString = true;
    if (this.#awaitsName && this.#depth <= 2) this.#name = [];
  }

  /**
   * Goes on to the end of the string, or of the chunk; returns the place of the last byte that was read. Byte by byte:
   * bodies in a HAR have an escaped quote every few characters, and asking the buffer for the next quote costs more than that.
   */
  #throughString(chunk: Buffer, from: number): number {
    let at = this.#beginsEscaped ? from + 1 : from;
    while (at < chunk.length && chunk[at] !== QUOTE) at += chunk[at] === BACKSLASH ? 2 : 1;
    this.#beginsEscaped = at > chunk.length;
    this.#collect(chunk, from, Math.min(at, chunk.length));
    if (at >= chunk.length) return chunk.length;
    this.#inString = false;
    if (this.#name !== undefined) this.#names[this.#depth - 1] = Buffer.from(this.#name).toString('latin1');
    this.#name = undefined;
    return at;
  }

  /**
   * Goes on within an entry, which is nearly the whole file, to its last bracket or to the end of the chunk; returns that place. Its
   * member names are of no interest, so that only strings, brackets and lines matter.
   */
  #throughEntry(chunk: Buffer, from: number): number {
    let depth = this.#depth;
    let at = from;
    for (; at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      if (byte === QUOTE) {
        this.#inString = true;
        at = this.#throughString(chunk, at + 1);
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        if (depth === ENTRIES_DEPTH + 1) break;
        depth -= 1;
      } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth += 1;
      else if (byte === NEWLINE) this.#line += 1;
      else if (byte < SPACE && !SPACES.has(byte)) this.#other(at, byte);
    }
    this.#depth = depth;
    return Math.min(at, chunk.length);
  }

  #collect(chunk: Buffer, from: number, to: number): void {
    if (this.#name === undefined) return;
    for (let at = from; at < to && this.#name.length < MAX_NAME_BYTES; at += 1) this.#name.push(chunk[at] as number);
  }

  /** True when an entry begins here. */
  #opened(byte: number, at: number): boolean {
    if (this.#done) this.#other(at);
    this.#depth += 1;
    if (this.#depth === 1 && byte !== OPEN_OBJECT) throw new HarError('is not a HAR file: it is not a JSON object');
    this.#awaitsName = byte === OPEN_OBJECT && this.#depth <= 2;
    if (this.#depth === 2) this.#names[1] = '';
    if (this.#depth === ENTRIES_DEPTH && this.#names[0] === 'log' && this.#names[1] === 'entries') {
      if (byte !== OPEN_ARRAY) throw new HarError(`is not a HAR file: "entries"${this.#where(at)} is not an array`);
      this.#inEntries = true;
      this.#hasEntries = true;
    }
    if (!this.#inEntries || this.#depth !== ENTRIES_DEPTH + 1) return false;
    if (byte !== OPEN_OBJECT) throw new HarError(`is not a HAR file: an entry${this.#where(at)} is not an object`);
    this.#count += 1;
    this.#entry = { offset: this.#offset + at, line: this.#line, parts: [], bytes: 0 };
    return true;
  }

  #closed(chunk: Buffer, entryStart: number, at: number): HarEntryText | undefined {
    if (this.#depth === 0) this.#other(at);
    this.#depth -= 1;
    if (this.#depth === 0) this.#done = true;
    if (this.#depth === ENTRIES_DEPTH - 1) this.#inEntries = false;
    if (!this.#inEntries || this.#depth !== ENTRIES_DEPTH || this.#entry === undefined) return undefined;
    this.#keep(chunk, entryStart, at + 1);
    const { offset, line, parts, bytes } = this.#entry;
    this.#entry = undefined;
    const text = bytes > this.#maxBytes ? undefined : textOf(parts);
    return { number: this.#count, offset, line, text, bytes };
  }

  /** Takes the part of an entry that is in this chunk. */
  #keep(chunk: Buffer, entryStart: number, end: number): void {
    const entry = this.#entry;
    if (entry === undefined) return;
    const start = entry.bytes === 0 ? entryStart : 0;
    entry.bytes += end - start;
    if (entry.bytes > this.#maxBytes) entry.parts.length = 0;
    else entry.parts.push(chunk.subarray(start, end));
  }

  /** A byte that is neither bracket, quote nor space: within values it is part of a number or a word. */
  #other(at: number, chunkByte?: number): void {
    const isOutside = this.#depth === 0 || this.#done;
    // No JSON holds it outside of a text; a file full of zeros need not be read to its end.
    if ((chunkByte ?? SPACE) < SPACE)
      throw new HarError(`is not a HAR file: it contains bytes that are not text${this.#where(at)}`);
    if (isOutside && this.#offset + at === 0) throw new HarError('is not a HAR file: it is not JSON');
    if (isOutside)
      throw new HarError(`is not a HAR file: there is something besides the JSON object${this.#where(at)}`);
    if (this.#inEntries && this.#depth === ENTRIES_DEPTH)
      throw new HarError(`is not a HAR file: an entry${this.#where(at)} is not an object`);
  }
}

/** Most entries are within one chunk and need no copy. */
function textOf(parts: readonly Buffer[]): string {
  const [only = Buffer.alloc(0)] = parts;
  return (parts.length === 1 ? only : Buffer.concat(parts)).toString('utf8');
}

/** Without the mark that some editors put before UTF-8; other encodings are known by theirs. */
function withoutMark(chunk: Buffer): Buffer {
  const [a, b, c] = chunk;
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff))
    throw new HarError('is written in UTF-16: save it as UTF-8');
  if (a === 0x1f && b === 0x8b) throw new HarError('is compressed: unpack it first');
  if (a === 0x50 && b === 0x4b) throw new HarError('is a zip: unpack it first (a package is for `proofmark verify`)');
  return a === 0xef && b === 0xbb && c === 0xbf ? chunk.subarray(3) : chunk;
}
