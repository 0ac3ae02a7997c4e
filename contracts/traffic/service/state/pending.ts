/**
 * Findings that wait until no later exchange can explain them: a write that begins while a response is on its way may show in
 * that response.
 */
import type { ServiceRequest } from '../../call.ts';
import type { Finding, Notes } from '../../tally.ts';

interface Waiting {
  /** What the finding is about, and the part of it; a write to either takes it back. */
  readonly subject: object;
  readonly part: string;
  readonly endMs: number;
  readonly clause: string;
  readonly n: number;
  readonly finding: Finding;
}

/** Findings that wait at once; responses are rarely under way for long. */
const MAX_WAITING = 1_000;

export class PendingFindings {
  readonly #notes: Notes;
  #waiting: Waiting[] = [];
  /** Grows with each finding, so that its exchange is kept. */
  count = 0;

  constructor(notes: Notes) {
    this.#notes = notes;
  }

  /** To be called with each exchange before it is judged: what ended before it began is certain. */
  reach(startMs: number): void {
    if (this.#waiting.length > 0) this.#say(({ endMs }) => endMs <= startMs);
  }

  breaks(call: ServiceRequest, subject: object, part: string, clause: string, finding: Finding): void {
    if (this.#waiting.length >= MAX_WAITING) return;
    this.count += 1;
    this.#waiting.push({ subject, part, endMs: call.seen.endMs, clause, n: call.seen.n, finding });
  }

  /** A write began while the responses that are still waiting were under way. `part`: undefined for the whole subject. */
  takeBack(subject: object, part?: string): void {
    if (this.#waiting.length === 0) return;
    this.#waiting = this.#waiting.filter((one) => one.subject !== subject || (part !== undefined && one.part !== part));
  }

  takeBackAll(): void {
    this.#waiting = [];
  }

  end(): void {
    this.#say(() => true);
  }

  #say(isCertain: (one: Waiting) => boolean): void {
    const left: Waiting[] = [];
    for (const one of this.#waiting) {
      if (isCertain(one)) this.#notes.breaks(one.clause, one.n, one.finding);
      else left.push(one);
    }
    this.#waiting = left;
  }
}
