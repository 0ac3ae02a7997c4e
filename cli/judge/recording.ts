/** The file that `proofmark judge` is given: a browser's HAR or the events of a run, read exchange by exchange. */

import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import type { Exchange, RunHeader } from '../../contracts/run/events.ts';
import { whyUnusable } from '../../harness/process/file-error.ts';
import { UsageError } from '../../harness/process/usage-error.ts';
import { EventsError, readEvents } from '../../reports/events/read.ts';
import { statOf } from '../common/files/stat-of.ts';
import { exchangeOfEntry, isInternalRedirect } from './har-entry.ts';
import { type HarEntryText, HarError, readHarEntries } from './har-scan.ts';

export interface Recording {
  readonly kind: 'har' | 'events';
  /** Of a run's events. */
  readonly header: RunHeader | undefined;
  /** Hands out the exchanges in the order of the file. */
  read(take: (exchange: Exchange) => void): Promise<void>;
  /** What the reader has to say when all was read. */
  readonly notices: readonly string[];
}

/** Large enough that a gigabyte is few reads. */
const CHUNK_BYTES = 1024 * 1024;
/** The header of events is the first line; a longer one is not a header. */
const FIRST_LINE_BYTES = 4 * 1024 * 1024;

/** Entries among which repeated ones are found: exports that overlap are joined by hand, and some recorders write an entry twice. */
const MAX_KNOWN_ENTRIES = 200_000;

/** Opens a recording. Throws a UsageError with file and position for a file of another kind, also while it is read. */
export async function openRecording(file: string): Promise<Recording> {
  const correct = 'give a HAR file or the events.ndjson of a run';
  const stat = statOf(file, correct);
  if (stat === undefined) throw new UsageError(`There is no file ${file}: ${correct}.`);
  if (!stat.isFile()) throw new UsageError(`${file} is not a file: ${correct}.`);
  return (await isEvents(file)) ? eventsRecording(file) : harRecording(file);
}

async function isEvents(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const buffer = Buffer.alloc(FIRST_LINE_BYTES);
    const { bytesRead } = await handle.read(buffer, 0, FIRST_LINE_BYTES, 0);
    const end = buffer.indexOf(0x0a);
    // A HAR file is often one line: reading megabytes of it as JSON would only show that it is cut off.
    if (end < 0 && bytesRead === FIRST_LINE_BYTES) return false;
    const line = buffer.toString('utf8', 0, end < 0 ? bytesRead : end);
    const first: unknown = JSON.parse(line);
    return typeof first === 'object' && first !== null && 'type' in first && first.type === 'header';
  } catch {
    return false;
  } finally {
    await handle.close();
  }
}

async function eventsRecording(file: string): Promise<Recording> {
  const notices: string[] = [];
  let header: RunHeader | undefined;
  try {
    for await (const event of readEvents(file)) {
      if (event.type === 'header') header = event;
      break;
    }
  } catch (error) {
    throw asUsage(error, file);
  }
  return {
    kind: 'events',
    header,
    notices,
    async read(take) {
      let hasFooter = false;
      try {
        for await (const event of readEvents(file)) {
          if (event.type === 'exchange') take(event);
          hasFooter ||= event.type === 'footer';
        }
      } catch (error) {
        throw asUsage(error, file);
      }
      if (!hasFooter)
        notices.push(`${file} ends without a footer: that run was cut off, and later exchanges are missing.`);
    },
  };
}

function harRecording(file: string): Recording {
  const notices: string[] = [];
  return {
    kind: 'har',
    header: undefined,
    notices,
    async read(take) {
      let tooLarge = 0;
      let repeated = 0;
      const isRepeated = repeatedEntries();
      const takeEntry = ({ text, ...place }: HarEntryText): void => {
        if (text === undefined) {
          tooLarge += 1;
          return;
        }
        const exchange = exchangeOfEntry({ ...place, text });
        if (isRepeated(text, exchange)) repeated += 1;
        else if (!isInternalRedirect(exchange)) take(exchange);
      };
      try {
        await readHarEntries(
          createReadStream(file, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>,
          takeEntry,
        );
      } catch (error) {
        throw asUsage(error, file);
      }
      if (repeated > 0)
        notices.push(`${repeated} entries of ${file} repeat earlier ones, time and all, and were judged once.`);
      if (tooLarge > 0) notices.push(`${tooLarge} entries of ${file} are too large to be read, and were not judged.`);
    },
  };
}

/** Whether an entry is an earlier one again: of the same time, duration, length and checksum. */
function repeatedEntries(): (text: string, exchange: Exchange) => boolean {
  const known = new Set<string>();
  return (text, { at, durationMs }) => {
    // Without a time, a call that was made twice may look the same twice.
    if (durationMs === 0 || at === NO_TIME) return false;
    const key = `${at} ${durationMs} ${text.length} ${crc32(text)}`;
    if (known.has(key)) return true;
    if (known.size < MAX_KNOWN_ENTRIES) known.add(key);
    return false;
  };
}

/** What an entry without a beginning has. */
const NO_TIME = new Date(0).toISOString();

function asUsage(error: unknown, file: string): unknown {
  if (error instanceof HarError) return new UsageError(`${file} ${error.message}.`);
  if (error instanceof EventsError) return new UsageError(error.message);
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'EACCES' && code !== 'EISDIR') return error;
  return new UsageError(`${file} can't be read, ${whyUnusable(error)}: give another one, or the permission.`);
}
