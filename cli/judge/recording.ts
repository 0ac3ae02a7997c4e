/** The file that `proofmark judge` is given: a browser's HAR or the events of a run, read exchange by exchange. */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Exchange, RunHeader } from '../../contracts/run/events.ts';
import { UsageError } from '../../harness/process/usage-error.ts';
import { EventsError, readEvents } from '../../reports/events/read.ts';
import { exchangeOfEntry, isInternalRedirect } from './har-entry.ts';
import { HarError, harEntries } from './har-scan.ts';

export interface Recording {
  readonly kind: 'har' | 'events';
  /** Of a run's events. */
  readonly header: RunHeader | undefined;
  exchanges(): AsyncGenerator<Exchange>;
  /** What the reader has to say when all was read. */
  readonly notices: readonly string[];
}

/** Large enough that a gigabyte is few reads. */
const CHUNK_BYTES = 1024 * 1024;
/** The header of events is the first line; a longer one is not a header. */
const FIRST_LINE_BYTES = 4 * 1024 * 1024;

/** Entries among which repeated ones are found: exports that overlap are joined by hand, and some recorders write an entry twice. */
const MAX_DIGESTS = 200_000;

/** Opens a recording. Throws a UsageError with file and position for a file of another kind, also while it is read. */
export async function openRecording(file: string): Promise<Recording> {
  if (!existsSync(file))
    throw new UsageError(`There is no file ${file}: give a HAR file or the events.ndjson of a run.`);
  if (!statSync(file).isFile())
    throw new UsageError(`${file} is not a file: give a HAR file or the events.ndjson of a run.`);
  return (await isEvents(file)) ? eventsRecording(file) : harRecording(file);
}

async function isEvents(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const buffer = Buffer.alloc(FIRST_LINE_BYTES);
    const { bytesRead } = await handle.read(buffer, 0, FIRST_LINE_BYTES, 0);
    const end = buffer.indexOf(0x0a);
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
    async *exchanges() {
      let hasFooter = false;
      try {
        for await (const event of readEvents(file)) {
          if (event.type === 'exchange') yield event;
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
    async *exchanges() {
      let tooLarge = 0;
      let repeated = 0;
      const digests = new Set<string>();
      try {
        const chunks = createReadStream(file, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>;
        for await (const entry of harEntries(chunks)) {
          const { text } = entry;
          if (text === undefined) {
            tooLarge += 1;
            continue;
          }
          const exchange = exchangeOfEntry({ ...entry, text });
          const digest = createHash('sha256').update(text).digest('base64');
          // Without a time, a call that was made twice may look the same twice.
          if (hasTime(exchange) && digests.has(digest)) {
            repeated += 1;
            continue;
          }
          if (digests.size < MAX_DIGESTS) digests.add(digest);
          if (!isInternalRedirect(exchange)) yield exchange;
        }
      } catch (error) {
        throw asUsage(error, file);
      }
      if (repeated > 0)
        notices.push(`${repeated} entries of ${file} repeat earlier ones, time and all, and were judged once.`);
      if (tooLarge > 0) notices.push(`${tooLarge} entries of ${file} are too large to be read, and were not judged.`);
    },
  };
}

const hasTime = ({ at, durationMs }: Exchange): boolean => Date.parse(at) !== 0 && durationMs > 0;

function asUsage(error: unknown, file: string): unknown {
  if (error instanceof HarError) return new UsageError(`${file} ${error.message}.`);
  if (error instanceof EventsError) return new UsageError(error.message);
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EACCES' || code === 'EISDIR' ? new UsageError(`${file} can't be read: ${code}.`) : error;
}
