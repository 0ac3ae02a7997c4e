/**
 * Reads `events.ndjson` as a stream. Every line that another process wrote is judged by the published schema, so that the folds can
 * trust it: the file may come from a killed run, from another machine, or from a person who edited it.
 */
import { createReadStream, readSync } from 'node:fs';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { RunEvent } from '../../contracts/run/events.ts';
import schema from '../schemas/events.schema.json' with { type: 'json' };

/** The file is not a run's events. The message is a sentence with file, line and remedy. */
export class EventsError extends Error {
  override readonly name = 'EventsError';
}

const NEWLINE = 0x0a;
const TYPES = ['header', 'check', 'exchange', 'observation', 'ledger', 'confirmation', 'footer'] as const;
let validators: Map<unknown, ValidateFunction> | undefined;

/**
 * The events of a file, one by one. A torn last line, as a kill leaves it, is skipped; any other line that is no
 * event, a header that is not first and anything after the footer throw an `EventsError`.
 */
export async function* readEvents(file: string): AsyncGenerator<RunEvent> {
  for await (const { event } of readPlacedEvents(file)) yield event;
}

/** Who wrote a file of events. */
export interface Origin {
  /** This process has just written it itself: its lines are not judged by the schema, which takes a while to compile. */
  readonly isOwn?: boolean;
}

/** Where a line is in its file, without its line feed. */
export interface Place {
  readonly start: number;
  readonly bytes: number;
}

/** The same, each with its place, for those who come back to a few of them (`eventAt`). */
export async function* readPlacedEvents(
  file: string,
  { isOwn = false }: Origin = {},
): AsyncGenerator<{ event: RunEvent; place: Place }> {
  let lineNumber = 0;
  let footerSeen = false;
  for await (const { text, torn, place } of linesOf(file)) {
    lineNumber += 1;
    const at = `Line ${lineNumber} of ${file}`;
    if (footerSeen) throw new EventsError(`${at} is after the footer: the file contains more than one run.`);
    const event = eventOf(text, torn, at, isOwn);
    if (event === undefined && lineNumber > 1) return;
    if (event === undefined)
      throw new EventsError(`${at} is incomplete: the run ended before it started, so run it again.`);
    if ((event.type === 'header') !== (lineNumber === 1)) {
      throw new EventsError(
        lineNumber === 1
          ? `${at} is not the header of a run: give the events.ndjson that \`proofmark run\` wrote.`
          : `${at} is a second header: the file contains more than one run.`,
      );
    }
    footerSeen = event.type === 'footer';
    yield { event, place };
  }
  if (lineNumber === 0) throw new EventsError(`${file} is empty: the run ended before it started, so run it again.`);
}

/** An event that was read before, read again from its place in the open file. */
export function eventAt(descriptor: number, { start, bytes }: Place): RunEvent {
  const line = Buffer.alloc(bytes);
  readSync(descriptor, line, 0, bytes, start);
  return JSON.parse(line.toString('utf8')) as RunEvent;
}

/** `undefined` for a torn line. */
function eventOf(text: string, torn: boolean, at: string, isOwn: boolean): RunEvent | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    if (torn) return undefined;
    throw new EventsError(`${at} is not JSON: the file was changed after the run, so run again.`);
  }
  const problem = isOwn ? undefined : problemOf(value);
  if (problem === undefined) return value as RunEvent;
  if (torn) return undefined;
  throw new EventsError(
    `${at} is not an event of a run: ${problem}. Give the events.ndjson that Proofmark wrote, or run again.`,
  );
}

function problemOf(value: unknown): string | undefined {
  if (validators === undefined) {
    const ajv = new Ajv2020({ strict: true, validateFormats: false, validateSchema: false });
    ajv.addSchema(schema);
    validators = new Map(
      TYPES.map((type) => [type, ajv.getSchema(`${schema.$id}#/$defs/${type}`) as ValidateFunction]),
    );
  }
  const type = typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined;
  const validate = validators.get(type);
  if (validate === undefined) return 'it has no known "type"';
  if (validate(value)) return undefined;
  const [error] = validate.errors ?? [];
  return `${error?.instancePath || 'it'} ${error?.message ?? 'does not match the schema'}`;
}

/** Lines end at byte 0x0A alone: a target's text may hold U+2028, at which `node:readline` would cut. */
async function* linesOf(file: string): AsyncGenerator<{ text: string; torn: boolean; place: Place }> {
  let pending: Buffer[] = [];
  let lineStart = 0;
  const line = (torn: boolean) => {
    const bytes = Buffer.concat(pending);
    const place = { start: lineStart, bytes: bytes.length };
    lineStart += bytes.length + 1;
    pending = [];
    return { text: bytes.toString('utf8'), torn, place };
  };
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      pending.push(chunk.subarray(start, end));
      yield line(false);
      start = end + 1;
    }
    if (start < chunk.length) pending.push(chunk.subarray(start));
  }
  if (pending.length > 0) yield line(true);
}
