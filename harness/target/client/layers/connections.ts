/** A connection that was lost or is refused: a reading request is repeated, and any request waits for a target that is absent. */
import { isLostConnection } from '../../network/explain-failure.ts';
import { NoResponse } from '../no-response.ts';
import type { Clock, OutgoingRequest, SendOptions, ServiceResponse } from '../types.ts';
import { notRepeated } from '../undecidable.ts';
import { Absence } from './absence.ts';
import type { Once } from './once.ts';
import { isSafe, originOf } from './request-facts.ts';

export class Connections {
  /** Reading requests that met a lost connection and were repeated. */
  repeated = 0;
  readonly #once: Once;
  readonly #absence: Absence;
  /** The target closes kept connections in its own time. Once it has closed one too early, writes use new connections. */
  #keepsConnections = true;

  constructor(once: Once, clock: Clock) {
    this.#once = once;
    this.#absence = new Absence(clock);
  }

  /** How long calls have waited for an absent target, all together, in milliseconds. */
  get absentMs(): number {
    return this.#absence.waitedMs;
  }

  async send(request: OutgoingRequest, how: SendOptions): Promise<ServiceResponse> {
    const origin = originOf(request.url);
    const safe = isSafe(request, how);
    try {
      return await this.#absence.waitOut(origin, () => this.#once.send(request, how, !safe && !this.#keepsConnections));
    } catch (error) {
      if (!(error instanceof NoResponse) || !isLostConnection(error)) throw error;
      this.#keepsConnections = false;
      if (!safe) throw notRepeated(error);
      this.repeated += 1;
      // Another kept connection may be as dead as the one that was lost.
      return this.#absence.waitOut(origin, () => this.#once.send(request, how, true));
    }
  }
}
