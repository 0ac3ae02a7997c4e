/** A target that asks for fewer requests: the request is repeated after the pause, up to a limit, and then not sent for a while. */
import type { RateGate } from '../../network/rate.ts';
import { isRefused } from '../../response/judge-response.ts';
import type { Clock, OutgoingRequest, SendOptions, ServiceResponse } from '../types.ts';
import { notSent, throttled } from '../undecidable.ts';
import type { Gateways } from './gateways.ts';
import { isThrottled, pauseOf } from './pause.ts';
import { Quotas } from './quotas.ts';
import { isSafe } from './request-facts.ts';
import { Rests } from './rests.ts';

/** Times one request is repeated because the target asked for a pause. */
export const MAX_PAUSES = 5;
/** All pauses of one request together; a target that wants more can't be judged now. */
export const MAX_PAUSES_MS = 60_000;
/** The first pause after a 429 that does not say how long; the next ones double. */
const FIRST_PAUSE_MS = 1_000;
/** Roles of calls that a target refuses for their credentials: ones that it has to refuse, and questions whether a token is good. */
const MAY_BE_REFUSED: ReadonlySet<string> = new Set(['probe', 'session']);

export interface PausesOptions {
  readonly gateways: Gateways;
  readonly clock: Clock;
  readonly rate: RateGate | undefined;
  readonly isHome: (request: OutgoingRequest) => boolean;
}

export class Pauses {
  /** Responses that asked for a pause. */
  throttled = 0;
  waitedMs = 0;
  readonly #options: PausesOptions;
  /** The target kept asking for pauses until we stopped waiting: for so long (by the clock) such calls are not sent. */
  readonly #rests = new Rests(MAX_PAUSES_MS);
  /** Whether it answers creates of methods with 429 because there are too many methods, not too many requests. */
  readonly #quotas = new Quotas();
  /** The target answered a call that it has to refuse with 429 until we stopped waiting: that is how it refuses such calls. */
  #refusesByPause = false;

  constructor(options: PausesOptions) {
    this.#options = options;
  }

  async send(request: OutgoingRequest, how: SendOptions): Promise<ServiceResponse> {
    const { gateways, clock, rate, isHome } = this.#options;
    const home = isHome(request);
    // Clean-up may wait as long as it needs.
    const waitsLonger = how.role === 'cleanup';
    const isAwaited = waitsLonger || this.#quotas.hasRoom(request);
    const resting = home && !isAwaited ? this.#rests.reason(request, clock.now()) : undefined;
    if (resting !== undefined) throw notSent(resting);
    let waited = 0;
    for (let pauses = 0; ; pauses += 1) {
      const response = await gateways.send(request, how);
      if (!isThrottled(response)) {
        if (home) this.#answered(request, response);
        if (how.role === 'probe' && isRefused(response) === 'refused') this.#refusesByPause = false;
        return response;
      }
      const mayBeFull = home && Quotas.mayRefuse(request, response);
      if (mayBeFull && this.#quotas.isKnown) return response;
      const isRefusal = this.#mayBeRefusal(request, how, response);
      if (isRefusal && this.#refusesByPause) return response;
      this.throttled += 1;
      const pause = pauseOf(response, clock.now()) ?? FIRST_PAUSE_MS * 2 ** pauses;
      const canPause = pauses < MAX_PAUSES && waited + pause <= MAX_PAUSES_MS;
      if (!canPause && isRefusal) {
        this.#refusesByPause = true;
        return response;
      }
      if (!canPause || (home && !waitsLonger && this.#rests.isKnown(request))) {
        const because = throttled(response, request);
        const until = clock.now() + Math.min(Math.max(pause, FIRST_PAUSE_MS), MAX_PAUSES_MS);
        if (home) this.#rests.begin(request, isSafe(request, how), { until, because });
        because.mayBeFull = mayBeFull;
        if (mayBeFull) this.#quotas.suspect();
        throw because;
      }
      waited += pause;
      this.waitedMs += pause;
      rate?.pause(pause);
      await clock.sleep(pause);
    }
  }

  #answered(request: OutgoingRequest, response: ServiceResponse): void {
    this.#rests.answered(request, response);
    this.#quotas.answered(request, response);
  }

  /** A service may slow down clients with wrong credentials. A limit on all such calls is another matter. */
  #mayBeRefusal(request: OutgoingRequest, how: SendOptions, response: ServiceResponse): boolean {
    return MAY_BE_REFUSED.has(how.role ?? '') && isRefused(response) === 'refused' && !this.#rests.isLimited(request);
  }
}
