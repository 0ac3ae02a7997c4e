/**
 * A target whose gateway answers in its place: a restart, a deployment. A service may refuse a call with the same statuses, so that
 * other calls decide: only when reads that were served before, at least one of another operation, meet the gateway too, the target
 * is away.
 */
import { operationAt } from '../../../../contracts/operations/match.ts';
import { isRefused } from '../../response/judge-response.ts';
import type { Clock, OutgoingRequest, ServiceResponse } from '../types.ts';
import { MAX_AWAY_MS } from './absence.ts';

/** Reads of so many operations are repeated to find out. */
const WITNESSES = 2;
/** Refusals with an error envelope that are questioned: a target that is there at each of them refuses in this way. */
const QUESTIONED_REFUSALS = 3;
const PAUSE_MS = 1_000;

/** `back`: it was away and answers again. */
export type Presence = 'present' | 'back' | 'away';

export class Outage {
  readonly #clock: Clock;
  /** The latest reads that were served, by operation, the newest last. */
  readonly #served = new Map<string, OutgoingRequest>();
  #refusals = 0;
  /** It was waited for in vain, and did not answer since then. */
  #isGivenUp = false;
  #asking: Promise<Presence> | undefined;

  /** `served`: reads that the target served before, in another process. */
  constructor(clock: Clock, served: readonly OutgoingRequest[] = []) {
    this.#clock = clock;
    for (const request of served) this.served(request);
  }

  /** The latest read that was served. */
  get lastServed(): OutgoingRequest | undefined {
    return [...this.#served.values()].at(-1);
  }

  /** Notes a reading request that was served. */
  served(request: OutgoingRequest): void {
    this.#isGivenUp = false;
    const operation = operationOf(request);
    if (operation === undefined) return;
    this.#served.delete(operation);
    this.#served.set(operation, request);
    const [oldest] = this.#served.keys();
    if (this.#served.size > WITNESSES && oldest !== undefined) this.#served.delete(oldest);
  }

  /**
   * Whether the target is there, after a response with the status of a gateway, or a connection that was closed again; one that is away
   * is waited for. `isAwayFor` sends a call that was served before, and says whether it meets no more than that.
   */
  ask(
    request: OutgoingRequest,
    response: ServiceResponse | undefined,
    isAwayFor: (served: OutgoingRequest) => Promise<boolean>,
  ): Promise<Presence> {
    const isRefusal = response !== undefined && isRefused(response) === 'refused';
    const own = operationOf(request);
    const hasOther = [...this.#served.keys()].some((operation) => operation !== own);
    if (!hasOther || (isRefusal && this.#refusals >= QUESTIONED_REFUSALS)) return Promise.resolve('present');
    // Calls that were sent together are one question.
    this.#asking ??= this.#untilBack(isAwayFor)
      .then((presence) => {
        if (presence === 'back') this.#refusals = 0;
        else if (isRefusal && presence === 'present') this.#refusals += 1;
        return presence;
      })
      .finally(() => {
        this.#asking = undefined;
      });
    return this.#asking;
  }

  async #untilBack(isAwayFor: (served: OutgoingRequest) => Promise<boolean>): Promise<Presence> {
    const began = this.#clock.now();
    for (let waited = 0; ; waited += PAUSE_MS) {
      if (!(await this.#isAway(isAwayFor))) {
        this.#isGivenUp = false;
        return waited === 0 ? 'present' : 'back';
      }
      const isLate = Math.max(waited, this.#clock.now() - began) + PAUSE_MS > MAX_AWAY_MS;
      this.#isGivenUp ||= isLate;
      if (this.#isGivenUp) return 'away';
      await this.#clock.sleep(PAUSE_MS);
    }
  }

  async #isAway(isAwayFor: (served: OutgoingRequest) => Promise<boolean>): Promise<boolean> {
    for (const request of [...this.#served.values()].reverse()) if (!(await isAwayFor(request))) return false;
    return true;
  }
}

const operationOf = ({ method, url }: OutgoingRequest): string | undefined => operationAt(method, url)?.id;
