/**
 * Findings that wait until no later exchange can explain them: a write that begins while a response is on its way may show in
 * that response.
 */
import type { ServiceRequest } from '../../../call.ts';
import type { Finding, Notes } from '../../../tally.ts';

interface Waiting {
  /** What the finding is about, and the part of it; a write to either takes it back. */
  readonly subject: object;
  readonly part: string;
  readonly endMs: number;
  readonly clause: string;
  readonly n: number;
  readonly finding: Finding;
  /** Called at the end: whether something else explains the finding. */
  readonly unless: (() => boolean) | undefined;
  /** Called at the end: the reason why the finding may be wrong, if there is one. */
  readonly doubt: Reservations['doubt'];
}

/** What may still speak against a finding. */
export interface Reservations {
  /** Called at the end; true if something else explains the finding. */
  readonly unless?: () => boolean;
  /**
   * Called at the end; the end of a sentence where the finding proves nothing, and leaves the clause undecided: what the recording
   * lacks to decide it.
   */
  readonly doubt?: (() => string | undefined) | undefined;
}

/** Findings that wait at once; responses are rarely under way for long. */
const MAX_WAITING = 1_000;

export class PendingFindings {
  readonly #notes: Notes;
  #waiting: Waiting[] = [];
  /** No later exchange takes them back, but the rest of the traffic may explain them. */
  readonly #held: Waiting[] = [];
  /** Grows with each finding, so that its exchange is kept. */
  count = 0;

  constructor(notes: Notes) {
    this.#notes = notes;
  }

  /** To be called with each exchange before it is judged: what ended before it began is certain. */
  reach(startMs: number): void {
    if (this.#waiting.length > 0) this.#say(({ endMs }) => endMs <= startMs);
  }

  breaks(
    call: ServiceRequest,
    subject: object,
    part: string,
    clause: string,
    finding: Finding,
    { unless, doubt }: Reservations = {},
  ): void {
    if (this.#waiting.length >= MAX_WAITING) return;
    this.count += 1;
    const { n, endMs } = call.seen;
    this.#waiting.push({ subject, part, endMs, clause, n, finding, unless, doubt });
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
    for (const one of this.#held.splice(0)) if (one.unless?.() !== true) this.#note(one);
  }

  #say(isCertain: (one: Waiting) => boolean): void {
    const left: Waiting[] = [];
    for (const one of this.#waiting) {
      if (!isCertain(one)) left.push(one);
      else if (one.unless !== undefined || one.doubt !== undefined) {
        if (this.#held.length < MAX_WAITING) this.#held.push(one);
      } else this.#note(one);
    }
    this.#waiting = left;
  }

  #note({ clause, n, finding, doubt }: Waiting): void {
    const reason = doubt?.();
    if (reason === undefined) this.#notes.breaks(clause, n, finding);
    else this.#notes.undecided(clause, n, `${finding.message}: ${reason}`, 'configuration');
  }
}
