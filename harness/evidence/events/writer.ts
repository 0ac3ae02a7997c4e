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
import { deliverInOrder, type OrderedResults } from './ordered-results.ts';
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

/** Starts a file again with the header. Exchanges reach it as they happen; results as soon as all before them are there. */
export class EventWriter {
  readonly file: string;
  readonly #fd: number;
  readonly #options: EventsOptions;
  readonly #results: OrderedResults;
  readonly #spools = followSpools();
  readonly #own: Numbers = new Map();
  readonly #errors: string[] = [];
  #lines: object[] = [];
  #exchanges = 0;
  #lastNumber = 0;
  #timer: NodeJS.Timeout | undefined;
  #broken: unknown;

  constructor(file: string, header: RunHeader, options: EventsOptions) {
    mkdirSync(dirname(file), { recursive: true });
    this.file = file;
    this.#fd = openSync(file, 'w');
    this.#options = options;
    this.#results = deliverInOrder(header.selected, (event) => this.#put(event));
    this.#put(redactEvent(header, options.redact));
    this.#write();
  }

  /** Takes over what workers append to spools in this folder, now and from time to time, until `merge` or `close`. */
  follow(folder: string): void {
    this.#spools.add(folder);
    this.#timer ??= setInterval(() => this.#takeFromTimer(), FOLLOW_INTERVAL_MS).unref();
  }

  /** Takes over what is in the spools at this moment. */
  take(): void {
    if (this.#broken !== undefined) throw this.#broken;
    this.#spools.take((event, numbers) => this.#accept(event, numbers));
    this.#write();
  }

  /** An event of the main process itself. Its exchanges are numbered like a worker's. */
  append(event: Redacted<SpooledEvent>): void {
    this.#accept(event, this.#own);
    this.#write();
  }

  /**
   * Call it when the workers have ended: it reads the rest of this folder and of those followed, and writes every result that was
   * still held back. `absent` may return a result for a selected check without one.
   */
  merge(folder?: string, absent?: (id: string) => CheckResult | undefined): MergeReport {
    if (folder !== undefined) this.#spools.add(folder);
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.take();
    this.#results.finish((id) => {
      const instead = absent?.(id);
      return instead === undefined ? undefined : redactEvent(instead, this.#options.redact);
    });
    this.#write();
    const { count } = this.#results;
    return {
      exchanges: this.#exchanges,
      results: count,
      tornLines: this.#spools.close(),
      missing: this.#results.missing(),
    };
  }

  /** Ends the file as it is, without a footer: of a run that was cut off. */
  leave(): void {
    clearInterval(this.#timer);
    flush(this.#fd);
    closeSync(this.#fd);
  }

  /** Merges what is left, writes the footer as the last line, with the errors that the writer met, and flushes. */
  close(footer: RunFooter): void {
    this.merge();
    const errors = [...new Set([...(footer.errors ?? []), ...this.#errors])];
    this.#put(redactEvent({ ...footer, ...(errors.length === 0 ? {} : { errors }) }, this.#options.redact));
    this.#write();
    flush(this.#fd);
    closeSync(this.#fd);
  }

  #takeFromTimer(): void {
    try {
      this.take();
    } catch (error) {
      // Thrown from a timer it would end the process without a word: the next `take`, `merge` or `close` throws it.
      this.#broken = error;
      clearInterval(this.#timer);
    }
  }

  #accept(spooled: SpooledEvent, numbers: Numbers): void {
    const event = this.#asserted(spooled);
    this.#options.seen?.(event);
    const ofRun = (local: number): number => this.#numberOf(numbers, local);
    if (event.type === 'exchange') {
      this.#exchanges += 1;
      this.#put({ ...event, n: ofRun(event.n) });
    } else if (event.type === 'check') {
      const decisive = event.decisive === undefined ? {} : { decisive: ofRun(event.decisive) };
      const breaches = event.breaches?.map((breach) => ({ ...breach, exchange: ofRun(breach.exchange) }));
      const numbered = breaches === undefined ? {} : { breaches };
      this.#results.add({ ...event, exchanges: event.exchanges.map(ofRun), ...decisive, ...numbered });
    } else if (event.type === 'observation') this.#put({ ...event, exchanges: event.exchanges.map(ofRun) });
    else this.#put(event);
  }

  /** The event, which its source has redacted. A secret that is left in it is reported, and not written either. */
  #asserted<E extends SpooledEvent>(event: E): E {
    const { redact } = this.#options;
    const redacted = redactEvent(event, redact);
    const path = leakIn(event, redacted, redact);
    if (path !== undefined) this.#errors.push(leakSentence(event, path));
    return redacted;
  }

  /** A result may name an exchange before its line arrives (cleanup, listeners): the first of the two assigns the number. */
  #numberOf(numbers: Numbers, local: number): number {
    const known = numbers.get(local);
    if (known !== undefined) return known;
    this.#lastNumber += 1;
    numbers.set(local, this.#lastNumber);
    return this.#lastNumber;
  }

  #put(event: object): void {
    this.#lines.push(event);
    if (this.#lines.length >= BATCH_LINES) this.#write();
  }

  #write(): void {
    if (this.#lines.length > 0) appendText(this.#fd, linesOf(this.#lines));
    this.#lines = [];
  }
}

/** For the footer: which event held a secret, and where. Its text is not quoted. */
function leakSentence(event: SpooledEvent, path: string): string {
  const check = event.type === 'exchange' || event.type === 'observation' ? event.check : '';
  const of = event.type === 'check' ? ` of ${event.id}` : check === '' ? '' : ` of ${check}`;
  return `a secret was left in the ${event.type}${of} (${path}) and was removed only when the record was written: please report it, and check the output of the run before you share it`;
}
