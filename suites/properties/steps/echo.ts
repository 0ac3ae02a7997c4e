/** A refusal right before a call: what it leaves behind for the next one does not show in what is read between the two. */
import type { Context } from '../../../harness/check/context.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';

/** Keeps the last call that no service may serve, to send it once more before the next call that may be served. */
export class Echo {
  #call: ServiceRequest | undefined;

  keep(call: ServiceRequest | undefined): void {
    this.#call = call;
  }

  /** Sends it, once. Returns whether it was served this time. */
  async send(context: Context): Promise<boolean> {
    const call = this.#call;
    this.#call = undefined;
    return call !== undefined && isServed(await context.send(call, 'probe'));
  }
}
