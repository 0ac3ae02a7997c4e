/** A limit of the integrator's own for requests: nothing that was sent beyond it was judged by the integrator, so it is sent once more. */
import { pause } from '../process/until.ts';

/** Where the response does not say how long. */
const USUAL_WAIT_MS = 3_000;
const MAX_WAIT_MS = 8_000;
/** Between two requests of an integrator that has a limit: it may count those that it refused, so that all at once would never end. */
const SPACING_MS = 700;
/** For a whole precheck: a page that always refuses must not hold it up. */
const MAX_WAITS_MS = 120_000;
/** A request is sent so many times at most. */
const MAX_ATTEMPTS = 4;

/** What a response says about a limit. */
export interface LimitNotice {
  readonly status: number | undefined;
  readonly retryAfter: string | undefined;
}

export class RateLimit {
  #until = 0;
  #waitedMs = 0;
  #isKnown = false;

  /**
   * Sends a request as soon as the integrator accepts it, and again while its response only asks to come later. Returns what came of the
   * last attempt. `noticeOf` reads the response of one; `undefined` where nothing is to be sent again, whatever it says.
   */
  async send<T>(attempt: () => Promise<T>, noticeOf: (sent: T) => LimitNotice | undefined): Promise<T> {
    for (let attempts = 1; ; attempts += 1) {
      await this.ready();
      const sent = await attempt();
      if (attempts === MAX_ATTEMPTS) return sent;
      const notice = noticeOf(sent);
      if (notice === undefined || !this.isReached(notice.status, notice.retryAfter)) return sent;
    }
  }

  /** Waits until the integrator accepts requests again. */
  ready(): Promise<void> {
    const now = nowMs();
    const at = Math.max(this.#until, now);
    if (this.#isKnown) this.#until = at + SPACING_MS;
    return pause(at - now);
  }

  /** Whether a response says no more than to come again later, and there is still time for that: `ready` waits for it. */
  isReached(status: number | undefined, retryAfter: string | undefined): boolean {
    if (status !== 429 && !(status === 503 && retryAfter !== undefined)) return false;
    const now = nowMs();
    const until = Math.max(this.#until, now + waitOf(retryAfter));
    const more = until - Math.max(this.#until, now);
    if (this.#waitedMs + more > MAX_WAITS_MS) return false;
    this.#isKnown = true;
    this.#until = until;
    this.#waitedMs += more;
    return true;
  }
}

/** In whole milliseconds: their sums are exact, so that rounding takes no wait from the limit. */
const nowMs = (): number => Math.ceil(performance.now());

/** `Retry-After` in seconds or as a date. */
function waitOf(retryAfter = ''): number {
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - Date.now();
  return Number.isNaN(ms) ? USUAL_WAIT_MS : Math.min(MAX_WAIT_MS, Math.max(0, ms));
}
