/**
 * Lines of JSON on disk: written whole, read whole. A line ends at byte 0x0A and nowhere else: texts of a target may
 * hold U+2028 or a lone carriage return, at which other line readers would cut.
 */
import { fsyncSync, readSync, writeSync } from 'node:fs';

const NEWLINE = 0x0a;
/** Large enough that a run's spool is read in few calls, small enough to be forgotten. */
const CHUNK_BYTES = 256 * 1024;

/** Deeper than any response of these interfaces, shallow enough for every recursive reader. */
const MAX_DEPTH = 64;

/** Values as one text of lines. Nothing that a check found can make this throw: a report must not die of its evidence. */
export function linesOf(values: readonly unknown[]): string {
  let text = '';
  for (const value of values) text += `${jsonOf(value)}\n`;
  return text;
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    // A BigInt, a circle, or thousands of levels.
    return JSON.stringify(pruned(value, []));
  }
}

function pruned(value: unknown, above: readonly unknown[]): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (above.includes(value)) return '[a reference to an enclosing object]';
  if (above.length >= MAX_DEPTH) return `[more than ${MAX_DEPTH} levels deep]`;
  const inside = [...above, value];
  if (Array.isArray(value)) return value.map((item) => pruned(item, inside));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, pruned(item, inside)]));
}

/** Writes all of `text` at the end of an append-mode file: one `write` unless the system takes only a part of it. */
export function appendText(fd: number, text: string): void {
  const bytes = Buffer.from(text, 'utf8');
  let written = 0;
  while (written < bytes.length) written += writeSync(fd, bytes, written, bytes.length - written);
}

/** Makes sure that what was appended is on the disk. */
export function flush(fd: number): void {
  fsyncSync(fd);
}

/** Reads a growing file of lines: each call of `take` continues where the last one ended and returns the complete lines since. */
export interface LineReader {
  take(each: (line: string) => void): void;
  /** Bytes after the last whole line: what a killed writer left of its last line. */
  readonly pendingBytes: number;
}

/** Reads the whole lines that were appended to a file since the last call. */
export function lineReader(fd: number): LineReader {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let position = 0;
  let pending: Buffer[] = [];
  return {
    take(each) {
      for (;;) {
        const read = readSync(fd, chunk, 0, CHUNK_BYTES, position);
        if (read === 0) return;
        position += read;
        let start = 0;
        for (let end = chunk.indexOf(NEWLINE); end !== -1 && end < read; end = chunk.indexOf(NEWLINE, start)) {
          pending.push(chunk.subarray(start, end));
          const line = pending.length === 1 ? (pending[0] as Buffer) : Buffer.concat(pending);
          pending = [];
          each(line.toString('utf8'));
          start = end + 1;
        }
        if (start < read) pending.push(Buffer.from(chunk.subarray(start, read)));
      }
    },
    get pendingBytes() {
      return pending.reduce((sum, part) => sum + part.length, 0);
    },
  };
}
