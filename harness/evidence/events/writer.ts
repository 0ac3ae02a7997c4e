/**
 * The one writer of `events.ndjson`, in the main process. It follows the spools while the workers run, gives every
 * exchange its number within the run, and puts the check results into the order of the header. Events are redacted at their
 * source; the writer asserts it. One that still holds a secret is written without it, and is an error of Proofmark.
 * The file is valid at every moment: what a kill leaves is a shorter run without a footer, and that is inconclusive.
 */
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { CheckResult, RunFooter, RunHeader } from '../../../contracts/run/events.ts';
import { leakIn, type Redacted, redactEvent } from '../redaction/redacted.ts';
import { followSpools, type Numbers } from './follow.ts';
import { appendText, flush, linesOf } from './lines.ts';
import { deliverInOrder } from './ordered-results.ts';
import type { SpooledEvent } from './spool.ts';

/** Often enough that a kill costs little, seldom enough to cost nothing. */
const FOLLOW_INTERVAL_MS = 200;
/** Lines that go into one write. */
const BATCH_LINES = 64;

export interface EventsOptions {
  /** Takes secrets out of a JSON value: of the header and the footer, and of other events to assert that they hold none. */
  readonly redact: (value: unknown) => unknown;
  /** Called with each event as it is taken over, for live progress. */
  readonly seen?: (event: SpooledEvent) => void;
}

export interface MergeReport {
  readonly exchanges: number;
  readonly results: number;
  /** Spools whose last line a killed worker did not finish. */
  readonly tornLines: number;
  /** Selected checks that gave no result, in their order. */
  readonly missing: readonly string[];
}

export interface EventWriter {
  readonly file: string;
  /** Takes over what workers append to spools in this folder, now and from time to time, until `merge` or `close`. */
  follow(folder: string): void;
  /** Takes over what is in the spools at this moment. */
  take(): void;
  /** An event of the main process itself. Its exchanges are numbered like a worker's. */
  append(event: Redacted<SpooledEvent>): void;
  /**
   * Call it when the workers have ended: it reads the rest of this folder and of those followed, and writes every result that was
   * still held back. `absent` may return a result for a selected check without one.
   */
  merge(folder?: string, absent?: (id: string) => CheckResult | undefined): MergeReport;
  /** Ends the file as it is, without a footer: of a run that was cut off. */
  leave(): void;
  /** Merges what is left, writes the footer as the last line, with the errors that the writer met, and flushes. */
  close(footer: RunFooter): void;
}

/** Starts `file` again with the header. Exchanges reach it as they happen; results as soon as all before them are there. */
export function openEvents(file: string, header: RunHeader, options: EventsOptions): EventWriter {
  mkdirSync(dirname(file), { recursive: true });
  const fd = openSync(file, 'w');
  const spools = followSpools();
  const own: Numbers = new Map();
  let lines: object[] = [];
  let exchanges = 0;
  let lastNumber = 0;
  const errors: string[] = [];

  const writeLines = (): void => {
    if (lines.length > 0) appendText(fd, linesOf(lines));
    lines = [];
  };
  const put = (event: object): void => {
    lines.push(event);
    if (lines.length >= BATCH_LINES) writeLines();
  };
  /** The event, which its source has redacted. A secret that is left in it is reported, and not written either. */
  const asserted = <E extends SpooledEvent>(event: E): E => {
    const redacted = redactEvent(event, options.redact);
    const path = leakIn(event, redacted, options.redact);
    if (path !== undefined) errors.push(leakSentence(event, path));
    return redacted;
  };
  const results = deliverInOrder(header.selected, put);

  /** A result may name an exchange before its line arrives (cleanup, listeners): the first of the two assigns the number. */
  const numberOf = (numbers: Numbers, local: number): number => {
    const known = numbers.get(local);
    if (known !== undefined) return known;
    lastNumber += 1;
    numbers.set(local, lastNumber);
    return lastNumber;
  };
  const accept = (spooled: SpooledEvent, numbers: Numbers): void => {
    const event = asserted(spooled);
    options.seen?.(event);
    const ofRun = (local: number): number => numberOf(numbers, local);
    if (event.type === 'exchange') {
      exchanges += 1;
      put({ ...event, n: ofRun(event.n) });
    } else if (event.type === 'check') {
      const decisive = event.decisive === undefined ? {} : { decisive: ofRun(event.decisive) };
      const breaches = event.breaches?.map((breach) => ({ ...breach, exchange: ofRun(breach.exchange) }));
      const numbered = breaches === undefined ? {} : { breaches };
      results.add({ ...event, exchanges: event.exchanges.map(ofRun), ...decisive, ...numbered });
    } else if (event.type === 'observation') put({ ...event, exchanges: event.exchanges.map(ofRun) });
    else put(event);
  };

  let timer: NodeJS.Timeout | undefined;
  let broken: unknown;
  const take = (): void => {
    if (broken !== undefined) throw broken;
    spools.take(accept);
    writeLines();
  };
  const takeFromTimer = (): void => {
    try {
      take();
    } catch (error) {
      // Thrown from a timer it would end the process without a word: the next `take`, `merge` or `close` throws it.
      broken = error;
      clearInterval(timer);
    }
  };
  const merge: EventWriter['merge'] = (folder, absent) => {
    if (folder !== undefined) spools.add(folder);
    clearInterval(timer);
    timer = undefined;
    take();
    results.finish((id) => {
      const instead = absent?.(id);
      return instead === undefined ? undefined : redactEvent(instead, options.redact);
    });
    writeLines();
    return { exchanges, results: results.count, tornLines: spools.close(), missing: results.missing() };
  };

  put(redactEvent(header, options.redact));
  writeLines();
  return {
    file,
    follow(folder) {
      spools.add(folder);
      timer ??= setInterval(takeFromTimer, FOLLOW_INTERVAL_MS).unref();
    },
    take,
    append(event) {
      accept(event, own);
      writeLines();
    },
    merge,
    leave() {
      clearInterval(timer);
      flush(fd);
      closeSync(fd);
    },
    close(footer) {
      merge();
      const all = [...new Set([...(footer.errors ?? []), ...errors])];
      put(redactEvent({ ...footer, ...(all.length === 0 ? {} : { errors: all }) }, options.redact));
      writeLines();
      flush(fd);
      closeSync(fd);
    },
  };
}

/** For the footer: which event held a secret, and where. Its text is not quoted. */
function leakSentence(event: SpooledEvent, path: string): string {
  const check = event.type === 'exchange' || event.type === 'observation' ? event.check : '';
  const of = event.type === 'check' ? ` of ${event.id}` : check === '' ? '' : ` of ${check}`;
  return `a secret was left in the ${event.type}${of} (${path}) and was removed only when the record was written: please report it, and check the output of the run before you share it`;
}
