/** How a comparison reads the target, and how it asserts what it read. */
import type { Context } from '../../../../../harness/check/context.ts';
import { summary } from '../../../../../harness/check/expect.ts';
import { Inconclusive } from '../../../../../harness/check/failures.ts';
import { INSPECTION } from '../../../../../harness/property/index.ts';
import type { ServiceResponse } from '../../../../../harness/target/client/types.ts';
import type { Delivery } from '../../../../../harness/target/interfaces/delivery.ts';
import { isRefused } from '../../../../../harness/target/response/judge-response.ts';
import type { MethodState, World } from '../world.ts';

export type Owner = MethodState['owner'];

/** The clients of both stores; undefined where the run has only one. */
export type Stores = Readonly<Record<Owner, Delivery | undefined>>;

export class Reader {
  readonly context: Context;
  readonly world: World;
  readonly stores: Stores;

  constructor(context: Context, world: World, stores: Stores) {
    this.context = context;
    this.world = world;
    this.stores = stores;
  }

  /** Asserts something, and names the last step in the message. */
  expect(clause: string, holds: boolean, message: string, evidence: object = {}): void {
    const words = this.world.last?.words;
    const after = words === undefined ? '' : `, after: ${words}`;
    this.context.expect.that(holds, `${message}${after}`, { clauses: [clause], ...evidence });
  }

  /** Asserts that a response does not show what it must not show. */
  expectRefusal(clause: string, isShown: boolean, message: string, response: ServiceResponse): void {
    this.expect(clause, !isShown, message, { expected: 'a refusal', actual: summary(response), response });
  }

  /** Sends a request that only reads; it is not a step of the sequence. */
  readonly inspect: Context['send'] = (call) => this.context.send(call, INSPECTION);

  async send(call: Parameters<Context['send']>[0]): Promise<ServiceResponse> {
    const response = await this.inspect(call);
    if (isRefused(response) === 'unavailable')
      throw new Inconclusive(
        `the target was not available (${summary(response)}): run again when it responds`,
        'network',
      );
    return response;
  }

  /** The client of the store that owns a method. */
  store({ owner }: MethodState): Delivery {
    const store = this.stores[owner];
    if (store === undefined) throw new Error(`This run has no store "${owner}".`);
    return store;
  }
}
