/**
 * Records what a worker sends and receives, check by check. Answers are kept as they came until their check ends: only then
 * all its secrets are known, and they are written with every secret taken out.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Verdict } from '../../contracts/run/verdicts.ts';
import { appendText, linesOf } from '../evidence/events/lines.ts';
import type { Redaction } from '../evidence/redaction/index.ts';
import type { Wire, WireResponse } from '../target/network/network.ts';
import { type ComparedRequest, comparedOf } from './compared.ts';
import { failureToJson } from './failure.ts';
import type { ExchangeLine, RecordingLine, SealedBody } from './format.ts';
import { Names } from './names.ts';
import { StandIns } from './stand-in.ts';

/** Of a worker that has not ended; what is left of it when it was killed is not a recording. */
const UNFINISHED = '.part';

export interface RecordOptions {
  /** Private folder of the run, readable by its owner alone. */
  readonly folder: string;
  readonly worker: string;
  readonly redaction: Redaction;
  /** What the run's own texts carry. */
  readonly mark: string;
  readonly showPersonalData: boolean;
}

/** An exchange from the moment its request is sent: a replay gives equal requests their responses in that order. */
interface Held {
  readonly request: ComparedRequest;
  readonly at: number;
  end?: Ended;
}

interface Ended {
  /** Its place among the responses of the worker. */
  readonly arrival: number;
  /** The count of names when the response came. */
  readonly arrived: number;
  readonly response?: WireResponse;
  readonly error?: unknown;
}

export interface Recording {
  /** Learns every secret. */
  readonly redaction: Redaction;
  wire(inner: Wire): Wire;
  start(check: string, suite: string, takesTurns?: boolean): void;
  end(check: string, verdict?: Verdict): void;
  /** The file is whole: looked through once more for all that was learned since, and given its name. */
  close(): void;
}

/** Opens the recording of one worker, with secrets replaced by their names and stand-ins. */
export function createRecording(options: RecordOptions): Recording {
  const { folder, redaction, mark, showPersonalData } = options;
  const standIns = new StandIns(randomBytes(32));
  const names = new Names({ redaction, standIns, mark, showPersonalData });
  const known = names.redaction;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { file, fd } = openNew(folder, options.worker);
  let held: Held[] = [];
  let arrivals = 0;
  const ended = (): Pick<Ended, 'arrival' | 'arrived'> => ({ arrival: arrivals++, arrived: names.time });
  const write = (...lines: RecordingLine[]): void => appendText(fd, linesOf(lines));

  const wire = (inner: Wire): Wire => ({
    exchange: async (request) => {
      const at = Date.now();
      const one: Held = { request: comparedOf(request, names), at };
      held.push(one);
      try {
        const response = await inner.exchange(request);
        one.end = { ...ended(), response };
        names.arrived(request, response, at);
        return response;
      } catch (error) {
        one.end ??= { ...ended(), error };
        throw error;
      }
    },
    close: () => inner.close(),
  });

  return {
    redaction: known,
    wire,
    start: (check, suite, takesTurns = false) =>
      write({ type: 'start', check, suite, at: Date.now(), ...(takesTurns ? { takesTurns } : {}) }),
    end: (check, verdict) => {
      const lines = held.flatMap((one) => (one.end === undefined ? [] : [lineOf(one, one.end, names)]));
      held = [];
      const standInsUsed = names.takeStandIns();
      write(...lines, {
        type: 'end',
        check,
        ...(verdict === undefined ? {} : { verdict }),
        registered: names.takeRegistered(),
        standIns: standInsUsed,
      });
    },
    close: () => {
      closeSync(fd);
      const text = readFileSync(file, 'utf8');
      const safe = text
        .split('\n')
        .map((line) => withoutLate(line, known))
        .join('\n');
      writeFileSync(file, safe, { mode: 0o600 });
      renameSync(file, file.slice(0, -UNFINISHED.length));
    },
  };
}

function openNew(folder: string, worker: string): { file: string; fd: number } {
  for (let again = 0; ; again += 1) {
    const file = join(folder, `${worker}${again === 0 ? '' : `-${again}`}.ndjson${UNFINISHED}`);
    if (existsSync(file.slice(0, -UNFINISHED.length))) continue;
    try {
      return { file, fd: openSync(file, 'ax', 0o600) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** A line with the secrets that became known only after it was written. Its response is then not as it was. */
function withoutLate(line: string, redaction: Redaction): string {
  if (line === '') return line;
  const parsed = JSON.parse(line) as RecordingLine;
  if (parsed.type !== 'exchange') return line;
  const { response, failure } = parsed;
  const safe = redaction.value({ request: parsed.request, response, failure });
  if (JSON.stringify(safe) === JSON.stringify({ request: parsed.request, response, failure })) return line;
  const inexact = safe.response === undefined ? {} : { response: { ...safe.response, inexact: true as const } };
  return JSON.stringify({ ...parsed, ...safe, ...inexact });
}

function lineOf({ request, at }: Held, { arrival, arrived, response, error }: Ended, names: Names): ExchangeLine {
  const base = {
    type: 'exchange' as const,
    key: request.key,
    request: { method: request.method, url: request.url },
    at,
    arrival,
  };
  if (response === undefined) {
    return { ...base, failure: failureToJson(error, (text) => names.sealed(text, arrived).text) };
  }
  let exact = true;
  const sealed = (text: string): string => {
    const done = names.sealed(text, arrived);
    exact &&= done.exact;
    return done.text;
  };
  const headers = response.headers.map(([name, value]): [string, string] => {
    // With its name, so that a short secret in a header is known by it.
    const line = sealed(`${name}: ${value}`);
    return line.startsWith(`${name}: `) ? [name, line.slice(name.length + 2)] : ['x-proofmark-unreadable', ''];
  });
  const body = bodyOf(
    response.bytes,
    sealed,
    () => {
      exact = false;
    },
    names,
  );
  return {
    ...base,
    response: {
      status: response.status,
      headers,
      ...(body === undefined ? {} : { body }),
      ...(exact ? {} : { inexact: true }),
    },
  };
}

function bodyOf(
  bytes: Uint8Array,
  sealed: (text: string) => string,
  inexact: () => void,
  names: Names,
): SealedBody | undefined {
  if (bytes.length === 0) return undefined;
  try {
    return { text: sealed(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)) };
  } catch {
    const safe = names.redaction.bytes(bytes);
    if (safe !== bytes) inexact();
    return { base64: Buffer.from(safe).toString('base64') };
  }
}
