/** A refusal right before a call: what it leaves behind for the next one does not show in what is read between the two. */
import type { Context } from '../../../harness/check/context.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';

/** Calls of several kinds follow a refusal then, and most calls still follow a success. */
const MAX_TIMES = 3;

/** Keeps the last call that no service may serve, to send it once more before each of the next calls that may be served. */
export class Echo {
  #call: ServiceRequest | undefined;
  #times = 0;

  keep(call: ServiceRequest | undefined): void {
    this.#call = call;
    this.#times = MAX_TIMES;
  }

  /** Sends it, a few times at most. Returns whether it was served this time. */
  async send(context: Context): Promise<boolean> {
    const call = this.#call;
    this.#times -= 1;
    if (this.#times <= 0) this.#call = undefined;
    return call !== undefined && isServed(await context.send(call, 'probe'));
  }
}
